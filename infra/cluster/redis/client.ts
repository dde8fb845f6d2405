import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { ServiceError, unavailable } from '../../../services/core/errors.ts';

export type RedisClient = Redis;

const COMMAND_TIMEOUT_MS = 2_000;
const RETRY_AFTER_S = 2;
/** What the client itself says while a connection is made; its errors are its own business. */
const HANDSHAKE = new Set(['hello', 'auth', 'client', 'select', 'info', 'readonly']);
/** Replies of a server that can't serve for now. Every other error reply is a fault of ours. */
const OUTAGE =
  /^(LOADING|READONLY|BUSY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|ERR max number of clients)\b/;

const outOfReach = (cause?: Error): ServiceError =>
  unavailable('Redis is out of reach, for now.', cause, RETRY_AFTER_S);

/** The client hangs the command with its arguments on its errors: people's words go no further than here. */
const faultOf = (error: Error): Error => {
  if (error instanceof ServiceError) return error;
  const plain = new Error(error.message);
  return error.name === 'ReplyError' && !OUTAGE.test(error.message) ? plain : outOfReach(plain);
};

export interface ConnectOptions {
  /** While it says false every command fails at once, as without a connection. */
  isOpen?: () => boolean;
  /** Never connects again once the connection is lost. */
  once?: boolean;
  /** Faults of the connection itself. */
  onTrouble?: (error: unknown) => void;
}

/**
 * One connection of this process. Commands fail at once while there is none, and are never sent again on another one:
 * whoever sent them decides. Every outage (no connection, a time-out, a server that is loading, read-only, busy or out
 * of memory) is `unavailable`, here and nowhere else.
 */
export const connectRedis = (
  config: Pick<ClusterConfig, 'redisUrl'>,
  { isOpen = () => true, once = false, onTrouble = () => {} }: ConnectOptions = {},
): RedisClient => {
  const redis = new Redis(config.redisUrl, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS,
    // A peer that says nothing while commands wait is gone, whatever TCP believes.
    socketTimeout: 2 * COMMAND_TIMEOUT_MS,
    retryStrategy: once ? () => null : attempt => Math.min(25 * 2 ** attempt, 1_000),
  });
  redis.on('error', error => onTrouble(outOfReach(new Error(error.message))));
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const connected = redis.status === 'ready';
    if (!connected && HANDSHAKE.has(command.name)) return send(command, stream);
    const { reject } = command;
    command.reject = error => reject(faultOf(error));
    if (connected && isOpen()) return send(command, stream);
    command.reject(outOfReach());
    return command.promise;
  };
  return redis;
};

export type RedisScript = (
  redis: RedisClient,
  keys: readonly string[],
  values: readonly (string | number)[],
) => Promise<unknown>;

/** A Lua script by its digest; a server that doesn't have it yet is sent the text, once. */
export const redisScript = (text: string): RedisScript => {
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
