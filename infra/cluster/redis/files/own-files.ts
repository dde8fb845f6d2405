import { isOutage } from '../../../../core/errors.ts';
import { nodesOf } from '../cluster/nodes.ts';
import { keysOf } from '../key-names.ts';
import { type RedisClient, redisScript } from '../redis-client.ts';
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

/** A process retries a command that the operator has not allowed at most this often. */
const REFUSED_MS = 60 * 60_000;

/** Removals must not be refused by a full Redis. */
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

/** KEYS: the note. Returns Redis's time, then the note. */
const read = redisScript(`${NOW}
  return { now, unpack(redis.call('HMGET', KEYS[1], 'since', 'noted', 'asked')) }`);

/** KEYS: the note. ARGV: the previous request, the new one. Returns 1 to the one process that may ask. */
const claim = redisScript(
  `if redis.call('HEXISTS', KEYS[1], 'since') == 0 then return 0 end
  if (redis.call('HGET', KEYS[1], 'asked') or '') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'asked', ARGV[2])
  return 1`,
  EVEN_WHEN_FULL,
);

/**
 * KEYS: the note. ARGV: the request; the last removal that is covered, or ''; the first one that isn't, if
 * there were others; the part of the request that is kept.
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
 * Notes that data is about to be removed that must leave Redis's files, too. Call it before the removal: if a
 * crash or a restart brings the data back, it brings the note back as well.
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
  // While the append-only file is being written, the snapshot begins afterwards.
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
/** Refused by the ACL, or by a provider that removed or renamed the command. */
const REFUSED = /^(NOPERM|ERR unknown)/i;

export interface OwnFilesOptions {
  redis: RedisClient;
  namespace: string;
  times?: typeof TIMES;
}

export interface RedisOwnFiles {
  /**
   * Has Redis rewrite its files when that is due; resolves to true once they are found free of removed data.
   * Any number of processes may call it; one of them asks. Throws the reason if the rewrite can't be done.
   */
  look(): Promise<boolean>;
}

/**
 * Rewrites the append-only file and the snapshot: data removed from Redis's memory stays in them until they
 * are written anew.
 */
export const openOwnFiles = ({ redis, namespace, times = TIMES }: OwnFilesOptions): RedisOwnFiles => {
  const key = noteOf(namespace);
  let refusedAt: number | undefined;
  const isRefused = (): boolean => refusedAt !== undefined && performance.now() - refusedAt < REFUSED_MS;

  const ask = async (kind: FileKind, server: RedisClient): Promise<void> => {
    const { name, send } = COMMANDS[kind];
    try {
      await send(server);
    } catch (error) {
      // Redis began a rewrite of its own a moment ago, which counts.
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
      // If one command is refused, the other still helps.
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
