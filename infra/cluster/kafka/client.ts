import { createRequire } from 'node:module';
import { Kafka, type KafkaConfig } from 'kafkajs';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { ServiceError, unavailable } from '../../../services/core/errors.ts';

/** How to connect to the cluster: credentials and TLS if it requires them, otherwise plain text. */
export type KafkaPlace = Pick<ClusterConfig, 'kafkaBrokers'> & Pick<KafkaConfig, 'ssl' | 'sasl'>;

/**
 * Creates a client for one user, since consumers of one kafkajs instance share their committed offsets. It retries for two
 * to three seconds; the caller decides about further attempts. It logs nothing: errors are thrown as well, and some hold
 * what was sent.
 */
export const connectKafka = ({ kafkaBrokers, ssl, sasl }: KafkaPlace, clientId = 'turnstone'): Kafka =>
  new Kafka({
    brokers: kafkaBrokers,
    ...(ssl === undefined ? {} : { ssl }),
    ...(sasl === undefined ? {} : { sasl }),
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 100, maxRetryTime: 800, factor: 0.2, multiplier: 2, retries: 5 },
    logCreator: () => () => {},
  });

/** Errors of configuration: retrying doesn't help. */
const PERMANENT =
  /_AUTHORIZATION_FAILED$|^SASL_AUTHENTICATION_FAILED$|^UNSUPPORTED_|^INVALID_|^MESSAGE_TOO_LARGE$|^RECORD_LIST_TOO_LARGE$/;

/** `unavailable`, or a plain error where retrying doesn't help. Only Kafka's error names: messages may hold what was sent. */
export const asOutage = (error: unknown): Error => {
  if (error instanceof ServiceError) return error;
  let cause = error as { type?: string; name?: string; cause?: unknown };
  while (cause?.cause instanceof Error) cause = cause.cause;
  if (cause?.type && PERMANENT.test(cause.type)) return new Error(`Kafka refuses: ${cause.type}`);
  return unavailable('the log is unreachable', error);
};

/** Whether to retry. */
export const isOutage = (error: unknown): boolean => asOutage(error) instanceof ServiceError;

interface RequestQueue {
  throttledUntil: number;
  pending: unknown[];
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  checkPendingRequests(): void;
}

/**
 * kafkajs 2.2.4 schedules the next check of a connection's queue at `throttledUntil - now`, which is negative for a
 * connection that was never throttled: Node warns (TimeoutNegativeWarning) and waits a millisecond, forever, on every
 * connection. Without a pending request there is nothing to check, so none is scheduled then.
 */
const restIdleConnections = (): void => {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
    prototype: RequestQueue;
  };
  prototype.scheduleCheckPendingRequests = function () {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      Math.max(this.throttledUntil - Date.now(), 10),
    );
  };
};
restIdleConnections();
