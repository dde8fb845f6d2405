import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope, SearchRequest, TailTurn } from '../../core/ports.ts';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { migrateIndex } from '../../infra/cluster/elasticsearch/index/index.ts';
import { ownerOf } from '../../infra/cluster/elasticsearch/scope-clauses.ts';
import { makeSearch } from '../../services/use-cases/recall/search.ts';
import { answersOf } from '../contracts/openers/answers.ts';
import {
  type ElasticsearchProjections,
  openElasticsearchProjections,
  openIndex,
} from '../contracts/openers/elasticsearch.ts';
import { fold, language, openProjections } from '../contracts/openers/embedded.ts';
import type { OpenProjections } from '../contracts/openers/projections.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { extracted, minute, sentence, tailTurn, turnRecorded } from '../support/worlds/builders.ts';

/** Turns of a few sessions: several hold the same words, so that ranking has something to tell apart. */
const conversation = (count: number, changes: { org?: string; sessions?: number } = {}) =>
  Array.from({ length: count }, (_, n) => {
    const { org = 'acme', sessions = 17 } = changes;
    const session = `s${Math.floor(n / 5) % sessions}`;
    const observations = n % 9 === 0 ? [`${sentence(n + 3)} indeed`] : [];
    return turnRecorded(n, { org, session, role: n % 2 ? 'Ada' : 'Bert', observations });
  });

