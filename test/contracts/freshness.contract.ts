import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { Admission, Scope, TailTurn } from '../../core/ports.ts';
import { countTokens } from '../../core/tokens/count.ts';
import { matchesScope } from '../../projections/recall/tail/matches-scope.ts';
import type { RecallBody } from '../../schemas/http/recall.ts';
import { makeRecall } from '../../services/use-cases/recall/recall.ts';
import { makeSearch } from '../../services/use-cases/recall/search.ts';
import { minute, sessionKey, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import { fold, language } from './openers/embedded.ts';
import { principal } from './openers/listing.ts';
import type { OpenProjections } from './openers/projections.ts';

/** Tests what a recall says of how far the index is, over every recall index. */
export const describeFreshness = (name: string, open: () => Promise<OpenProjections>): void => {
  describe(`freshness of a recall: ${name}`, () => {
    const NOW = Date.parse('2026-03-12T08:00:00.000Z');
    const at = (day: number): string => new Date(Date.UTC(2026, 2, day, 8)).toISOString();
    const recorded = <E extends Event>(event: E, day: number): E => ({ ...event, recorded_at: at(day) });
    let opened: OpenProjections;
    let tail: TailTurn[];
    beforeEach(async () => {
      opened = await open();
      tail = [];
    });
    afterEach(() => opened.close());

    const admission: Pick<Admission, 'admit' | 'remember' | 'release' | 'leave'> = {
      admit: async ({ recall }) => ({
        kind: 'admitted',
        attempt: 'a',
        fresh: new Map(),
        inactive: new Set(),
        tail: recall?.asOf === undefined ? tail.filter(turn => matchesScope(recall as Scope, turn)) : [],
      }),
      remember: async () => new Map(),
      release: async () => {},
      leave: async () => {},
    };
    const recall = (body: Partial<RecallBody> = {}) =>
      makeRecall({
        log: { append: async records => records.map(() => ({ topic: 'usage', partition: 0, offset: 0 })) },
        keys: { forSession: async () => sessionKey() },
        admission: admission as Admission,
        search: makeSearch({
          retrieval: opened.index,
          details: opened.index,
          listing: opened.listing,
          language: language(),
        }),
        settledUntil: async () => NOW,
        countTokens: async (_org, texts) => texts.map(countTokens),
        clock: () => NOW,
      })(
        principal(),
        { scope: { org_id: 'acme', ...body.scope }, q: 'Who feeds the heron?', ...body } as RecallBody,
        { correlationId: 'c', caps: { tokensIn: 0, tokensOut: 0 } },
      );
    const freshness = async (body: Partial<RecallBody> = {}) => (await recall(body)).freshness;

    const first = recorded(turnRecorded(1, { text: 'Marta feeds the heron.' }), 8);
    const second = recorded(
      turnRecorded(2, { text: 'Igor feeds the heron too.', observations: ['Herons like fish.'] }),
      9,
    );
    const bens = recorded(turnRecorded(3, { user: 'ben', text: 'My heron left.', active: false }), 10);

    it('is of now when nothing waits', async () => {
      expect(await freshness()).toEqual({ indexed_until: at(12), from_tail: 0 });
      await opened.store.apply({ ...fold([first]), positions: {} });
      expect(await freshness()).toEqual({ indexed_until: at(12), from_tail: 0 });
    });

    it('counts the hits of the tail until the index shows them', async () => {
      await opened.store.apply({ ...fold([first]), positions: { 'turns/0': 2 } });
      tail = [first, second, bens].map(tailTurn);
      // For a moment the first is in both: it bounds what is promised, and is a hit of the index.
      const answer = await recall();
      expect(answer.hits.turns.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
      expect(answer.hits.observations).toHaveLength(1);
      expect(answer.freshness).toEqual({ indexed_until: at(8), from_tail: 2 });
      tail = [second, bens].map(tailTurn);
      expect(await freshness()).toEqual({ indexed_until: at(9), from_tail: 2 });
      expect(await freshness({ kinds: ['turn'] })).toEqual({ indexed_until: at(9), from_tail: 1 });
      expect(await freshness({ include_hits: false })).toEqual({ indexed_until: at(9), from_tail: 2 });
      expect(await freshness({ mode: 'deep' })).toEqual({ indexed_until: at(9), from_tail: 2 });
      // Freshness is of the searched scope alone. What is stored without a fragment waits too.
      const ofBen = { org_id: 'acme', user_id: 'ben' };
      expect(await freshness({ scope: ofBen })).toEqual({ indexed_until: at(10), from_tail: 0 });
      expect(await freshness({ until: new Date(minute(1)).toISOString() })).toEqual({
        indexed_until: at(12),
        from_tail: 0,
      });
      await opened.store.apply({ ...fold([second, bens]), positions: { 'turns/0': 4 } });
      tail = [];
      expect(await freshness()).toEqual({ indexed_until: at(12), from_tail: 0 });
    });

    it('is of the moment that was asked about', async () => {
      tail = [tailTurn(first)];
      expect(await freshness({ as_of: at(7) })).toEqual({ indexed_until: at(7), from_tail: 0 });
    });
  });
};
