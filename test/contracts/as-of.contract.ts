import { afterEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { Scope, SearchRequest } from '../../core/ports.ts';
import { countTokens } from '../../core/tokens/count.ts';
import { makeRender } from '../../services/use-cases/recall/receipt/render.ts';
import { makeSearch } from '../../services/use-cases/recall/search.ts';
import { minute } from '../support/worlds/builders.ts';
import { type Draw, drawing, history, interleaved } from '../support/worlds/history.ts';
import { answersOf } from './openers/answers.ts';
import { fold, language } from './openers/embedded.ts';
import type { OpenProjections } from './openers/projections.ts';

const count = async (texts: readonly string[]) => texts.map(countTokens);

/** All of an answer, of every kind of text. */
const EVERYTHING = {
  minScore: 0,
  maxTokens: Number.POSITIVE_INFINITY,
  passages: false,
  includeHits: true,
  includeTimeline: true,
  contextTokens: 800,
};

type Question = Pick<SearchRequest, 'q' | 'mode' | 'kinds'>;

const ALL = ['turn', 'observation', 'entity'] as const;
const QUESTIONS: Question[] = [
  { q: 'Where did Marta repair the violin?', mode: 'active', kinds: ALL },
  { q: 'What did Igor sell in Oslo?', mode: 'deep', kinds: ALL },
  { q: 'the violin in Lisbon', mode: 'active', kinds: ['observation', 'entity'] },
  { q: 'ref7 on 2 March', mode: 'active', kinds: ['entity'] },
];

const scopesOf = (total: number): Scope[] => [
  { org: 'acme' },
  { org: 'acme', user: 'ada' },
  { org: 'acme', user: 'ada', session: 's2' },
  { org: 'acme', since: minute(total / 2), until: minute(2 * total) },
];

/** The contract of every recall index as of an instant: it answers what it answered then. */
export const describeAsOf = (
  name: string,
  open: () => Promise<OpenProjections>,
  seeds: readonly number[],
): void => {
  describe(`recall as of an instant: ${name}`, () => {
    const opened: OpenProjections[] = [];
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });
    const another = async (): Promise<OpenProjections> => {
      const one = await open();
      opened.push(one);
      return one;
    };

    const write = async ({ store }: OpenProjections, events: readonly Event[], draw: Draw): Promise<void> => {
      for (let at = 0; at < events.length; ) {
        const size = 1 + draw(400);
        await store.apply({ ...fold(events.slice(at, at + size)), positions: {} });
        at += size;
      }
    };

    /** All that a caller sees, and all that ranking was told. */
    const answers = async (
      { index, listing }: OpenProjections,
      total: number,
      ids: string[],
      asOf?: number,
    ) => {
      const search = makeSearch({ retrieval: index, details: index, listing, language: language() });
      const render = makeRender();
      const found: Record<string, unknown> = {};
      for (const plain of scopesOf(total)) {
        const scope = { ...plain, asOf };
        const moment = asOf ?? minute(total);
        for (const question of QUESTIONS) {
          const result = await search({ ...question, scope, tail: [], topK: 30, moment });
          // The answer's `used` has numbers of its own index.
          const { used: _, ...answer } = await render({ ...result, holds: [] }, EVERYTHING, count);
          found[JSON.stringify([question, plain])] = answer;
        }
        // The jobs' state has no past.
        const { enrichment: _, ...told } = await answersOf(index, scope, 'Marta sold a violin', ids);
        found[JSON.stringify(plain)] = told;
      }
      return found;
    };

    const remembersAllOf = async (sizes: readonly number[], seed: number): Promise<void> => {
      const draw = drawing(seed);
      const { steps, ends } = history(sizes, draw);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const ids = steps.flat().flatMap(({ id }) => (id.startsWith('trn_') ? [id] : []));
      const some = ids.filter((_, i) => i % Math.ceil(ids.length / 200) === 0);
      const told: Awaited<ReturnType<typeof answers>>[] = [];
      const grown = await another();
      for (const events of steps) {
        await write(grown, events, draw);
        told.push(await answers(grown, total, some));
      }
      for (const [i, end] of ends.entries()) expect(await answers(grown, total, some, end)).toEqual(told[i]);

      const rebuilt = await another();
      await write(rebuilt, interleaved(steps.flat(), draw), draw);
      for (const [i, end] of ends.entries()) {
        expect(await answers(rebuilt, total, some, end)).toEqual(told[i]);
      }
    };

    it.each(seeds)('says what it said, also when built again: seed %i', async seed => {
      await remembersAllOf([25, 40, 1, 60, 80], seed);
    });

    it('says it in a scope of which it chooses candidates', async () => {
      await remembersAllOf([1_500, 300, 500], 11);
    });

    it('says nothing of before everything, without any confidence', async () => {
      const one = await another();
      const { steps } = history([80], drawing(3));
      await write(one, steps.flat(), drawing(4));
      const search = makeSearch({
        retrieval: one.index,
        details: one.index,
        listing: one.listing,
        language: language(),
      });
      const scope = { org: 'acme', asOf: minute(0) };
      const result = await search({ ...QUESTIONS[0]!, scope, tail: [], topK: 30, moment: 0 });
      expect(await makeRender()({ ...result, holds: [] }, EVERYTHING, count)).toEqual({
        hits: { turns: [], observations: [], entities: [] },
        confidence: 0,
        timeline: null,
        context: null,
        tokensOut: 0,
        fromTail: 0,
        used: expect.any(Function),
        stated: [],
      });
    });
  });
};
