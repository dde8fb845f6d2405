import type { Fault, Root } from '../parts/faults.ts';
import { parseInstant } from './instant.ts';

/** An `until` before `since` gives an empty window, which can only be a mistake. */
export const windowFaults = (root: Root, value: unknown): Fault[] => {
  const { since, until } = Object(value) as { since?: unknown; until?: unknown };
  if (typeof since !== 'string' || typeof until !== 'string') return [];
  const [from, to] = [parseInstant(since), parseInstant(until)];
  if (from === undefined || to === undefined || to >= from) return [];
  return [{ form: false, loc: [root, 'until'], type: 'contradiction', message: 'must not be before since' }];
};
