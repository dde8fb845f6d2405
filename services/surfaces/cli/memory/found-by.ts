import type { Match } from '../../../../schemas/http/parts/match.ts';
import { shortened } from '../table.ts';

/** Returns the cell that says why an item was found, where words were asked for. */
export const foundBy = (q: string | undefined, match: Match | undefined): string[] => {
  if (q === undefined) return [];
  if (match === undefined) return [''];
  return [match.text === undefined ? match.by : `${match.by}: ${shortened(match.text)}`];
};
