import type { Difference } from '../../../../../projections/verify/compare.ts';

/** A difference of data that the file derives from its own rows. */
export const difference = (
  kind: Difference['kind'],
  id: string,
  org: string,
  detail: string,
  unit = id,
): Difference => ({ how: 'derived', kind, id, org, address: undefined, detail, unit, hash: detail });