describeOnEngines('the recall index on Elasticsearch', () => {
  const opened: { close(): Promise<void> }[] = [];
  const cluster = async (): Promise<ElasticsearchProjections> => {
    const one = await openElasticsearchProjections();
    opened.push(one);
    return one;
  };
  const embedded = async (): Promise<OpenProjections> => {
    const one = await openProjections();
    opened.push(one);
    return one;
  };
  afterAll(async () => {
    for (const one of opened) await one.close();
  });

  it('is made once, however many make it', async () => {
    const { config } = await cluster();
    expect(await migrateIndex(config)).toEqual([]);
    const fresh = clusterConfig({ namespace: config.namespace.replace('test-', 'test-b') });
    const made = await Promise.all([migrateIndex(fresh), migrateIndex(fresh), migrateIndex(fresh)]);
    expect(made.flat().filter(line => line.startsWith('index ') && line.includes('alias'))).toHaveLength(1);
    opened.push(await openElasticsearchProjections(fresh));
  });

  describe('writes', () => {
    it('stores and shows the others when Elasticsearch refuses a document, and names it', async () => {
      const { store, index } = await cluster();
      const turns = [turnRecorded(1), turnRecorded(2), turnRecorded(3)];
      const batch = fold(turns);
      // No keyword may be longer than 32,766 bytes.
      const [one, two, three] = batch.recall;
      const recall = [one!, { ...two!, session: 'secret'.repeat(6_000) }, three!] as typeof batch.recall;
      expect(await store.apply({ ...batch, recall, positions: {} })).toEqual({
        kind: 'written',
        refused: new Set([recall[1]]),
      });
      const { statistics } = await index.retrieve(
        { org: 'acme' },
        () => language().analyseQuery('x', []),
        [],
      );
      expect(statistics.turns).toBe(2);
      await store.apply({ ...batch, positions: {} });
      const again = await index.retrieve({ org: 'acme' }, () => language().analyseQuery('x', []), []);
      expect(again.statistics.turns).toBe(3);
    });

    it('keeps one copy when two projectors write the same batch at once', async () => {
      const one = await cluster();
      const other = openIndex(one.config);
      opened.push(other);
      const turns = conversation(60);
      const { recall } = fold([
        ...turns,
        ...turns.map((turn, n) => extracted(n, turn, { observations: [{ text: 'a fact' }] })),
      ]);
      await Promise.all([
        one.opened.store.apply(recall),
        other.store.apply(recall),
        one.opened.store.apply(recall),
      ]);
      const ids = turns.map(({ id }) => id);
      const alone = await cluster();
      await alone.opened.store.apply(recall);
      expect(await answersOf(one.index, { org: 'acme' }, sentence(4), ids)).toEqual(
        await answersOf(alone.index, { org: 'acme' }, sentence(4), ids),
      );
    });

    it('ends with the copy at the lowest offset, in whatever order copies are written', async () => {
      const { config, opened: one, index } = await cluster();
      const turn = turnRecorded(1, { observations: ['a violin was sold'] });
      const copy = (offset: number) => fold([{ ...turn, offset }]).recall;
      const raw = connectElasticsearch(config);
      type Stored = { _source: { offset: number } };
      const offsetOf = async (): Promise<number> => {
        const path = `/${config.namespace}-recall/_doc/${turn.id}`;
        const query = { routing: ownerOf('acme', 'ada') };
        return (await raw.ask<Stored>('GET', path, { query }))._source.offset;
      };
      for (const [written, kept] of [
        [9, 9],
        [12, 9],
        [5, 5],
        [7, 5],
        [5, 5],
      ] as const) {
        await one.store.apply(copy(written));
        expect(await offsetOf()).toBe(kept);
      }
      await raw.close();
      const { statistics } = await index.retrieve(
        { org: 'acme' },
        () => language().analyseQuery('x', []),
        [],
      );
      expect(statistics.turns).toBe(1);
    });

    it('is unavailable while Elasticsearch is, for writes and for reads', async () => {
      const { config } = await cluster();
      const away = openIndex({ ...config, elasticsearchUrl: 'http://127.0.0.1:9' });
      const missing = openIndex({ ...config, namespace: `${config.namespace}-none` });
      const { recall } = fold([turnRecorded(1)]);
      await expect(away.store.apply(recall)).rejects.toMatchObject({ code: 'unavailable' });
      expect(await missing.store.apply(recall)).toMatchObject({ kind: 'wrong version' });
      for (const { index, isIndexed, ping, close } of [away, missing]) {
        await expect(index.job('acme', 'job_1')).rejects.toMatchObject({ code: 'unavailable' });
        await expect(isIndexed('acme', 'ada', ['trn_1'])).rejects.toMatchObject({ code: 'unavailable' });
        await expect(ping()).rejects.toMatchObject({ code: 'unavailable' });
        const retrieved = index.retrieve({ org: 'acme' }, () => language().analyseQuery('x', []), []);
        await expect(retrieved).rejects.toMatchObject({ code: 'unavailable' });
        await close();
      }
    });

    it('knows by id what it has, before anything is refreshed', async () => {
      const { config, opened: one } = await cluster();
      const [turn, silent, absent] = [turnRecorded(1), turnRecorded(2, { active: false }), turnRecorded(3)];
      await one.store.apply(fold([turn, silent]).recall);
      const ids = [turn.id, silent.id, absent.id];
      const known = new Map([
        [turn.id, true],
        [silent.id, false],
      ]);
      expect(await one.isIndexed('acme', 'ada', ids)).toEqual(known);
      expect(await one.isIndexed('other', 'ada', ids)).toEqual(new Map());
      const raw = connectElasticsearch(config);
      await raw.ask('POST', `/${config.namespace}-recall/_doc/${absent.id}`, {
        query: { routing: ownerOf('acme', 'ada') },
        body: { kind: 'identity', id: absent.id, org: 'acme', active: false },
      });
      await raw.close();
      expect((await one.isIndexed('acme', 'ada', ids)).get(absent.id)).toBe(false);
    });
  });

  it('names the organizations that dated turns ahead, with the days, fragment or not', async () => {
    const { opened: one } = await cluster();
    const at = (instant: string, changes: object = {}) => ({ timestamp: Date.parse(instant), ...changes });
    const turns = [
      turnRecorded(1, at('2030-01-01T00:00:30Z')),
      turnRecorded(2, at('2031-01-01T00:00:30Z', { active: false })),
      turnRecorded(3, at('9999-12-31T23:59:30Z', { org: 'far' })),
      turnRecorded(4, at('2025-01-01T00:00:30Z', { org: 'past' })),
      turnRecorded(5, at('1969-01-01T00:00:30Z', { org: 'old' })),
    ];
    await one.store.apply(fold(turns).recall);
    const day = (date: string): number => Date.parse(date) / 86_400_000;
    const found = [];
    for await (const each of one.datedAhead(Date.parse('2026-01-01T00:00:00Z'))) found.push(each);
    expect(found).toEqual([
      { org: 'acme', days: [day('2030-01-01'), day('2031-01-01')] },
      { org: 'far', days: [day('9999-12-31')] },
    ]);
  });

  describe('ranks as the embedded index does', () => {
    const QUESTIONS = [
      'Where did Marta repair the violin?',
      'What did Ada sell in Oslo?',
      'ref123',
      'storm in Kyoto',
      '?',
    ];
    const hits = async (of: OpenProjections, request: Partial<SearchRequest> & { q: string }) => {
      const search = makeSearch({
        retrieval: of.index,
        details: of.index,
        listing: of.listing,
        language: language(),
      });
      const scope: Scope = { org: 'acme', user: 'ada' };
      const { chosen, confidence } = await search({
        scope,
        mode: 'active',
        moment: 0,
        tail: [],
        kinds: ['turn', 'observation', 'entity'],
        topK: 30,
        ...request,
      });
      return {
        confidence,
        hits: chosen.map(hit =>
          hit.kind === 'entity'
            ? [hit.entity.id, hit.score]
            : [hit.fragment.id, hit.fragment.text, hit.score],
        ),
        turns: chosen.map(hit =>
          hit.kind === 'entity' ? hit.entity.id : (hit.fragment.sourceTurnId ?? hit.fragment.id),
        ),
      };
    };
    const filled = async (count: number): Promise<[OpenProjections, OpenProjections]> => {
      const both: [OpenProjections, OpenProjections] = [await cluster(), await embedded()];
      const turns = conversation(count, { sessions: Math.ceil(count / 20) });
      const found = turns.map((turn, n) =>
        extracted(n, turn, {
          observations: [{ text: `fact of ${sentence(n)}` }],
          entities: [
            { label: n % 3 ? 'Lisbon' : 'LISBON', kind: 'place' },
            { label: `Town ${n % 30}`, kind: 'place' },
          ],
        }),
      );
      for (const one of both) {
        for (let at = 0; at < count; at += 500) {
          const events = [...turns.slice(at, at + 500), ...found.slice(at, at + 500)];
          await one.store.apply({ ...fold(events), positions: { 'turns/0': at + 500 } });
        }
      }
      return both;
    };

    it('in a scope that is brought whole: the same hits, scores and confidence', async () => {
      const [ours, theirs] = await filled(400);
      const scopes: Scope[] = [
        { org: 'acme', user: 'ada' },
        { org: 'acme' },
        { org: 'acme', user: 'ada', session: 's3' },
        { org: 'acme', user: 'ada', since: minute(100), until: minute(220) },
      ];
      for (const q of QUESTIONS) {
        for (const scope of scopes) {
          for (const mode of ['active', 'deep'] as const) {
            expect(await hits(ours, { q, scope, mode })).toEqual(await hits(theirs, { q, scope, mode }));
          }
        }
      }
      const entities = { q: 'Lisbon', kinds: ['entity' as const] };
      expect(await hits(ours, entities)).toEqual(await hits(theirs, entities));
    });

    describe('in a scope of 3,000 turns', () => {
      let ours: OpenProjections;
      let theirs: OpenProjections;
      beforeAll(async () => {
        [ours, theirs] = await filled(3_000);
      });

      it('the same first hits, by the same counts', async () => {
        for (const q of QUESTIONS.slice(0, 4)) {
          const [a, b] = [await hits(ours, { q, topK: 10 }), await hits(theirs, { q, topK: 20 })];
          // Features are measured against the other candidates, which may differ beyond the first hits: what
          // is nearly as good may change places, and a fact may have the place of its turn in one of them.
          const missing = (few: readonly string[], many: readonly string[]) =>
            few.filter(id => !many.includes(id));
          expect(missing(a.turns.slice(0, 5), b.turns.slice(0, 10))).toEqual([]);
          expect(missing(a.turns, b.turns)).toEqual([]);
          const place = b.hits.slice(0, 3).findIndex(([id]) => id === a.hits[0]![0]);
          expect(place).toBeGreaterThanOrEqual(0);
          const [score, other] = [a.hits[0]!.at(-1), b.hits[place]!.at(-1)].map(Number);
          expect(Math.abs(score! - other!)).toBeLessThan(0.1);
        }
      });

      it('an exact word finds its turn, wherever that stands', async () => {
        for (const n of [3, 777, 1_500, 2_998]) {
          const { hits: found } = await hits(ours, { q: `What was with ref${n}?` });
          expect(found[0]![1]).toContain(`ref${n}`);
        }
      });

      it('with what the tail has beyond it, each turn once', async () => {
        const all = conversation(3_000, { sessions: 150 });
        const later = Array.from({ length: 20 }, (_, n) =>
          turnRecorded(3_000 + n, { session: n % 2 ? 's0' : 'new', role: 'Ada' }),
        );
        const tail: TailTurn[] = [...all.slice(2_900), ...later].map(tailTurn);
        const query = language().analyseQuery(sentence(3_005), ['Ada', 'Bert']);
        const found = await ours.index.retrieve({ org: 'acme', user: 'ada' }, () => query, tail);
        const without = await ours.index.retrieve({ org: 'acme', user: 'ada' }, () => query, []);
        expect(found.statistics.turns).toBe(without.statistics.turns + later.length);
        expect(found.statistics.sessions).toBe(without.statistics.sessions + 1);
        const keys = found.candidates.map(({ key }) => key);
        const fragments = await ours.index.fragments(found.snapshot, keys);
        const ids = keys.map(key => fragments.get(key)!.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toContain(later[5]!.id);
        const best = keys.find(key => fragments.get(key)!.id === later[5]!.id)!;
        const around = (await ours.index.surround(found.snapshot, [best])).get(best)!;
        expect(around.map(one => one?.timestamp)).toEqual([3_001, 3_003, 3_007, 3_009].map(minute));
      });
    });
  });

  it('shows no turn of another organization of the same names, in any size of scope', async () => {
    const { store, index } = await cluster();
    const ours = conversation(40);
    await store.apply({ ...fold(ours), positions: {} });
    const before = await answersOf(index, { org: 'acme', user: 'ada' }, sentence(4), []);
    await store.apply({ ...fold(conversation(1_500, { org: randomUUID() })), positions: {} });
    expect(await answersOf(index, { org: 'acme', user: 'ada' }, sentence(4), [])).toEqual(before);
  });
});
