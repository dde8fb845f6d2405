import { readFileSync } from 'node:fs';
import { unavailable } from '../../../../core/errors.ts';
import type { Positions } from '../../../../core/ports.ts';
import { DAY_MS } from '../../../../core/time.ts';
import { keysOfOrganization } from '../key-names.ts';
import { type RedisClient, type RedisScript, redisScript } from '../redis-client.ts';
import type { RedisAdmissionOptions } from './admission-options.ts';

const read = (name: string): string => readFileSync(new URL(`../lua/${name}.lua`, import.meta.url), 'utf8');

/** The organization's keys, the fencing check, and what reads and writes claims and the tail's entries. */
const SHARED = ['organization', 'claims', 'entries'].map(name => read(`shared/${name}`));

/** Every script but `begin` starts with `SHARED`. */
const script = (...texts: string[]): RedisScript => redisScript(textOf(texts));
const scriptEvenWhenFull = (...texts: string[]): RedisScript =>
  redisScript(textOf(texts), { evenWhenFull: true });
const textOf = (texts: readonly string[]): string => [...SHARED, ...texts].join('\n');

export const SCRIPTS = {
  admit: script(read('shared/tail'), read('admit')),
  remember: scriptEvenWhenFull(read('remember')),
  release: scriptEvenWhenFull(read('release')),
  settled: scriptEvenWhenFull(read('settled')),
  sealed: script(read('sealed')),
  erase: scriptEvenWhenFull(read('erase')),
  restore: scriptEvenWhenFull(read('restore')),
  survey: script(read('survey')),
  repair: scriptEvenWhenFull(read('repair')),
  /**
   * Returns when each of these recalls was billed: Unix milliseconds on the server's clock; 0: not billed.
   */
  billedAt: script(`local found = {}
for i, id in ipairs(ask.ids) do
  local value = redis.call('GET', org .. 'r:' .. id)
  local ends = redis.call('PEXPIRETIME', org .. 'r:' .. id)
  found[i] = value == 'R' and whole(ends - RECALL_MS) or '0'
end
return { 'ok', found }`),
  tail: script(read('shared/tail'), `return { 'ok', tail_of(ask.user) }`),
  /**
   * Returns turns of the tail, as many per user as were asked for; null for a turn that is no longer there.
   */
  turns: script(`local found = {}
for _, each in ipairs(ask.wanted) do
  for _, turn in ipairs(redis.call('HMGET', org .. 't:' .. each.user, unpack(each.ids))) do found[#found + 1] = turn end
end
return { 'ok', found }`),
  waiting: script(`return { 'ok', redis.call('HMGET', org .. 't:' .. ask.user, unpack(ask.ids)) }`),
  job: script(`return { 'ok', redis.call('GET', org .. 'j:' .. ask.id) }`),
  billed: script(`local found = {}
for i, day in ipairs(ask.days) do found[i] = redis.call('HMGET', org .. 'd:' .. whole(day), 'in', 'out') end
return { 'ok', found }`),
};

const beginScript = redisScript(read('begin'), { evenWhenFull: true });

/** How long an organization that makes no calls is remembered. */
const IDLE_MS = 7 * DAY_MS;

/**
 * Returns the two keys that a script is called with. Neither exists; all other keys begin with the first.
 * While their slot moves to another server of a Redis Cluster, a script would find only some of the keys on
 * either side; two missing keys make Redis refuse the script (TRYAGAIN) before it begins.
 */
const keysFrom = (prefix: string): string[] => [prefix, `${prefix}-`];

/** Sets the epoch of an organization's keys. */
export const beginOrganization = async (redis: RedisClient, prefix: string, epoch: string): Promise<void> => {
  await beginScript(redis, keysFrom(prefix), [epoch, IDLE_MS]);
};

/** The argument of a script. */
export interface Ask {
  /** The partitions whose settled offsets the script needs. */
  partitions?: readonly string[];
  [field: string]: unknown;
}

/** The fence of a script: see `Generation` and `RebuiltFrom`. */
export interface Fence {
  epoch: string;
  floor: Positions;
}

/** A script's answer; `stale`: the organization's keys belong to another epoch. */
export type Reply = [kind: string, ...values: unknown[]];

export type Named = [name: keyof typeof SCRIPTS, ask: Ask, values?: readonly string[]];

/** Runs a script over the keys that begin with the prefix. `now`: Unix milliseconds on the caller's clock. */
export const runScript = async (
  redis: RedisClient,
  prefix: string,
  { epoch, floor }: Fence,
  now: number,
  ...[name, ask, values = []]: Named
): Promise<Reply> => {
  const floors = Object.fromEntries((ask.partitions ?? []).map(each => [each, floor[each] ?? 0]));
  const call = JSON.stringify({ ...ask, epoch, now, floor: floors });
  return (await SCRIPTS[name](redis, keysFrom(prefix), [call, ...values])) as Reply;
};

type Call = [name: keyof typeof SCRIPTS, org: string, ask: Ask, values?: readonly string[]];

export interface FencedScripts {
  /**
   * Resolves to undefined if the organization's keys had to be created: earlier findings of the caller may be
   * stale.
   */
  tryRun(...call: Call): Promise<Reply | undefined>;
  /** Throws `unavailable` while Redis is being rebuilt. */
  run(...call: Call): Promise<Reply>;
}

/** Returns functions that run scripts, each fenced by the epoch of the last rebuild. */
export const makeFencedScripts = ({
  gate,
  namespace,
  clock,
}: Pick<RedisAdmissionOptions, 'gate' | 'namespace' | 'clock'>): FencedScripts => {
  /**
   * By key prefix. After a rebuild all calls of an organization arrive at once; its keys are created only
   * once.
   */
  const beginnings = new Map<string, Promise<void>>();
  const begin = (prefix: string, epoch: string): Promise<void> => {
    const make = async (): Promise<void> => {
      await gate.confirm();
      if (gate.generation().epoch === epoch) await beginOrganization(gate.redis, prefix, epoch);
    };
    const running = beginnings.get(prefix) ?? make().finally(() => beginnings.delete(prefix));
    beginnings.set(prefix, running);
    return running;
  };

  const tryRun = async (...[name, org, ask, values]: Call): Promise<Reply | undefined> => {
    const { epoch, facts } = gate.generation();
    const prefix = keysOfOrganization(namespace, org);
    const fence = { epoch, floor: facts.floor };
    const reply = await runScript(gate.redis, prefix, fence, clock(), name, ask, values);
    if (reply[0] !== 'stale') return reply;
    await begin(prefix, epoch);
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
