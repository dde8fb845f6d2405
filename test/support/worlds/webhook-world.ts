/** Webhooks over accounts and a feed in memory, with a clock and receivers in the test's hand. */
import { createSecretKey, randomBytes } from 'node:crypto';
import type { Delivery, FeedEntry, FeedIndex, Sent, WebhookRequest } from '../../../core/ports.ts';
import type { Principal } from '../../../core/use-cases.ts';
import { accountEvent } from '../../../services/use-cases/accounts/account-events.ts';
import { makeFeed } from '../../../services/use-cases/feed/feed.ts';
import { deliverRound, type Outcome, type RoundPorts } from '../../../services/use-cases/webhooks/round.ts';
import { beginRun, type Run } from '../../../services/use-cases/webhooks/run.ts';
import { makeWebhooks } from '../../../services/use-cases/webhooks/webhooks.ts';
import { memoryAccountStore } from '../engines/memory-account-store.ts';

export const CONTEXT = { correlationId: '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11' };
const START = Date.parse('2026-03-10T08:00:00.000Z');

interface Written {
  org: string;
  entry: FeedEntry;
}

/** A log of one partition a topic, each of whose records is one entry. */
const memoryFeed = () => {
  const written: Written[] = [];
  const ends = { 'turns/0': 0, 'observations/0': 0 };
  const index: FeedIndex = {
    settled: async () => ({ ...ends }),
    wrote: async organizations => new Set(organizations),
    partitionsOf: async () => new Set(Object.keys(ends)),
    read: async ({ org, user }, ranges, limit) => ({
      entries: ranges
        .flatMap(({ topic, from, to, after }) =>
          written.filter(
            ({ org: owner, entry }) =>
              owner === org &&
              (user ?? entry.fragment.user) === entry.fragment.user &&
              entry.topic === topic &&
              (after === undefined ? entry.offset >= from : entry.offset > from) &&
              entry.offset < to,
          ),
        )
        .map(({ entry }) => entry)
        .slice(0, limit),
      settled: { ...ends },
    }),
  };
  return { written, ends, index };
};

export const makeWebhookWorld = () => {
  const store = memoryAccountStore();
  const memory = memoryFeed();
  const feed = makeFeed({ index: memory.index, log: { ends: async () => ({ ...memory.ends }) }, everyMs: 1 });
  const sealing = createSecretKey(randomBytes(32));
  const keys = {
    forSession: async () => ({ keyId: 'k1', sealing, identity: sealing }),
    byId: async () => sealing,
  };
  let now = START;
  const clock = () => now;
  const sent: WebhookRequest[] = [];
  const deliveries: Delivery[] = [];
  const paused: string[] = [];
  const world = {
    store,
    feed,
    keys,
    clock,
    sent,
    deliveries,
    paused,
    /** Answers of the receivers. */
    answer: async (_request: WebhookRequest, _signal: AbortSignal): Promise<Sent> => ({
      kind: 'answered',
      status: 200,
    }),
    usage: { tokensIn: 0, tokensOut: 0 },
    caps: { tokensIn: 0, tokensOut: 0 },
    pass: (ms: number): void => {
      now += ms;
    },
    /** A key of the organization, and its caller. */
    key: async (org: string, more: Partial<Principal> = {}): Promise<Principal> => {
      const caller = {
        orgId: org,
        userId: 'owner',
        roles: ['*'],
        keyId: randomBytes(8).toString('hex'),
        ...more,
      };
      const about = { org, now, context: CONTEXT };
      await store.record(
        accountEvent('api_key.created', caller.keyId, about, {
          ...{ key_id: caller.keyId, name: 'n', prefix: 'ts_', secret_hash: 'ab'.repeat(32) },
          ...{ roles: caller.roles, user_id: caller.userId, session_id: caller.sessionId ?? null },
          ...{ strict: caller.strict ?? false, expires_at: null, addresses: null },
        }),
      );
      return caller;
    },
    revoke: ({ orgId: org, keyId }: Principal) =>
      store.record(accountEvent('api_key.revoked', keyId, { org, now, context: CONTEXT }, { key_id: keyId })),
    /** Writes a turn, or an observation, which says an attribute with `attribute`. */
    write: (
      org: string,
      {
        user = 'ada',
        session = 's',
        text,
        kind = 'turn',
        attribute,
      }: {
        user?: string;
        session?: string;
        text: string;
        kind?: 'turn' | 'observation';
        attribute?: string;
      },
    ): string => {
      const topic = kind === 'turn' ? ('turns' as const) : ('observations' as const);
      const id = `${kind === 'turn' ? 'trn' : 'obs'}_${randomBytes(16).toString('hex')}`;
      const fact = attribute !== undefined && {
        fact: {
          ...{ subjectId: 'ent_1', subject: 'Ada', attribute, value: text },
          ...{ ended: false, stance: 'holds' },
        },
      };
      const fragment = {
        ...{ id, kind, user, session, role: 'user', text, timestamp: now },
        ...(kind === 'observation' && { sourceTurnId: 'trn_1', source: 'client' }),
        ...fact,
      } as unknown as FeedEntry['fragment'];
      const offset = memory.ends[`${topic}/0`]++;
      const at = { topic, partition: 0, offset, recordedAt: now, metadata: [], superseded: false };
      memory.written.push({ org, entry: { fragment, ...at } });
      return id;
    },
    /** Erased, hidden or expired: the index has it no more. */
    remove: (id: string): void => {
      memory.written.splice(
        memory.written.findIndex(({ entry }) => entry.fragment.id === id),
        1,
      );
    },
    texts: (): string[] => sent.map(({ body }) => JSON.parse(body).data.text),
    ports: (): RoundPorts => ({
      store,
      keys,
      feed,
      clock,
      send: async (request, signal) => {
        sent.push(request);
        return world.answer(request, signal);
      },
      deliveries: {
        note: async (_org, those) => {
          deliveries.push(...those);
        },
      },
      usage: { billed: async () => world.usage },
      capsOf: async () => world.caps,
      random: () => 0.5,
      onAttempts: () => {},
      onPaused: (_, reason) => {
        paused.push(reason);
      },
    }),
    /** A process that takes the webhook over, from what is recorded of it. */
    begin: async (id: string): Promise<Run> => beginRun((await store.get('webhook', id))!, now),
    /** Rounds until there is nothing to send now. */
    deliver: async (run: Run): Promise<Outcome> => {
      for (;;) {
        const outcome = await deliverRound(world.ports(), run, new AbortController().signal);
        if (outcome.kind === 'idle') outcome.stream.close();
        if (outcome.kind !== 'more') return outcome;
      }
    },
  };
  const webhooks = makeWebhooks({
    store,
    keys,
    feed,
    deliveries: { last: async () => [] },
    clock,
    random: randomBytes,
    isPrivateAllowed: false,
  });
  return { ...world, world, webhooks };
};
