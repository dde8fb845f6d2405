import { unavailable } from '../../../services/core/errors.ts';
import type { RebuiltFrom, RedisAdmissionOptions } from './admission-options.ts';
import { beginOrganization, type Reply, runScript } from './admission-scripts.ts';
import type { Generation } from './gate.ts';
import { keysOfOrganization } from './names.ts';

type Call = [name: Parameters<typeof runScript>[0], org: string, ask: object, values?: readonly string[]];

export interface FencedScripts {
  /** Undefined when the organization had to be begun: whatever the caller found out before may be stale. */
  tryRun(...call: Call): Promise<Reply | undefined>;
  /** Throws `unavailable` while Redis is being rebuilt. */
  run(...call: Call): Promise<Reply>;
}

/** Runs admission's scripts, each fenced by the epoch of the last rebuild. */
export const makeFencedScripts = ({
  gate,
  namespace,
  clock,
}: Pick<RedisAdmissionOptions, 'gate' | 'namespace' | 'clock'>): FencedScripts => {
  /** By key prefix: after a rebuild all calls of an organization arrive at once, and one beginning is enough. */
  const beginnings = new Map<string, Promise<void>>();
  const begin = (prefix: string, { epoch, facts }: Generation<RebuiltFrom>): Promise<void> => {
    const make = async (): Promise<void> => {
      await gate.confirm();
      if (gate.generation().epoch === epoch) await beginOrganization(gate.redis, prefix, epoch, facts.floor);
    };
    const running = beginnings.get(prefix) ?? make().finally(() => beginnings.delete(prefix));
    beginnings.set(prefix, running);
    return running;
  };

  const tryRun = async (...[name, org, ask, values]: Call): Promise<Reply | undefined> => {
    const generation = gate.generation();
    const prefix = keysOfOrganization(namespace, org);
    const call = { ...ask, epoch: generation.epoch, now: clock() };
    const reply = await runScript(name, gate.redis, prefix, call, values);
    if (reply[0] !== 'stale') return reply;
    await begin(prefix, generation);
    return undefined;
  };

  const run = async (...call: Call): Promise<Reply> => {
    for (let tries = 0; tries < 3; tries++) {
      const reply = await tryRun(...call);
      if (reply) return reply;
    }
    throw unavailable('Redis is being rebuilt from the log.', undefined, 2);
  };

  return { tryRun, run };
};
