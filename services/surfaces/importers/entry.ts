/** A file in an archive. */
export interface Entry {
  /** Inside the archive, with `/` between folders. */
  path: string;
  /** Bytes, unpacked. */
  size: number;
}
