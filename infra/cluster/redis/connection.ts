import { type Command, Redis, type RedisOptions } from 'ioredis';
import { ServiceError, unavailable } from '../../../core/errors.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { urlsOf } from '../../../schemas/config-values.ts';
import { tlsOptions, withTlsFault } from '../tls.ts';

const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_AFTER_S = 2;
/** Commands that the client itself sends while connecting; it handles their errors. */
const HANDSHAKE = new Set(['hello', 'auth', 'client', 'select', 'info', 'readonly']);
/** Error replies of a server that can't serve at the moment. Any other error reply is a bug in our code. */
const OUTAGE =
  /^(LOADING|READONLY|BUSY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|NOREPLICAS|ERR max number of clients)\b/;

/** Credentials that the server does not accept. */
const REJECTED = /^(WRONGPASS|NOAUTH)\b/;
const ELSEWHERE = /^(MOVED|ASK)\b/;

/** `where`: the server's address, if there are several. */
export const unreachable = (cause?: Error, where = 'Redis'): ServiceError => {
  const text = cause?.message ?? '';
  const rejected = REJECTED.exec(text)?.[1];
  const message = ELSEWHERE.test(text)
    ? 'Redis is a Redis Cluster whose slots are being moved, or TURNSTONE_REDIS_CLUSTER is not set.'
    : `${where} is unreachable${rejected === undefined ? '' : ` (${rejected})`}.`;
  return unavailable(withTlsFault(message, cause), cause && new Error(text), RETRY_AFTER_S);
};

/**
 * Drops the command and its arguments, which the client attaches to its errors: they may contain people's
 * text.
 */
export const faultOf = (error: Error, where?: string): Error => {
  if (error instanceof ServiceError) return error;
  const plain = new Error(error.message);
  return error.name === 'ReplyError' && !OUTAGE.test(error.message) ? plain : unreachable(plain, where);
};

export interface ConnectOptions {
  /** While it returns false, every command fails at once, as without a connection. */
  isOpen?: () => boolean;
  /** Don't reconnect. */
  once?: boolean;
  /** Called with errors of the connection itself. */
  onTrouble?: (error: unknown) => void;
}

/** The connection settings; without `redis`, only the URL's credentials are used. */
export type RedisConnection = Pick<ClusterConfig, 'redisUrl'> & Partial<Pick<ClusterConfig, 'redis'>>;

export const backoff = (attempt: number): number => Math.min(25 * 2 ** attempt, 1_000);

const DEFAULT_PORT = 6379;
const SENTINEL_PORT = 26379;

export interface Address {
  host: string;
  port: number;
}

/** Parses an address; IPv6 addresses lose their brackets. */
const addressOf = ({ hostname, port }: URL, defaultPort: number): Address => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: Number(port || defaultPort),
});

/** Returns the servers that the URL names. */
export const addressesOf = ({ redisUrl }: RedisConnection): Address[] =>
  urlsOf(redisUrl).map(url => addressOf(new URL(url), DEFAULT_PORT));

/** Returns the credentials and TLS options, which all servers share. */
const identityOf = ({ redisUrl, redis: connection }: RedisConnection): RedisOptions => {
  const redis: Partial<ClusterConfig['redis']> = connection ?? {};
  const [{ protocol, username, password, pathname }] = urlsOf(redisUrl).map(url => new URL(url)) as [URL];
  return {
    username: redis.user ?? decodeURIComponent(username),
    password: redis.password ?? decodeURIComponent(password),
    db: Number(pathname.slice(1)) || 0,
    ...(protocol === 'rediss:' && { tls: tlsOptions(redis) }),
  };
};

/** Returns the options for a single server, or for the Sentinels that know it. */
const oneServer = (connection: RedisConnection, once: boolean): RedisOptions => {
  const { primary, sentinelUser, sentinelPassword }: Partial<ClusterConfig['redis']> = connection.redis ?? {};
  if (primary === undefined) return addressesOf(connection)[0]!;
  const { tls } = identityOf(connection);
  return {
    name: primary,
    sentinels: urlsOf(connection.redisUrl).map(url => addressOf(new URL(url), SENTINEL_PORT)),
    ...(sentinelUser !== undefined && { sentinelUsername: sentinelUser }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
    sentinelRetryStrategy: once ? () => null : backoff,
    // A switch to another primary ends the connection at once, without waiting for a timeout.
    failoverDetector: true,
  };
};

export interface Connection {
  redis: Redis;
  /** Sends a command regardless of `isOpen`, and rejects it with the server's error. */
  send(command: Command): void;
}

/**
 * Opens one connection to one server: the configured one, or the one at the address. Without a connection,
 * commands fail at once and are never resent on another one: that is the caller's decision. Only here and in
 * cluster-client.ts does an outage (no connection, a timeout, a server that is loading, read-only, busy or
 * out of memory) become `unavailable`.
 */
export const connectServer = (
  connection: RedisConnection,
  { isOpen = () => true, once = false, onTrouble = () => {} }: ConnectOptions = {},
  address?: Address,
): Connection => {
  const where = address && `Redis at ${nameOf(address)}`;
  const redis = new Redis({
    ...identityOf(connection),
    ...(address ?? oneServer(connection, once)),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS,
    // A peer that is silent while commands wait is considered dead, whatever TCP reports.
    socketTimeout: 2 * COMMAND_TIMEOUT_MS,
    retryStrategy: once ? () => null : backoff,
    // The primary became a replica: reconnecting finds the new primary. Nothing is sent again.
    reconnectOnError: error => error.message.startsWith('READONLY'),
  });
  redis.on('error', error => onTrouble(unreachable(error, where)));
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const connected = redis.status === 'ready';
    if (!connected && HANDSHAKE.has(command.name)) return send(command, stream);
    const { reject } = command;
    command.reject = error => reject(faultOf(error, where));
    if (connected && isOpen()) return send(command, stream);
    command.reject(unreachable(undefined, where));
    return command.promise;
  };
  return { redis, send: command => void send(command) };
};

/** Formats an address as the server's redirections do. */
export const nameOf = ({ host, port }: Address): string => `${host}:${port}`;

/** Resolves when the connection is ready for use. */
export const ready = (redis: Redis): Promise<void> =>
  new Promise((resolve, reject) => {
    if (redis.status === 'ready') return resolve();
    redis.once('ready', resolve);
    redis.once('end', () => reject(unavailable('Redis is unreachable.')));
  });
