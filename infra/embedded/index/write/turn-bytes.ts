import { bytesOfId } from '../file/projections-database.ts';

let last: { id: string; bytes: Uint8Array } | undefined;

/** Returns a turn's id as bytes. The writes of a turn are consecutive, so the last one is remembered. */
export const turnBytes = (id: string): Uint8Array => {
  if (last?.id !== id) last = { id, bytes: bytesOfId(id)! };
  return last.bytes;
};
