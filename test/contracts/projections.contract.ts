import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { Scope, TailTurn } from '../../core/ports.ts';
import type { Extent } from '../../domain/language/times/asked-times.ts';
import {
  extracted,
  memoryErased,
  minute,
  sentence,
  tailTurn,
  turnRecorded,
  writeAccepted,
} from '../support/worlds/builders.ts';
import { type Answers, answersOf, inScope, queryOf } from './openers/answers.ts';
import { fold, language } from './openers/embedded.ts';
import type { OpenProjections } from './openers/projections.ts';

const SCOPES: Scope[] = [
  { org: 'acme' },
  { org: 'acme', user: 'ada' },
  { org: 'acme', user: 'ada', session: 's1' },
  { org: 'acme', session: 's2' },
  { org: 'acme', since: minute(3), until: minute(9) },
];

/** Twelve turns of two users and three sessions; one in four has client observations, each is enriched. */
const turns = Array.from({ length: 12 }, (_, n) =>
  turnRecorded(n, {
    user: n % 3 === 2 ? 'grace' : 'ada',
    session: `s${n % 2}`,
    role: n % 2 ? 'Ada' : 'assistant',
    observations: n % 4 === 0 ? [`ref${n} was seen`, sentence(n)] : [],
  }),
);
const enrichments = turns.map((turn, n) =>
  extracted(n, turn, {
    // One in four says what its client said too.
    observations: [{ text: `fact ${n}` }, { text: `ref${n} was seen` }],
    entities: [{ label: `Town ${n % 3}`, kind: 'place' }],
  }),
);

