import { boundedMap } from '../../../core/caches/bounded-map.ts';
import type { Partition } from '../../../core/log/positions.ts';
import type { BegunErasure, BegunErasures } from '../../../core/ports.ts';

/** They end with their process: the next one answers when its projections have all of the log. */
const MOST = 10_000;

const nameOf = ({ org, user, session }: BegunErasure): string => JSON.stringify([org, user, session ?? null]);

/** Keeps the erasures of one process, where no other answers calls. */
export const makeBegunHere = (): BegunErasures => {
  const all = boundedMap<readonly Partition[]>(MOST);
  return {
    begin: async (scope, partitions) => void all.set(nameOf(scope), partitions),
    begun: async scope => all.get(nameOf(scope)) ?? [],
    end: async scope => all.delete(nameOf(scope)),
  };
};
