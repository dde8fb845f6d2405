/** A file in an archive. */
export interface Entry {
  /** The path inside the archive, with `/` between folders. */
  path: string;
  /** Uncompressed size in bytes. */
  size: number;
}
