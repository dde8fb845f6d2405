/** A document as it was read: it is replaced or deleted only if nobody has changed it since. */
export interface Fenced {
  _index: string;
  _id: string;
  _seq_no: number;
  _primary_term: number;
}

/**
 * Returns the lines of a bulk request that replace the document by `source` or, without one, delete it. Its
 * item has status 409 if somebody else was faster.
 */
export const fencedLines = (
  { _index, _id, _seq_no, _primary_term }: Fenced,
  { source, routing }: { source?: object; routing?: string } = {},
): string[] => {
  const fence = { _index, _id, ...(routing !== undefined && { routing }) };
  const action = { ...fence, if_seq_no: _seq_no, if_primary_term: _primary_term };
  if (source === undefined) return [JSON.stringify({ delete: action })];
  return [JSON.stringify({ index: action }), JSON.stringify(source)];
};
