/** Faults of every invariant, as products have had them; each is planted into one port. */
import type { Engines } from '../../../core/ports/engines.ts';
import { isErase, isRetract } from '../../../projections/recall/recall-writes.ts';
import { isUsageRow } from '../../../projections/usage/usage-projection.ts';
import type { Invariant } from '../history/violation.ts';
import { NOTHING_PLANTED, type Plant } from '../world/plant.ts';
import {
  inAdmission,
  inBatches,
  inDetails,
  inEngines,
  inEvents,
  inListing,
  inRecall,
  seventh,
} from './into.ts';

export interface Planted {
  what: string;
  /** The invariants that it may break: the same fault shows itself in several ways. */
  found: readonly Invariant[];
  plant(): Plant;
}

const DAY_MS = 86_400_000;

export const PLANTED: Record<Exclude<Invariant, 'errors are expected ones'>, readonly Planted[]> = {
  'read your writes': [
    {
      what: 'the tail forgets what was acknowledged',
      found: ['read your writes', 'acknowledged is kept'],
      plant: inAdmission(({ remember, drop }) => ({
        remember: async (attempt, remembered) => {
          const billed = await remember(attempt, remembered);
          for (const { org, user, id } of remembered.turns) await drop(org, user, id);
          return billed;
        },
      })),
    },
    {
      what: 'lists lack the last turn of the tail',
      found: ['read your writes', 'acknowledged is kept'],
      plant: inAdmission(({ tail }) => ({ tail: async scope => (await tail(scope)).slice(0, -1) })),
    },
    {
      what: 'recalls do without the tail',
      found: ['read your writes'],
      plant: inAdmission(({ admit }) => ({
        admit: async request => {
          const admitted = await admit(request);
          return admitted.kind === 'refused' ? admitted : { ...admitted, tail: [] };
        },
      })),
    },
  ],
  'stored once': [
    {
      what: 'ids do not follow from the content alone',
      found: ['stored once'],
      plant: inEngines(engines => {
        let count = 0;
        return {
          ...engines,
          keys: {
            ...engines.keys,
            forSession: async (org, user, session) => {
              const key = await engines.keys.forSession(org, user, session);
              return ++count % 5 === 0 ? { ...key, identity: key.sealing } : key;
            },
          },
        };
      }),
    },
    {
      what: 'an answer reports a turn twice',
      found: ['stored once'],
      plant: inAdmission(({ remember }) => ({
        remember: async (...args) =>
          new Map([...(await remember(...args))].map(([id, tokens]) => [id, 2 * tokens])),
      })),
    },
    {
      what: 'a list has the turns of the tail and of the index',
      found: ['stored once'],
      plant: inEngines(engines => {
        const { listing } = engines.memory;
        const fragments: typeof listing.fragments = async (...args) => {
          const found = await listing.fragments(...args);
          return [...found.slice(0, 1), ...found];
        };
        return { ...engines, memory: { ...engines.memory, listing: { ...listing, fragments } } };
      }),
    },
  ],
  'erased stays erased': [
    {
      what: 'an erasure skips the index',
      found: ['erased stays erased', 'verify finds nothing'],
      plant: inRecall(write => (isErase(write) ? [] : [write])),
    },
    {
      what: 'an erasure forgets what extractors have found',
      found: ['erased stays erased', 'verify finds nothing', 'what holds is the fold'],
      plant: inRecall(write => (isErase(write) && write.origin.topic === 'observations' ? [] : [write])),
    },
    {
      what: 'the keys that exports read with are kept in a cache for ever',
      found: ['erased stays erased'],
      plant: () => {
        const known = new Map<string, Awaited<ReturnType<Engines['keys']['byId']>>>();
        return {
          ...NOTHING_PLANTED,
          keys: keys => ({
            ...keys,
            byId: async id => {
              const key = (await keys.byId(id)) ?? known.get(id);
              known.set(id, key);
              return key;
            },
          }),
        };
      },
    },
    {
      what: 'the question of a receipt outlives its user',
      found: ['erased stays erased'],
      plant: () => {
        const known = new Map<string, Awaited<ReturnType<Engines['keys']['byId']>>>();
        return inEngines(engines => ({
          ...engines,
          keys: {
            ...engines.keys,
            byId: async id => {
              const key = (await engines.keys.byId(id)) ?? known.get(id);
              known.set(id, key);
              return key;
            },
          },
        }))();
      },
    },
    {
      what: 'the names of a user are kept in a cache for ever',
      found: ['erased stays erased'],
      plant: () => {
        type Names = Awaited<ReturnType<Engines['memory']['details']['nameCorrections']>>;
        const known = new Map<string, Names>();
        return inDetails(({ nameCorrections }) => ({
          nameCorrections: async (scope, signal) => {
            const found = await nameCorrections(scope, signal);
            const name = `${scope.org} ${scope.user}`;
            if (found.length > 0) known.set(name, found);
            return known.get(name) ?? [];
          },
        }))();
      },
    },
  ],
  'hidden stays hidden': [
    {
      what: 'a retraction skips the index',
      found: ['hidden stays hidden', 'verify finds nothing'],
      plant: inRecall(write => (isRetract(write) ? [] : [write])),
    },
    {
      what: 'retractions are lost when the projections are built anew',
      found: ['hidden stays hidden', 'verify finds nothing'],
      plant: inRecall((write, process) => (process > 1 && isRetract(write) ? [] : [write])),
    },
    {
      what: 'a retraction of a statement hides nothing',
      found: ['hidden stays hidden', 'verify finds nothing', 'what holds is the fold'],
      plant: inRecall(write => (isRetract(write) && write.observationId !== undefined ? [] : [write])),
    },
    {
      what: 'what is hidden leaves its corrections',
      found: ['hidden stays hidden', 'what holds is the fold', 'verify finds nothing'],
      plant: inRecall(write =>
        write.op === 'observation' && write.corrects
          ? [{ ...write, corrects: { ...write.corrects, follows: [] } }]
          : [write],
      ),
    },
    {
      what: 'what is hidden leaves the title of its session',
      found: ['hidden stays hidden'],
      plant: inListing(({ sessions }) => ({
        sessions: async (scope, after, limit) => {
          const found = await sessions(scope, after, limit);
          return scope.session === undefined ? found : found.map(one => ({ ...one, said: {} }));
        },
      })),
    },
    {
      what: 'a receipt shows the words that it has shown before',
      found: ['hidden stays hidden', 'erased stays erased', 'expired is hidden, and not destroyed too early'],
      plant: () => {
        const shown = new Map<string, Awaited<ReturnType<Engines['memory']['details']['turnsOf']>>[number]>();
        return inDetails(({ turnsOf }) => ({
          turnsOf: async (scope, ids, signal) => {
            for (const one of await turnsOf(scope, ids, signal)) shown.set(one.id, one);
            return ids.flatMap(id => shown.get(id) ?? []);
          },
        }))();
      },
    },
  ],
  'expired is hidden, and not destroyed too early': [
    {
      what: 'the index forgets when a turn expires',
      found: ['expired is hidden, and not destroyed too early', 'verify finds nothing'],
      plant: inRecall(write => [{ ...write, origin: { ...write.origin, expiresAt: undefined } }]),
    },
    {
      what: 'the tail forgets when a turn expires',
      found: ['expired is hidden, and not destroyed too early'],
      plant: inAdmission(({ tail }) => ({
        tail: async scope => (await tail(scope)).map(turn => ({ ...turn, expiresAt: undefined })),
      })),
    },
    {
      what: 'a retention keeps for twice as long as it says',
      found: ['expired is hidden, and not destroyed too early'],
      plant: inEvents(event => {
        const data = event.data as { days?: number | null };
        if (event.type !== 'org.retention_changed' || data.days == null) return [event];
        return [{ ...event, data: { ...data, days: 2 * data.days } }];
      }),
    },
    {
      what: 'a retention that was undone goes on',
      found: ['acknowledged is kept', 'read your writes'],
      plant: inEvents(event => {
        const { days } = event.data as { days?: number | null };
        return event.type === 'org.retention_changed' && days === null ? [] : [event];
      }),
    },
    {
      what: 'a sweep destroys what expires within ten days',
      found: ['acknowledged is kept', 'read your writes', 'verify finds nothing', 'stored once'],
      plant: () => ({
        ...NOTHING_PLANTED,
        store: store => {
          const { sweep } = store as unknown as { sweep: (now: number) => Promise<boolean> };
          return { ...store, sweep: (now: number) => sweep(now + 10 * DAY_MS) };
        },
      }),
    },
  ],
  'sums are exact': [
    {
      what: 'a process that follows another one counts usage twice',
      found: ['sums are exact', 'verify finds nothing'],
      plant: inBatches((batch, process) => ({
        ...batch,
        usage: batch.usage.flatMap(row =>
          process > 1 && isUsageRow(row) ? [row, { ...row, eventId: `again ${row.eventId}` }] : [row],
        ),
      })),
    },
    {
      what: 'recalls are not in the usage store',
      found: ['sums are exact', 'verify finds nothing'],
      plant: inBatches(batch => ({
        ...batch,
        usage: batch.usage.filter(write => !isUsageRow(write) || write.topic !== 'usage'),
      })),
    },
    {
      what: 'the counters of the day take a recall twice',
      found: ['sums are exact'],
      plant: inAdmission(({ remember }) => ({
        remember: (attempt, { recall, ...rest }) =>
          remember(attempt, {
            ...rest,
            ...(recall && {
              recall: { ...recall, tokensOut: 2 * recall.tokensOut, tokensIn: 2 * recall.tokensIn },
            }),
          }),
      })),
    },
  ],
  'what holds is the fold': [
    {
      what: 'the latest fact of a key is not read',
      found: ['what holds is the fold'],
      plant: inEngines(engines => {
        const { details } = engines.memory;
        const facts: typeof details.facts = async (...args) => {
          const found = await details.facts(...args);
          return { ...found, facts: found.facts.slice(1) };
        };
        return { ...engines, memory: { ...engines.memory, details: { ...details, facts } } };
      }),
    },
    {
      what: 'corrections are not read',
      found: ['what holds is the fold', 'hidden stays hidden'],
      plant: inDetails(({ facts }) => ({
        facts: async (...args) => ({ ...(await facts(...args)), corrections: [] }),
      })),
    },
    {
      what: 'statements lose their time in the index',
      found: ['what holds is the fold', 'verify finds nothing'],
      plant: inRecall(write =>
        write.op === 'observation'
          ? [{ ...write, timestamp: Date.UTC(2026, 0, 1) - write.timestamp }]
          : [write],
      ),
    },
    {
      what: 'every seventh fact is not stored',
      found: ['what holds is the fold', 'verify finds nothing', 'acknowledged is kept', 'read your writes'],
      plant: () => {
        const isSeventh = seventh();
        return inRecall(write =>
          write.op === 'observation' && isSeventh() ? [{ ...write, fact: undefined }] : [write],
        )();
      },
    },
  ],
  'verify finds nothing': [
    {
      what: 'another role is stored',
      found: ['verify finds nothing'],
      plant: inRecall(write => (write.op === 'turn' ? [{ ...write, role: 'assistant' }] : [write])),
    },
    {
      what: 'entities are not stored',
      found: ['verify finds nothing'],
      plant: inRecall(write => (write.op === 'entity' ? [] : [write])),
    },
    {
      what: 'jobs are not stored',
      found: ['verify finds nothing'],
      plant: inRecall(write => (write.op === 'job' ? [] : [write])),
    },
  ],
  'acknowledged is kept': [
    {
      what: 'every seventh append is acknowledged and not written',
      found: [
        'acknowledged is kept',
        'read your writes',
        'sums are exact',
        'stored once',
        'verify finds nothing',
        'errors are expected ones',
      ],
      plant: () => {
        const isSeventh = seventh();
        return {
          ...NOTHING_PLANTED,
          connection: connection => ({
            ...connection,
            request: async call => {
              const { records = [] } = call;
              const isLost = records.some(({ topic }) => topic === 'turns') && isSeventh();
              if (!isLost) return connection.request(call);
              return records.map(({ topic }) => ({ topic, partition: 0, offset: 1_000_000 }));
            },
          }),
        };
      },
    },
    {
      what: 'the index lacks every seventh turn',
      found: [
        'acknowledged is kept',
        'read your writes',
        'verify finds nothing',
        'stored once',
        'sums are exact',
      ],
      plant: () => {
        const isSeventh = seventh();
        return inRecall(write => (write.op === 'turn' && isSeventh() ? [] : [write]))();
      },
    },
    {
      what: 'the erasure of a session takes all of its user',
      found: ['acknowledged is kept', 'verify finds nothing', 'stored once', 'read your writes'],
      plant: inRecall(write => (isErase(write) ? [{ ...write, session: null }] : [write])),
    },
  ],
};
