/** A part of a text, in UTF-16 code units, `to` excluded. */
export interface Range {
  from: number;
  to: number;
}
