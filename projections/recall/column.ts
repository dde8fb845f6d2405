/** The kinds of rows of the recall index. */
export type RowKind =
  | 'turn'
  /** A turn that is known without its words. */
  | 'identity'
  | 'observation'
  | 'mention'
  | 'enriched'
  | 'vectors'
  | 'job'
  | 'retraction'
  | 'correction';

/** A value as the log has it, whatever an engine makes of it; null: there is none. */
export type Value = string | number | boolean | Uint8Array | object | null;

/** Each engine stores each of these types in one way. */
export type ColumnType =
  | 'number'
  | 'flag'
  /** A short text. */
  | 'name'
  /** A text of any length. */
  | 'words'
  | 'bytes'
  | 'json'
  /** The terms of a metadata (filter/terms.ts). */
  | 'terms'
  /** Ids: `trn_` or `obs_` with 32 hexadecimal digits; `hidden` is that of a turn or of an observation. */
  | 'turn'
  | 'turns'
  | 'observation'
  | 'hidden';

export interface Column<Written> {
  name: string;
  type: ColumnType;
  /** Some rows have no value. */
  isNullable?: true;
  /** Its mapping in Elasticsearch; without one it is kept only in the packed fragment. */
  mapping?: object;
  /** The name of its field there, where that is another one. */
  field?: string;
  /** The member that it is of a fragment. */
  shown?: string;
  of: (written: Written) => Value;
}