/** The contract of every projection store and recall index (invariants 3, 4 and 5). */
export const describeProjections = (name: string, open: () => Promise<OpenProjections>): void => {
  describe(`projections: ${name}`, () => {
    let opened: OpenProjections;
    const others: OpenProjections[] = [];
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      for (const one of [opened, ...others.splice(0)]) await one.close();
    });

    const apply = (events: readonly Event[], into = opened, positions = {}) =>
      into.store.apply({ ...fold(events), positions });
    const another = async (): Promise<OpenProjections> => {
      const one = await open();
      others.push(one);
      return one;
    };
    const answers = async (of = opened, tail: TailTurn[] = []): Promise<Answers[]> => {
      const found: Answers[] = [];
      for (const scope of SCOPES)
        found.push(
          await answersOf(
            of.index,
            scope,
            sentence(4),
            turns.map(({ id }) => id),
            tail,
          ),
        );
      return found;
    };

    it('is where its last batch left it, also after it was opened again', async () => {
      expect(await opened.store.positions()).toEqual({});
      await apply(turns, opened, { 'turns/0': 12 });
      await apply(enrichments, opened, { 'observations/0': 12, 'turns/0': 13 });
      const before = await answers();
      opened = await opened.reopen();
      expect(await opened.store.positions()).toEqual({ 'turns/0': 13, 'observations/0': 12 });
      expect(await answers()).toEqual(before);
    });

    it('finds the job of the write that stored a turn, whatever named it later', async () => {
      const at = (n: number, offset: number, changes: object = {}) => ({
        ...turnRecorded(n, changes),
        offset,
      });
      const [a, b, c, d, e] = [at(1, 11), at(2, 12), at(3, 21), at(4, 37), at(5, 36, { active: false })];
      const job = (n: number, ...named: { id: string }[]) => writeAccepted(n, named);
      // The append of the job 30 was partial: its turn was appended again, after those of other writes.
      const others = [31, 32, 33, 34, 35].map(n => job(n, e));
      const log = [job(10, a, b), a, b, job(20, b, c), c, job(30, d), ...others, e, d, job(40, a, c, d)];
      await apply([...log, writeAccepted(5, [a], { session: 's2' })]);
      const jobOf = (turn: { id: string }, org = 'acme', user = 'ada') =>
        opened.index.jobOfTurn(org, user, turn.id);
      const expected = [10, 10, 20, 30, 35].map(n => job(n).id);
      expect(await Promise.all([a, b, c, d, e].map(turn => jobOf(turn)))).toEqual(expected);
      expect(await jobOf(turnRecorded(9))).toBeUndefined();
      expect(await jobOf(a, 'other')).toBeUndefined();
      expect(await jobOf(a, 'acme', 'grace')).toBeUndefined();
    });

    it('gives the same answers when a batch that failed is repeated', async () => {
      await apply(turns.slice(0, 4), opened, { 'turns/0': 4 });
      const bad = { ...turnRecorded(50), id: 'no such id'.repeat(60) };
      await expect(apply([...turns.slice(4), bad], opened, { 'turns/0': 13 })).rejects.toThrow();
      expect(await opened.store.positions()).toEqual({ 'turns/0': 4 });
      await apply(turns.slice(4), opened, { 'turns/0': 12 });
      const whole = await another();
      await apply(turns, whole);
      expect(await answers()).toEqual(await answers(whole));
    });

    it('is changed by no event that it had', async () => {
      await apply([...turns, ...enrichments]);
      const before = await answers();
      await apply([...turns, ...enrichments]);
      await apply(enrichments);
      expect(await answers()).toEqual(before);
      const twice = await another();
      await apply(
        [...turns, ...enrichments].flatMap(event => [event, event]),
        twice,
      );
      expect(await answers(twice)).toEqual(before);
    });

    it('erases what comes from before the erasure in its own partition, and nothing else', async () => {
      const ada = turns.filter(({ data }) => data.user_id === 'ada');
      const sessionOne = ada.filter(({ data }) => data.session_id === 's1');
      const isLeft = (event: { data: { user_id: string; session_id: string } }): boolean =>
        event.data.user_id !== 'ada' || event.data.session_id !== 's1';
      await apply([...turns, ...enrichments]);
      expect(await opened.index.holdings('acme', 'ada', 's1')).toEqual({
        turns: sessionOne.length,
        observations: sessionOne.length * 2,
        entities: new Set(sessionOne.map(({ offset }) => offset % 3)).size,
        sessions: 1,
      });

      // One of the two topics alone, then the other; the offsets of another partition say nothing.
      await apply([memoryErased(99, { session: 's1', partition: 1 })]);
      expect((await opened.index.holdings('acme', 'ada', 's1')).turns).toBe(sessionOne.length);
      await apply([memoryErased(99, { session: 's1', topic: 'observations' })]);
      await apply([memoryErased(99, { session: 's1' })]);
      const without = await another();
      await apply([...turns, ...enrichments].filter(isLeft), without);
      expect(await answers()).toEqual(await answers(without));
      expect(await opened.index.holdings('acme', 'ada', 's1')).toEqual({
        turns: 0,
        observations: 0,
        entities: 0,
        sessions: 0,
      });

      // The whole user, in the other order of topics, with what was sent again behind the erasure.
      const later = turnRecorded(120, { user: 'ada', session: 's1' });
      await apply([later, memoryErased(110), memoryErased(110, { topic: 'observations' })]);
      const rest = await another();
      const grace = [...turns, ...enrichments].filter(({ data }) => data.user_id === 'grace');
      await apply([...grace, later], rest);
      expect(await answers()).toEqual(await answers(rest));
      expect((await opened.index.holdings('acme', 'ada')).turns).toBe(1);
    });

    it('counts and erases a user of more sessions than a page of them', async () => {
      const many = Array.from({ length: 1_203 }, (_, n) => turnRecorded(n, { session: `s${n}` }));
      const named = [0, 600, 1_202].map(n =>
        extracted(n, many[n]!, { entities: [{ label: n === 600 ? 'Prague' : 'Lisbon', kind: 'place' }] }),
      );
      for (let at = 0; at < many.length; at += 401) await apply(many.slice(at, at + 401));
      await apply([...named, turnRecorded(1_203, { user: 'grace' })]);
      const sessions: string[] = [];
      for await (const page of opened.index.sessionsOf('acme', 'ada')) sessions.push(...page);
      expect(sessions.sort()).toEqual(many.map(({ data }) => data.session_id).sort());
      const counts = await opened.index.holdings('acme', 'ada');
      expect(counts).toEqual({ turns: 1_203, observations: 0, entities: 2, sessions: 1_203 });
      await apply([memoryErased(2_000), memoryErased(2_000, { topic: 'observations' })]);
      expect(await opened.index.holdings('acme', 'ada')).toEqual({
        turns: 0,
        observations: 0,
        entities: 0,
        sessions: 0,
      });
      expect((await opened.index.holdings('acme', 'grace')).turns).toBe(1);
    });

    it('erases part of what several segments hold, and of a speaker', async () => {
      const many = Array.from({ length: 700 }, (_, n) =>
        turnRecorded(n, { user: n % 5 === 0 ? 'ada' : 'grace', session: `s${n % 2}`, role: `R${n % 5}` }),
      );
      for (let at = 0; at < many.length; at += 100) await apply(many.slice(at, at + 100));
      await apply([memoryErased(600)]);
      const without = await another();
      const left = many.filter(({ data, offset }) => data.user_id !== 'ada' || offset >= 600);
      for (let at = 0; at < left.length; at += 100) await apply(left.slice(at, at + 100), without);
      expect(await answers()).toEqual(await answers(without));
      await apply([turnRecorded(701, { user: 'ada' })]);
      await apply([turnRecorded(701, { user: 'ada' })], without);
      expect(await answers()).toEqual(await answers(without));
    });

    it('keeps the first copy of an id', async () => {
      await apply([...turns, ...enrichments]);
      const before = await answers();
      await apply(turns.map(turn => ({ ...turn, data: { ...turn.data, active: false, passive: false } })));
      await apply(
        turns.map(turn => ({
          ...turn,
          data: { ...turn.data, role: 'zombie', tokens: 99, session_id: 's9' },
        })),
      );
      const failed = { reason: 'too late' };
      await apply(
        enrichments.map(event => ({
          ...event,
          type: 'extraction.failed',
          data: { ...event.data, ...failed },
        })),
      );
      expect(await answers()).toEqual(before);
    });

    it('does not depend on the order between turns and observations', async () => {
      await apply([...turns, ...enrichments]);
      const before = await answers();
      const orders = [
        [...enrichments, ...turns],
        turns.flatMap((turn, n) => [enrichments[n]!, turn]),
        turns.flatMap((turn, n) => (n % 2 ? [turn, enrichments[n]!] : [enrichments[n]!, turn])),
      ];
      for (const order of orders) {
        const one = await another();
        for (let at = 0; at < order.length; at += 5) await apply(order.slice(at, at + 5), one);
        expect(await answers(one)).toEqual(before);
      }
    });

    it('orders a session by time, then by the log, however late a turn arrives', async () => {
      const at = [5, 1, 3, 3, 2, 4];
      const late = at.map((time, n) => turnRecorded(n, { timestamp: minute(time), text: `turn${n}` }));
      for (const turn of late) await apply([turn]);
      const [all] = [await answersOf(opened.index, { org: 'acme', user: 'ada' }, 'turn2', [])];
      const around = Object.fromEntries(all!.candidates.map(({ text, neighbours }) => [text, neighbours]));
      // By time: turn1 (1), turn4 (2), turn2 (3), turn3 (3), turn5 (4), turn0 (5).
      expect(around.turn2).toEqual([minute(1), minute(2), minute(3), minute(4)]);
      expect(around.turn3).toEqual([minute(2), minute(3), minute(4), minute(5)]);
      expect(around.turn0).toEqual([minute(3), minute(4), null, null]);
      expect(around.turn1).toEqual([null, null, minute(2), minute(3)]);
    });

    it('counts over exactly the searched scope', async () => {
      await apply([...turns, ...enrichments, turnRecorded(4, { org: 'other', text: sentence(4) })]);
      for (const scope of SCOPES) {
        const inside = turns.filter(
          ({ data }) =>
            (!scope.user || data.user_id === scope.user) &&
            (!scope.session || data.session_id === scope.session) &&
            Date.parse(data.timestamp) >= (scope.since ?? 0) &&
            Date.parse(data.timestamp) <= (scope.until ?? Infinity),
        );
        const query = queryOf(sentence(4));
        const { statistics } = await opened.index.retrieve(scope, () => query, []);
        expect(statistics.turns).toBe(inside.length);
        const stemsOf = inside.map(({ data }) => new Set(queryOf(data.text).stems));
        for (const stem of query.stems) {
          expect(statistics.turnsWith(stem)).toBe(stemsOf.filter(stems => stems.has(stem)).length);
        }
        expect(statistics.sessions).toBe(
          new Set(inside.map(({ data }) => `${data.user_id} ${data.session_id}`)).size,
        );
      }
    });

    it('knows who speaks in a window, and not who spoke before and after it', async () => {
      const roles = ['Ada', 'Bert', 'Marta', 'Bert', 'Ada'];
      const said = roles.map((role, n) => turnRecorded(n, { role, observations: ['so be it'] }));
      const [first, ...rest] = said;
      await apply(said.slice(0, 4), opened, { 'turns/0': 4 });
      const speakers = async (scope: Scope, tail: TailTurn[] = []) => {
        const { statistics } = await opened.index.retrieve(scope, () => queryOf('so'), tail);
        return [...statistics.speakers].sort();
      };
      const tail = said.map(tailTurn);
      expect(await speakers({ org: 'acme' })).toEqual(['Ada', 'Bert', 'Marta']);
      expect(await speakers({ org: 'acme', since: minute(1) })).toEqual(['Bert', 'Marta']);
      expect(await speakers({ org: 'acme', since: minute(1) }, tail)).toEqual(['Ada', 'Bert', 'Marta']);
      expect(await speakers({ org: 'acme', since: minute(1), until: minute(3) }, tail.slice(1, 4))).toEqual([
        'Bert',
        'Marta',
      ]);
      expect(await speakers({ org: 'acme', since: minute(2), until: minute(2) })).toEqual(['Marta']);
      // An identity is no turn of the scope.
      await apply([...rest, { ...turnRecorded(9, { role: 'Nobody', active: false }) }]);
      expect(await speakers({ org: 'acme', since: minute(5) })).toEqual([]);
      expect(await speakers({ org: 'acme', until: Date.parse(first!.data.timestamp) })).toEqual(['Ada']);
    });

    it('counts a turn once that names an entity in two spellings', async () => {
      const [turn, other] = [turnRecorded(1), turnRecorded(2)];
      const spelled = (label: string) => ({ label, kind: 'place' });
      await apply([
        turn,
        other,
        extracted(0, turn, { entities: ['Lisbon', 'LISBON'].map(spelled) }),
        extracted(1, other, { entities: [spelled('lisbon')] }),
      ]);
      const [entity, ...more] = await opened.index.entitiesOf({ org: 'acme' }, [turn.id, other.id]);
      expect(more).toEqual([]);
      expect(entity).toMatchObject({ label: 'LISBON', turnIds: [turn.id, other.id].sort() });
    });

    it("shows nothing of another organization's, of the same names", async () => {
      await apply([...turns, ...enrichments]);
      const before = await answers();
      const theirs = turns.map((turn, n) => {
        const { user_id: user, session_id: session, role } = turn.data;
        return turnRecorded(n, { org: 'other', user, session, role, observations: [`secret ${n}`] });
      });
      await apply([
        ...theirs,
        ...theirs.map((turn, n) =>
          extracted(n, turn, {
            observations: [{ text: 'secret' }],
            entities: [{ label: 'Secret', kind: 'place' }],
          }),
        ),
      ]);
      expect(await answers()).toEqual(before);
      const ids = theirs.map(({ id }) => id);
      const foreign = await answersOf(opened.index, { org: 'acme' }, 'secret', ids);
      expect(foreign).toMatchObject({
        observations: [],
        entities: [],
        enrichment: { queued: 0, done: 0, failed: 0, observations: 0, entities: 0 },
      });
      expect(foreign.candidates).toHaveLength(before[0]!.candidates.length);
    });

    it('shows each turn once, from the tail or from the index', async () => {
      const whole = await another();
      await apply(turns, whole);
      const expected = await answers(whole);
      const comparable = ({ candidates, statistics }: Answers) => ({ candidates, statistics });
      for (const projected of [0, 1, 6, 11, 12]) {
        const one = await another();
        await apply(turns.slice(0, projected), one, { 'turns/0': projected });
        for (const [i, scope] of SCOPES.entries()) {
          const tail = turns.map(tailTurn).filter(turn => inScope(turn, scope));
          const found = await answersOf(one.index, scope, sentence(4), [], tail);
          expect(comparable(found)).toEqual(comparable(expected[i]!));
        }
      }
    });

    it('counts the same from segments as from every fragment, beyond a thousand', async () => {
      const MANY = 1_400;
      const many = Array.from({ length: MANY }, (_, n) =>
        turnRecorded(n, { user: n % 4 ? 'ada' : 'grace', session: `s${n % 37}` }),
      );
      for (let at = 0; at < MANY; at += 256) await apply(many.slice(at, at + 256));
      const all = opened.indexOf({ all: Infinity, best: 1, words: 1, vectors: 1, length: Infinity });
      for (const scope of [
        { org: 'acme' },
        { org: 'acme', user: 'ada' },
        { org: 'acme', session: 's3' },
        { org: 'acme', since: minute(100) },
      ]) {
        const [some, every] = [
          await answersOf(opened.index, scope, sentence(777), []),
          await answersOf(all, scope, sentence(777), []),
        ];
        // Its statistics are of the sessions of its candidates, which are fewer.
        expect(every.statistics).toMatchObject(some.statistics);
        const byId = new Map(every.candidates.map(candidate => [candidate.id, candidate]));
        for (const candidate of some.candidates) expect(candidate).toEqual(byId.get(candidate.id));
      }
      const found = await opened.index.retrieve({ org: 'acme' }, () => queryOf(sentence(777)), []);
      expect(found.complete).toBe(false);
      expect(found.candidates.length).toBeLessThan(400);
      const keys = found.candidates.map(({ key }) => key);
      const fragments = [...(await opened.index.fragments(found.snapshot, keys)).values()];
      expect(fragments.map(({ id }) => id)).toContain(many[777]!.id);
    });

    it('brings what was said at the time of the question, beyond a thousand that have its words', async () => {
      const scope = { org: 'acme', user: 'ada' };
      const before = Array.from({ length: 1_200 }, (_, n) =>
        turnRecorded(n, { text: `I ate soup yesterday, ref${n}.` }),
      );
      const said = Date.parse('2026-05-10T18:00:00Z');
      const then = ['Dumplings at the harbour!', 'And plums.', 'Ben brought them.'].map((text, i) =>
        turnRecorded(1_200 + i, { session: 'harbour', text, timestamp: said + i * 60_000 }),
      );
      const many = [...before, ...then];
      for (let at = 0; at < many.length; at += 256) await apply(many.slice(at, at + 256));
      const ask = async (moment: string) => {
        let reached: Extent | undefined;
        const found = await opened.index.retrieve(
          scope,
          (speakers, extent) => {
            reached = extent?.() ?? reached;
            return language().analyseQuery('What did I eat yesterday?', speakers, {
              moment: Date.parse(moment),
              extent,
            });
          },
          [],
        );
        return { ...found, reached };
      };
      const found = await ask('2026-05-11T09:00:00Z');
      expect(found.complete).toBe(false);
      expect(found.reached).toEqual({ first: minute(0), last: said + 120_000 });
      expect(found.query.spans).toHaveLength(1);
      expect(found.query.stems).toHaveLength(1);
      const keys = found.candidates.map(({ key }) => key);
      const texts = [...(await opened.index.fragments(found.snapshot, keys)).values()].map(
        ({ text }) => text,
      );
      expect(texts).toEqual(expect.arrayContaining(then.map(({ data }) => data.text)));
      // Nobody said anything on that day, so that the words are words.
      const { query } = await ask('2026-06-11T09:00:00Z');
      expect(query.spans).toEqual([]);
      expect(query.stems).toHaveLength(2);
    });
  });
};
