import { partitionName } from '../../../../core/log/positions.ts';
import type { Admission } from '../../../../core/ports.ts';
import { nameInKey } from '../key-names.ts';
import type { RedisAdmissionOptions } from './admission-options.ts';
import type { FencedScripts } from './admission-scripts.ts';

/** The number of tail entries that one script examines; it blocks Redis meanwhile. */
const LOOKED_AT_ONCE = 500;

/**
 * Goes through the organization's tail in steps and drops entries that this process can no longer open. An
 * entry that is appended under a destroyed key and remembered later can't be opened either; it leaves the
 * tail when it is settled.
 */
export const makeErase =
  (
    { partitions, tail }: Pick<RedisAdmissionOptions, 'partitions' | 'tail'>,
    { run }: Pick<FencedScripts, 'run'>,
  ): Admission['erase'] =>
  async (org, user) => {
    const ask = { user: nameInKey(user), count: LOOKED_AT_ONCE };
    for (let n = 0; n < partitions; n++) {
      const partition = partitionName({ topic: 'turns', partition: n });
      let cursor = '0';
      do {
        const [, next, entries] = await run('sealed', org, { ...ask, partition, cursor });
        const held = entries as [kind: string, id: string, keyId: string][];
        const destroyed = await tail.destroyedOf(held.map(([, , keyId]) => keyId));
        const dropped = held.filter(([, , keyId]) => destroyed.has(keyId));
        const idsOf = (kind: string): string[] => dropped.filter(([one]) => one === kind).map(([, id]) => id);
        if (dropped.length > 0)
          await run('erase', org, { user: ask.user, turns: idsOf('turn'), jobs: idsOf('job') });
        cursor = next as string;
      } while (cursor !== '0');
    }
  };
