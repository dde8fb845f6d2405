import { createRequire } from 'node:module';
import { type ICustomPartitioner, Kafka, type KafkaConfig, type SASLOptions } from 'kafkajs';
import { ServiceError, unavailable } from '../../../../core/errors.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { tlsOptions, withTlsFault } from '../../tls.ts';
import type { PartitionResponse, TopicMessages } from '../next-send.ts';
import type { Outgoing } from '../records.ts';
import { makeTokenProvider } from './oauth.ts';

type KafkaSecurity = ClusterConfig['kafka'];

/** The connection settings; without `kafka`, plain text without credentials. */
export type KafkaConnection = Pick<ClusterConfig, 'kafkaBrokers'> & Partial<Pick<ClusterConfig, 'kafka'>>;

type TokenProvider = ReturnType<typeof makeTokenProvider>;

/** By connection, so that all clients of a process share its token. */
const tokenProviders = new WeakMap<KafkaSecurity, TokenProvider>();

const tokensOf = (security: KafkaSecurity): TokenProvider => {
  const { tokenUrl, user, password, tokenScope: scope, ca } = security;
  const known =
    tokenProviders.get(security) ??
    makeTokenProvider({ url: tokenUrl!, clientId: user!, clientSecret: password!, scope, ca });
  tokenProviders.set(security, known);
  return known;
};

/** Returns a new object at each call: the client keeps its state in it. */
const saslOf = (security: KafkaSecurity): SASLOptions | undefined => {
  const { sasl: mechanism, user = '', password = '' } = security;
  if (mechanism === 'none') return undefined;
  if (mechanism === 'oauthbearer') return { mechanism, oauthBearerProvider: tokensOf(security) };
  return { mechanism, username: user, password };
};

const securityOf = (security: KafkaSecurity | undefined): Pick<KafkaConfig, 'ssl' | 'sasl'> => {
  if (!security) return {};
  const sasl = saslOf(security);
  return { ...(security.tls && { ssl: tlsOptions(security) }), ...(sasl && { sasl }) };
};

/**
 * Creates a client for a single consumer or other user, since consumers of one kafkajs instance share their
 * committed offsets. It retries for two to three seconds; the caller decides about further attempts. It logs
 * nothing: errors are also thrown, and some contain sent data.
 */
export const connectKafka = ({ kafkaBrokers, kafka }: KafkaConnection, clientId = 'turnstone'): Kafka =>
  new Kafka({
    brokers: kafkaBrokers,
    ...securityOf(kafka),
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 100, maxRetryTime: 800, factor: 0.2, multiplier: 2, retries: 5 },
    logCreator: () => () => {},
  });

/** Chooses a message's partition; called again at each attempt. */
export type CreatePartitioner = () => (of: { message: Outgoing['message'] }) => number;

/** Creates a client's producer: idempotent, with one request in flight. */
export type NewProducer = (createPartitioner: CreatePartitioner) => {
  connect(): Promise<void>;
  sendBatch(batch: {
    acks: number;
    timeout: number;
    topicMessages: TopicMessages[];
  }): Promise<PartitionResponse[]>;
  disconnect(): Promise<void>;
};

/** Creates a producer that retries for two to three seconds by itself; after that it is replaced. */
export const newProducer =
  (connection: KafkaConnection, clientId: string): NewProducer =>
  createPartitioner =>
    connectKafka(connection, clientId).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: createPartitioner as ICustomPartitioner,
    });

/**
 * Records below the beginning of their partition: they were deleted, and retrying doesn't bring them back.
 */
export class LostRecords extends ServiceError {
  constructor(partition: string, offset: number, begins: number) {
    super(
      'unavailable',
      `The log lost records: ${partition} begins at ${begins}, and ${offset} was asked for.`,
      {
        retryAfter: 30,
      },
    );
  }
}

/** Configuration errors, which retrying doesn't fix. */
const PERMANENT =
  /_AUTHORIZATION_FAILED$|^SASL_AUTHENTICATION_FAILED$|^UNSUPPORTED_|^INVALID_|^MESSAGE_TOO_LARGE$|^RECORD_LIST_TOO_LARGE$/;

/**
 * Returns `unavailable`, or a plain error if retrying doesn't help. The error contains only Kafka's error
 * name: messages may contain sent data.
 */
export const asOutage = (error: unknown): Error => {
  if (error instanceof ServiceError) return error;
  let cause = error as { type?: string; name?: string; cause?: unknown };
  while (cause?.cause instanceof Error) cause = cause.cause;
  if (cause instanceof ServiceError) return cause;
  if (cause?.type && PERMANENT.test(cause.type)) return new Error(`Kafka refuses: ${cause.type}`);
  if (cause?.name === 'KafkaJSSASLAuthenticationError')
    return new Error('Kafka refuses: TURNSTONE_KAFKA_SASL or its credentials are not accepted');
  return unavailable(withTlsFault('the log is unreachable', error), error);
};

/** Returns whether retrying may help. */
export const isOutage = (error: unknown): boolean => {
  const fault = asOutage(error);
  return fault instanceof ServiceError && !(fault instanceof LostRecords);
};

interface RequestQueue {
  throttledUntil: number;
  pending: unknown[];
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  checkPendingRequests(): void;
}

/**
 * Patches kafkajs 2.2.4, which schedules the next check of a security's queue at `throttledUntil - now`.
 * The delay is negative for a security that was never throttled: Node warns (TimeoutNegativeWarning) and
 * waits a millisecond, forever, on every security. Without a pending request there is nothing to check, so
 * the patch schedules no check.
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
