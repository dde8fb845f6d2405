import type { NewEvent } from '../../../core/log/encode.ts';
import { type Event, makeDecode } from '../../../core/log/events.ts';
import { loggedOf } from '../../../core/log/logged.ts';
import type { ProjectionStore, VerifiableRows } from '../../../core/ports.ts';
import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';
import { makeProjections } from '../../../projections/all.ts';
import { makeVerify } from '../../../services/operations/verify/verify.ts';
import { accountEvent } from '../../../services/use-cases/accounts/account-events.ts';
import { type MemoryLog, memoryLog } from '../../support/engines/memory-log.ts';
import {
  auditNoted,
  embedded,
  extracted,
  recallMetered,
  sessionKey,
  turnRecorded,
} from '../../support/worlds/builders.ts';
import { recordWith } from '../../support/worlds/frames.ts';
import { language } from './embedded.ts';

/** A projection store with the rows that it gives back, and what an accident could do to one of them. */
export interface VerifyBench {
  store: Pick<ProjectionStore, 'apply'>;
  rows: VerifiableRows;
  /** Removes what had expired at this instant. */
  sweep(now: number): Promise<void>;
  damage: {
    /** Another text of a turn. */
    change(turnId: string): Promise<void>;
    remove(turnId: string): Promise<void>;
    /** A copy of a turn under another id. */
    copy(turnId: string, as: string): Promise<void>;
    /** An event's billed tokens, and those of its day, become one more. */
    bill(org: string, day: string): Promise<void>;
    /** A recall is counted twice, in its row and in its organization's day. */
    count(recall: string): Promise<void>;
    /** The action of an entry of the audit log becomes another. */
    note(id: string): Promise<void>;
    /** An organization's name becomes another. */
    rename(org: string): Promise<void>;
    /** A turn with metadata gets other terms. */
    refile(turnId: string): Promise<void>;
    /** A term no longer finds it, where that is stored beside its terms. */
    lose?(turnId: string): Promise<void>;
    /** The length that the store makes of a turn's document, beside it, becomes another. */
    derive(turnId: string): Promise<void>;
    /** A correction is found no more by what it follows. */
    unfollow(observationId: string): Promise<void>;
  };
  close(): Promise<void>;
}

const decode = makeDecode({ byId: async () => sessionKey().sealing, destroyKeys: async () => {} });

/** Returns what admission learns of an event. */
const logged = (event: Event) =>
  event.topic === 'turns' || event.topic === 'usage' ? [loggedOf(event)] : [];

/** A log with events of every kind, and a projector that a test runs when it wants. */
export const verifyWorld = (log: MemoryLog = memoryLog()) => {
  const projected: Record<string, number> = {};
  const projections = makeProjections(language());
  return {
    log,
    verify: makeVerify({ log, decode, projections, clock: () => Date.parse('2026-03-10T12:00:00Z') }),
    append: async (events: readonly (Event | (NewEvent & { topic: Event['topic'] }))[]): Promise<void> => {
      await log.append(
        events.map(event => ({
          topic: event.topic,
          key: event.org_id,
          value: recordWith(event),
        })),
      );
    },
    /** Everything that is in the log, or of it what recall shows alone; resolves with the positions. */
    project: async (
      store: VerifyBench['store'],
      what: 'all' | 'recall' = 'all',
    ): Promise<Record<string, number>> => {
      const { recall, usage, accounts, audit, activity } = projections;
      for (const [topicPartition, end] of Object.entries(await log.ends())) {
        const [topic, partition] = topicPartition.split('/') as [Event['topic'], string];
        if (topic === 'dead-letters' || topic === 'keys') continue;
        while ((projected[topicPartition] ?? 0) < end) {
          const records = await log.read(topic, Number(partition), projected[topicPartition] ?? 0, 5_000);
          const events: Event[] = [];
          for (const record of records) {
            const decoded = await decode(record);
            if (decoded.kind === 'events') events.push(...decoded.events);
          }
          const next = records.at(-1)!.offset + 1;
          await store.apply({
            recall: events.flatMap(recall.fold),
            usage: what === 'all' ? events.flatMap(usage.fold) : [],
            accounts: events.flatMap(accounts.fold),
            audit: events.flatMap(audit.fold),
            activity: what === 'all' ? events.flatMap(activity.fold) : [],
            logged: events.flatMap(logged),
            positions: { [topicPartition]: next },
          });
          projected[topicPartition] = next;
        }
      }
      return projected;
    },
    positions: () => ({ ...projected }),
  };
};

const about = (org: string) => ({
  org,
  now: Date.parse('2026-03-01T08:00:00Z'),
  context: { correlationId: '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11' },
});

const keyOf = (org: string) => ({
  key_id: `key_${org}`,
  name: 'first',
  prefix: 'tsk_abc',
  secret_hash: 'a'.repeat(64),
  roles: ['*'],
  user_id: 'ada',
  session_id: null,
});

/**
 * Some of every kind, of two organizations: what clients observed, what extractors found too, doubles,
 * identities.
 */
export const someEvents = (): (Event | (AccountEvent & { topic: 'accounts' }))[] => {
  const turns = Array.from({ length: 90 }, (_, n) =>
    turnRecorded(n, {
      org: n % 3 === 2 ? 'globex' : 'acme',
      user: n % 2 ? 'ada' : 'grace',
      session: `s${n % 4}`,
      active: n % 10 !== 9,
      observations: n % 10 !== 9 && n % 5 === 0 ? [`ref${n} was seen`] : [],
      ...(n % 4 === 1 && { metadata: { channel: n % 8 === 1 ? 'chat' : 'phone', n } }),
    }),
  );
  const found = turns.map((turn, n) =>
    extracted(n, turn, {
      observations: [{ text: `fact ${n}` }, { text: `ref${n} was seen` }],
      entities: [
        { label: n % 2 ? `Town ${n % 7}` : `town ${n % 7}`, kind: 'place' },
        { label: `town ${n % 7}`, kind: 'thing' },
      ],
    }),
  );
  const vectors = turns
    .filter(({ data }) => data.active)
    .flatMap((turn, n) => [
      embedded(100 + n, turn),
      ...(n % 2
        ? [
            embedded(200 + n, turn, {
              model: 'e6',
              vectors: [
                [n, 1],
                [2, n],
              ],
            }),
          ]
        : []),
    ]);
  const again = turns.slice(0, 5).map(turn => ({ ...turn, recorded_at: '2026-03-11T00:00:01.000Z' }));
  const recalls = Array.from({ length: 12 }, (_, n) => recallMetered(n));
  const entries = Array.from({ length: 12 }, (_, n) => auditNoted(n));
  // The entry of the same hour by another process.
  const entriesAgain = entries.slice(0, 3).map(entry => ({ ...entry, correlation_id: 'another' }));
  const accounts = ['acme', 'globex'].flatMap(org => [
    accountEvent('org.signed_up', org, about(org), {
      name: org,
      email: null,
      key: keyOf(org),
      began: { turns: [], observations: [], usage: [] },
    }),
    accountEvent('api_key.used', `key_${org}:1`, about(org), { key_id: `key_${org}` }),
  ]);
  return [
    ...accounts.map(event => ({ ...event, topic: 'accounts' as const })),
    ...turns,
    ...again,
    ...found,
    ...found.slice(0, 3),
    ...vectors,
    ...vectors.slice(0, 3),
    ...recalls,
    ...recalls.slice(0, 2),
    ...entries,
    ...entriesAgain,
  ];
};
