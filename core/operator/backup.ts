/** A file of a backup, as it was when it was copied. */
export interface BackupFile {
  name: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** The manifest of a backup of a data folder. */
export interface Backup {
  form: string;
  /** RFC 3339; what was acknowledged before is in it. */
  made_at: string;
  /** The version of Turnstone that made it. */
  version: string;
  files: BackupFile[];
}
