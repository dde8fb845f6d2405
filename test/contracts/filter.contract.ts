import { afterEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { Scope, StoredEntity } from '../../core/ports.ts';
import { conditionIn } from '../../domain/filter/condition.ts';
import type { Filter } from '../../schemas/http/queries/filter.ts';
import { makeSearch } from '../../services/use-cases/recall/search.ts';
import { extracted, minute, retracted, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import { drawing, history } from '../support/worlds/history.ts';
import {
  anyFilter,
  isTurn,
  metadataOf,
  plainCounts,
  plainlyPasses,
  withCorrections,
  withMetadata,
} from '../support/worlds/metadata.ts';
import { answersOf } from './openers/answers.ts';
import { fold, language } from './openers/embedded.ts';
import type { OpenProjections } from './openers/projections.ts';

const Q = 'Marta sold a violin in Lisbon';
/** So many fragments of a scope are all candidates. */
const ALL = 1_000;
const FEW = { all: 20, best: 12, words: 4, vectors: 4, length: 10_000 };

const SCOPES: Scope[] = [
  { org: 'acme' },
  { org: 'acme', user: 'ada' },
  { org: 'acme', user: 'ada', session: 's2' },
  { org: 'acme', since: minute(40), until: minute(400) },
  { org: 'acme', asOf: minute(100_120) },
];

/** Tests that a recall answers under a filter what an index answers that has nothing but what passes. */
export const describeFilter = (
  name: string,
  open: () => Promise<OpenProjections>,
  seeds: readonly number[],
): void => {
  describe(`filter: ${name}`, () => {
    const opened: OpenProjections[] = [];
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });
    const written = async (...steps: (readonly Event[])[]): Promise<OpenProjections> => {
      const one = await open();
      opened.push(one);
      for (const events of steps) await one.store.apply({ ...fold(events), positions: {} });
      return one;
    };

    const compare = async (
      events: readonly Event[],
      filter: Filter,
      whole: OpenProjections,
      limits?: typeof FEW,
    ): Promise<number> => {
      const passing = events.filter(event => plainlyPasses(filter, metadataOf(event)));
      const part = await written(passing);
      const [index, other] = [whole, part].map(one => (limits ? one.indexOf(limits) : one.index));
      const ids = passing.filter(isTurn).map(({ id }) => id);
      for (const scope of SCOPES) {
        const asked = { ...scope, filter: conditionIn(filter) };
        const [own, others] = [
          await answersOf(index!, asked, Q, ids),
          await answersOf(other!, scope, Q, ids),
        ];
        const counted = plainCounts(passing, scope);
        expect(own!.statistics).toMatchObject({ turns: counted.turns });
        if (!limits && counted.turns + counted.observations <= ALL)
          expect({
            filter,
            scope,
            ...Object.fromEntries(
              (['turn', 'observation'] as const).map(kind => [
                `${kind}s`,
                own!.candidates.filter(one => one.kind === kind).length,
              ]),
            ),
          }).toEqual({ filter, scope, ...counted });
        const [found, expected] = [own!, others!].map(({ entities, candidates, statistics, ...rest }) => ({
          ...rest,
          statistics: limits ? { ...statistics, bySession: undefined } : statistics,
          // One of equal scores may be left out, in another order of summands.
          candidates: limits ? [] : candidates,
          // An entity has one label, whichever of its turns are looked at.
          entities: (entities as StoredEntity[]).map(({ id, turnIds }) => ({ id, turnIds })),
        }));
        expect({ filter, scope, ...found }).toEqual({ filter, scope, ...expected });
      }
      return ids.length;
    };

    it.each(seeds)(
      'has the candidates, neighbours and statistics of what passes: seed %i',
      { timeout: 180_000 },
      async seed => {
        const draw = drawing(seed);
        const { steps } = history([60, 60, 80], draw);
        const events = withCorrections(withMetadata(steps.flat(), draw), draw);
        const whole = await written(events.slice(0, 70), events.slice(70, 190), events.slice(190));
        const filters: Filter[] = [
          { key: 'agent_id', eq: 'a' },
          { all: [{ key: 'rank', gte: 3 }, { not: { key: 'agent_id', in: ['b'] } }] },
          { not: { key: 'rank', lt: 8 } },
          {
            any: [
              { key: 'rank', eq: 2 },
              {
                all: [
                  { key: 'rank', gt: 5 },
                  { key: 'agent_id', eq: 'b' },
                ],
              },
            ],
          },
          { key: 'rank', exists: false },
          ...Array.from({ length: 3 }, () => anyFilter(draw)),
        ];
        for (const filter of filters) {
          await compare(events, filter, whole);
          await compare(events, filter, whole, FEW);
        }
      },
    );

    it('does so in a scope of which it chooses candidates', async () => {
      const draw = drawing(5);
      const events = withCorrections(withMetadata(history([1_500, 900], draw).steps.flat(), draw), draw);
      const whole = await written(events);
      for (const filter of [
        { key: 'agent_id', eq: 'a' },
        { not: { key: 'agent_id', eq: 'b' } },
        {
          all: [
            { key: 'agent_id', eq: 'b' },
            { key: 'rank', in: [1, 7] },
          ],
        },
      ] satisfies Filter[])
        expect(await compare(events, filter, whole)).toBeGreaterThan(100);
    });

    it('leaves no more than one of a thousand, with all that belongs to it', async () => {
      const events = Array.from({ length: 1_200 }, (_, n) =>
        turnRecorded(n, {
          metadata: { id: `m${n}`, channel: 'chat' },
          observations: n === 700 ? ['so it is'] : [],
        }),
      );
      const whole = await written(events);
      const only = {
        all: [
          { key: 'channel', eq: 'chat' },
          { key: 'id', eq: 'm700' },
        ],
      } satisfies Filter;
      expect(await compare(events, only, whole)).toBe(1);
    });

    it('is obeyed by the tail', async () => {
      const a = turnRecorded(0, { metadata: { agent: 'a' }, observations: ['so it was'] });
      const b = turnRecorded(1, { metadata: { agent: 'b' } });
      const none = turnRecorded(2);
      const empty = await written([]);
      const found = async (filter: Filter, index = empty.index) => {
        const tail = [a, b, none].map(tailTurn);
        const scope = { org: 'acme', user: 'ada', filter: conditionIn(filter) };
        const { candidates, statistics } = await answersOf(index, scope, Q, [], tail);
        return [
          candidates.map(({ kind, text }) => `${kind} ${text}`).sort(),
          (statistics as { turns: number }).turns,
        ];
      };
      const [ofA, ofB, ofNone] = [a, b, none].map(({ data }) => `turn ${data.text}`);
      expect(await found({ key: 'agent', eq: 'a' })).toEqual([['observation so it was', ofA], 1]);
      expect(await found({ not: { key: 'agent', eq: 'a' } })).toEqual([[ofB, ofNone].sort(), 2]);
      expect(await found({ key: 'agent', exists: true })).toEqual([
        ['observation so it was', ofA, ofB].sort(),
        2,
      ]);
    });

    it('has the metadata of the first copy, in whichever order copies arrive', async () => {
      const first = turnRecorded(3, { metadata: { agent: 'a' }, observations: ['so it was'] });
      const others = turnRecorded(3, { metadata: { agent: 'b' }, observations: ['so it was'] });
      const later = { ...others, offset: 8 };
      // A requeued dead letter takes the place of the record that it replaces.
      const requeued = { ...first, readAt: 12 };
      for (const steps of [
        [[first], [later]],
        [[later], [requeued]],
        [[later, requeued]],
        [[first, later]],
      ]) {
        const { index } = await written(...steps);
        const turnsOf = async (agent: string) => {
          const scope = { org: 'acme', filter: conditionIn({ key: 'agent', eq: agent }) };
          return (await answersOf(index, scope, Q, [first.id])).candidates.map(({ kind }) => kind).sort();
        };
        expect([await turnsOf('a'), await turnsOf('b')]).toEqual([['observation', 'turn'], []]);
      }
    });

    it('finds nothing that was retracted, and nothing by its metadata', async () => {
      const gone = turnRecorded(0, { metadata: { agent: 'a' }, observations: ['so it was'] });
      const left = turnRecorded(1, { metadata: { agent: 'a' } });
      const alone = turnRecorded(2, { metadata: { agent: 'b' } });
      const one = await written([gone, left, alone], [retracted(3, gone), retracted(4, alone)]);
      for (const filter of [
        { key: 'agent', exists: true },
        { key: 'agent', in: ['a', 'b'] },
      ] satisfies Filter[]) {
        const scope = { org: 'acme', filter: conditionIn(filter) };
        const { candidates, statistics } = await answersOf(one.index, scope, Q, [left.id]);
        expect(candidates.map(({ text }) => text)).toEqual([left.data.text]);
        expect(statistics).toMatchObject({ turns: 1, sessions: 1 });
      }
    });

    it('selects what holds after it was decided', async () => {
      const home = (value: string) => ({ subject: 'user', attribute: 'home', value });
      const said = (n: number, value: string, agent: string) => {
        const turn = turnRecorded(n, { text: `I live in ${value}.`, metadata: { agent } });
        const facts = { observations: [{ text: `The user lives in ${value}.`, fact: home(value) }] };
        return [turn, extracted(n, turn, facts)];
      };
      const events = [...said(0, 'Lyon', 'a'), ...said(1, 'Porto', 'b'), ...said(2, 'Oslo', 'c')];
      const { index, listing } = await written(events);
      const search = makeSearch({ retrieval: index, details: index, listing, language: language() });
      const asked = async (filter?: Filter) => {
        const scope: Scope = { org: 'acme', user: 'ada', filter: filter && conditionIn(filter) };
        const q = 'Where do I live?';
        const kinds = ['turn', 'observation'] as const;
        const moment = minute(10);
        const found = await search({ scope, q, mode: 'active', kinds, tail: [], topK: 10, moment });
        return {
          hits: found.chosen.flatMap(hit => (hit.kind === 'entity' ? [] : [hit.fragment.text])).sort(),
          holding: found.holding.map(({ fact }) => fact.value),
        };
      };
      expect((await asked()).holding).toEqual(['Oslo']);
      expect(await asked({ key: 'agent', in: ['a', 'b'] })).toEqual({
        // Neither holds: what does was said to another agent.
        hits: ['I live in Lyon.', 'I live in Porto.'],
        holding: [],
      });
      expect(await asked({ key: 'agent', eq: 'c' })).toMatchObject({ holding: ['Oslo'] });
    });
  });
};
