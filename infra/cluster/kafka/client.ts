import { createRequire } from 'node:module';
import { Kafka, type KafkaConfig } from 'kafkajs';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { ServiceError, unavailable } from '../../../services/core/errors.ts';

/** What the client is told of the cluster; credentials and TLS where it asks for them, otherwise plain text. */
export type KafkaPlace = Pick<ClusterConfig, 'kafkaBrokers'> & Pick<KafkaConfig, 'ssl' | 'sasl'>;

/**
 * A client of its own for everyone who needs one: consumers of one kafkajs instance share their committed offsets.
 * It tries for two to three seconds; whoever uses it decides how often to begin again. It logs nothing: its errors
 * are thrown too, and some hold what was sent.
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

/** What waiting does not mend: the set-up is wrong. */
const PERMANENT =
  /_AUTHORIZATION_FAILED$|^SASL_AUTHENTICATION_FAILED$|^UNSUPPORTED_|^INVALID_|^MESSAGE_TOO_LARGE$|^RECORD_LIST_TOO_LARGE$/;

/** An outage, or an error that waiting does not mend. Kafka's error names say enough; its messages may say too much. */
export const asOutage = (error: unknown): Error => {
  if (error instanceof ServiceError) return error;
  let cause = error as { type?: string; name?: string; cause?: unknown };
  while (cause?.cause instanceof Error) cause = cause.cause;
  if (cause?.type && PERMANENT.test(cause.type)) return new Error(`Kafka refuses: ${cause.type}`);
  return unavailable('the log is out of reach', error);
};

/** Whether it is worth beginning again. */
export const isOutage = (error: unknown): boolean => asOutage(error) instanceof ServiceError;

interface RequestQueue {
  throttledUntil: number;
  pending: unknown[];
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  checkPendingRequests(): void;
}

/**
 * kafkajs 2.2.4 plans its next look at the queue of a connection at `throttledUntil - now`, which is negative for
 * whoever was never throttled: Node warns (TimeoutNegativeWarning), waits a millisecond, and so on for ever, on every
 * connection. There is nothing to look at without a request that waits, so none is planned then.
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
