import type { Positions } from '../../../../core/ports.ts';

/** Selects the next offset of each partition that the file has applied. */
export const READ_POSITIONS = 'SELECT partition, offset FROM positions';

export const positionsOf = (rows: readonly Record<string, unknown>[]): Positions =>
  Object.fromEntries(rows.map(row => [String(row.partition), Number(row.offset)]));
