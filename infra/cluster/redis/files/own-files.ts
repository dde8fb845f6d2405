import { isOutage } from '../../../../core/errors.ts';
import { type RedisClient, redisScript } from '../client.ts';
import { nodesOf } from '../cluster/nodes.ts';
import { keysOf } from '../names.ts';
import {
  type Asked,
  type Due,
  decide,
  type FileKind,
  type OwnFiles,
  ownFilesIn,
  TIMES,
  together,
} from './files-due.ts';

/** What an operator has not allowed by now is not tried more often than this by a process. */
const REFUSED_MS = 60 * 60_000;

/** What removes must not be refused by a full Redis. */
const EVEN_WHEN_FULL = { evenWhenFull: true };

const NOW = `
  local time = redis.call('TIME')
  local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))`;

/** KEYS: the note. */
const note = redisScript(
  `${NOW}
  redis.call('HSETNX', KEYS[1], 'since', now)
  redis.call('HSET', KEYS[1], 'noted', now)`,
  EVEN_WHEN_FULL,
);

/** KEYS: the note. Returns Redis' time, then the note. */
const read = redisScript(`${NOW}
  return { now, unpack(redis.call('HMGET', KEYS[1], 'since', 'noted', 'asked')) }`);

/** KEYS: the note. ARGV: what was asked before, what is asked now. 1 for the one of several processes that may ask. */
const claim = redisScript(
  `if redis.call('HEXISTS', KEYS[1], 'since') == 0 then return 0 end
  if (redis.call('HGET', KEYS[1], 'asked') or '') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'asked', ARGV[2])
  return 1`,
  EVEN_WHEN_FULL,
);

/**
 * KEYS: the note. ARGV: what was asked; the last removal that is covered, or ''; the first one that isn't, if there were others;
 * what is retained of the asking.
 */
const settle = redisScript(
  `if (redis.call('HGET', KEYS[1], 'asked') or '') ~= ARGV[1] then return 0 end
  if redis.call('HGET', KEYS[1], 'noted') == ARGV[2] then return redis.call('DEL', KEYS[1]) end
  redis.call('HSET', KEYS[1], 'since', ARGV[3])
  if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'asked', ARGV[4]) end
  return 0`,
  EVEN_WHEN_FULL,
);

const noteOf = (namespace: string): string => `${keysOf(namespace)}sealing:files`;

/**
 * Notes that something is about to be removed that must leave Redis' files, too. Before the removal: whatever of it comes back
 * after a crash or a restart, the note comes back with it.
 */
export const noteRemoval = async (redis: RedisClient, namespace: string): Promise<void> => {
  await note(redis, [noteOf(namespace)], []);
};

const readDue = async (redis: RedisClient, key: string): Promise<{ due: Due; askedText: string }> => {
  const [now, since, noted, asked] = (await read(redis, [key], [])) as [string, ...(string | null)[]];
  const numberOf = (text: string | null | undefined) => (text ? Number(text) : undefined);
  return {
    due: {
      now: Number(now),
      since: numberOf(since),
      noted: numberOf(noted),
      asked: asked ? (JSON.parse(asked) as Asked) : undefined,
    },
    askedText: asked ?? '',
  };
};

const COMMANDS: Record<FileKind, { name: string; send: (redis: RedisClient) => Promise<unknown> }> = {
  aof: { name: 'BGREWRITEAOF', send: redis => redis.bgrewriteaof() },
  // When the append-only file is being written, it begins afterwards.
  rdb: { name: 'BGSAVE', send: redis => redis.bgsave('SCHEDULE') },
};

const readFiles = async (redis: RedisClient): Promise<{ at: RedisClient; files: OwnFiles }[]> =>
  Promise.all(
    nodesOf(redis).all.map(async node => ({
      at: node.redis,
      files: ownFilesIn(await node.redis.info('server', 'persistence')),
    })),
  );

const IN_PROGRESS = /already in progress/i;
/** By the ACL, or by a provider that has removed or renamed the command. */
const REFUSED = /^(NOPERM|ERR unknown)/i;

export interface OwnFilesOptions {
  redis: RedisClient;
  namespace: string;
  times?: typeof TIMES;
}

export interface RedisOwnFiles {
  /**
   * Has Redis write its files anew when that is due; true when they turned out to be free of what was removed. Any number of
   * processes may look, one of them asks. Throws why it can't be done.
   */
  look(): Promise<boolean>;
}

/** What was removed from Redis' memory stays in its append-only file and its snapshot until they are written anew. */
export const openOwnFiles = ({ redis, namespace, times = TIMES }: OwnFilesOptions): RedisOwnFiles => {
  const key = noteOf(namespace);
  let refusedAt: number | undefined;
  const isRefused = (): boolean => refusedAt !== undefined && performance.now() - refusedAt < REFUSED_MS;

  const ask = async (kind: FileKind, server: RedisClient): Promise<void> => {
    const { name, send } = COMMANDS[kind];
    try {
      await send(server);
    } catch (error) {
      // Redis began one of its own a moment ago, which counts.
      if (isOutage(error) || !(error instanceof Error)) throw error;
      if (IN_PROGRESS.test(error.message)) return;
      if (!REFUSED.test(error.message)) throw error;
      refusedAt = performance.now();
      throw new Error(
        `Redis refuses ${name} (${error.message}): allow our user bgrewriteaof and bgsave, or have both run after erasures.`,
      );
    }
  };

  return {
    look: async () => {
      const { due, askedText } = await readDue(redis, key);
      if (due.since === undefined) return false;
      const servers = await readFiles(redis);
      const decision = decide(due, together(servers.map(one => one.files)), times);
      if (decision.kind === 'wait') return false;
      if (decision.kind === 'settle') {
        const { covers, since, asked } = decision;
        const retained = asked ? JSON.stringify(asked) : '';
        return (await settle(redis, [key], [askedText, covers ?? '', since, retained])) === 1;
      }
      if (isRefused()) return false;
      const { asked, files, failed } = decision;
      if ((await claim(redis, [key], [askedText, JSON.stringify(asked)])) !== 1) return false;
      refusedAt = undefined;
      // Where one is refused the other one helps all the same.
      const asking = servers.flatMap(({ at, files: its }) =>
        files.filter(kind => its[kind].exists[0]).map(kind => ask(kind, at)),
      );
      const refused = (await Promise.allSettled(asking)).find(one => one.status === 'rejected');
      if (refused) throw refused.reason;
      if (failed.length === 0) return false;
      const names = failed.map(kind => COMMANDS[kind].name).join(' and ');
      throw new Error(`${names} failed in Redis, whose own log says why.`);
    },
  };
};
