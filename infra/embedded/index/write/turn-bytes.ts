import { bytesOfId } from '../file/projections-database.ts';

/** Converts turn ids to bytes; the writes of a turn are consecutive, so the last conversion is remembered. */
export const makeTurnBytes = (): ((id: string) => Uint8Array) => {
  let last: { id: string; bytes: Uint8Array } | undefined;
  return id => {
    if (last?.id !== id) last = { id, bytes: bytesOfId(id)! };
    return last.bytes;
  };
};
