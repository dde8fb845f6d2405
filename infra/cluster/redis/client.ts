import { createHash } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { urlsOf } from '../../../schemas/config-values.ts';
import { ServiceError, unavailable } from '../../../services/core/errors.ts';
import { tlsOptions, withTlsFault } from '../tls.ts';

export type RedisClient = Redis;

const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_AFTER_S = 2;
/** Commands that the client itself sends while connecting; it handles their errors. */
const HANDSHAKE = new Set(['hello', 'auth', 'client', 'select', 'info', 'readonly']);
/** Error replies of a server that can't serve at the moment. Any other error reply is a bug of ours. */
const OUTAGE =
  /^(LOADING|READONLY|BUSY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|ERR max number of clients)\b/;

/** Credentials that the server does not accept. */
const REJECTED = /^(WRONGPASS|NOAUTH)\b/;

const unreachable = (cause?: Error): ServiceError => {
  const rejected = REJECTED.exec(cause?.message ?? '')?.[1];
  const message = `Redis is unreachable${rejected === undefined ? '' : ` (${rejected})`}.`;
  return unavailable(withTlsFault(message, cause), cause && new Error(cause.message), RETRY_AFTER_S);
};

/** Drops the command and its arguments, which the client attaches to its errors: they may contain people's text. */
const faultOf = (error: Error): Error => {
  if (error instanceof ServiceError) return error;
  const plain = new Error(error.message);
  return error.name === 'ReplyError' && !OUTAGE.test(error.message) ? plain : unreachable(plain);
};

export interface ConnectOptions {
  /** While it returns false, every command fails at once, as without a connection. */
  isOpen?: () => boolean;
  /** Don't reconnect. */
  once?: boolean;
  /** Called with errors of the connection itself. */
  onTrouble?: (error: unknown) => void;
}

/** How to connect; without `redis` with the URL's credentials alone. */
export type RedisPlace = Pick<ClusterConfig, 'redisUrl'> & Partial<Pick<ClusterConfig, 'redis'>>;

const backoff = (attempt: number): number => Math.min(25 * 2 ** attempt, 1_000);

/** The server's address, or the Sentinels that know it, with credentials and TLS. */
const addressOf = ({ redisUrl, redis: connection }: RedisPlace, once: boolean): RedisOptions => {
  const redis: Partial<ClusterConfig['redis']> = connection ?? {};
  const urls = urlsOf(redisUrl).map(url => new URL(url));
  const [{ protocol, hostname, port, username, password, pathname }] = urls as [URL];
  const tls = protocol === 'rediss:' ? { tls: tlsOptions(redis) } : {};
  const common = {
    username: redis.user ?? decodeURIComponent(username),
    password: redis.password ?? decodeURIComponent(password),
    db: Number(pathname.slice(1)) || 0,
    ...tls,
  };
  if (redis.primary === undefined)
    return { ...common, host: hostOf(hostname), port: Number(port || DEFAULT_PORT) };
  return {
    ...common,
    name: redis.primary,
    sentinels: urls.map(one => ({ host: hostOf(one.hostname), port: Number(one.port || SENTINEL_PORT) })),
    ...(redis.sentinelUser !== undefined && { sentinelUsername: redis.sentinelUser }),
    ...(redis.sentinelPassword !== undefined && { sentinelPassword: redis.sentinelPassword }),
    ...(tls.tls && { enableTLSForSentinelMode: true, sentinelTLS: tls.tls }),
    sentinelRetryStrategy: once ? () => null : backoff,
    // A switch to another primary ends the connection at once, without waiting for a timeout.
    failoverDetector: true,
  };
};

const DEFAULT_PORT = 6379;
const SENTINEL_PORT = 26379;
/** An IPv6 address without its brackets. */
const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Opens one connection of this process. Without a connection, commands fail at once, and they are never resent on another
 * one: the caller decides. Only here does an outage (no connection, a timeout, a server that is loading, read-only, busy
 * or out of memory) become `unavailable`.
 */
export const connectRedis = (
  config: RedisPlace,
  { isOpen = () => true, once = false, onTrouble = () => {} }: ConnectOptions = {},
): RedisClient => {
  const redis = new Redis({
    ...addressOf(config, once),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS,
    // A peer that is silent while commands wait is considered dead, whatever TCP reports.
    socketTimeout: 2 * COMMAND_TIMEOUT_MS,
    retryStrategy: once ? () => null : backoff,
    // What was the primary became a replica: another connection finds the new one. Nothing is sent again.
    reconnectOnError: error => error.message.startsWith('READONLY'),
  });
  redis.on('error', error => onTrouble(unreachable(error)));
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const connected = redis.status === 'ready';
    if (!connected && HANDSHAKE.has(command.name)) return send(command, stream);
    const { reject } = command;
    command.reject = error => reject(faultOf(error));
    if (connected && isOpen()) return send(command, stream);
    command.reject(unreachable());
    return command.promise;
  };
  return redis;
};

export type RedisScript = (
  redis: RedisClient,
  keys: readonly string[],
  values: readonly (string | number)[],
) => Promise<unknown>;

/**
 * For scripts that must not be refused while Redis has no memory left, because they free it, or because what they write is
 * in the log already.
 */
export const EVEN_WHEN_FULL = '#!lua flags=allow-oom\n';

/** Runs a Lua script by its digest; sends the text only to a server that doesn't have it. */
export const redisScript = (script: string, { evenWhenFull = false } = {}): RedisScript => {
  const text = evenWhenFull ? EVEN_WHEN_FULL + script : script;
  const digest = createHash('sha1').update(text).digest('hex');
  return async (redis, keys, values) => {
    try {
      return await redis.evalsha(digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(text, keys.length, ...keys, ...values);
    }
  };
};
