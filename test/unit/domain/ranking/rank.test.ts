import { describe, expect, it } from 'vitest';
import { ACTIVE_PLACES, rankDeep, secondHop } from '../../../../domain/ranking/deep.ts';
import { CHATS } from '../../../../domain/ranking/features/chat-kind.ts';
import { DEEP_FEATURES } from '../../../../domain/ranking/features/deep-features.ts';
import { FEATURES, type Feature } from '../../../../domain/ranking/features/feature-names.ts';
import { featureTable, prepare } from '../../../../domain/ranking/features/features.ts';
import { rank } from '../../../../domain/ranking/rank.ts';
import weights from '../../../../domain/ranking/weights.json' with { type: 'json' };
import { type Candidate, NO_NEIGHBOURS } from '../../../../domain/search/document.ts';
import { language } from '../language/fixture.ts';
import { type Said, scopeOf, smallTalk } from './scope.ts';

const about: Said[] = [
  { role: 'Ann', text: 'I adopted a puppy named Rex last week.', at: '2023-05-08T10:00:00Z' },
  { role: 'Bob', text: 'My sister moved to Lisbon for her new job.', at: '2023-06-20T10:00:00Z' },
  { role: 'Bob', text: 'I ran the marathon in under four hours.', at: '2023-07-02T10:00:00Z' },
  { role: 'Ann', text: 'I paint landscapes with oil colours.', at: '2023-09-12T10:00:00Z' },
];
const scope = scopeOf([...about.map(one => [...smallTalk(6), one, ...smallTalk(6)])]);
const keyOf = (text: string) => {
  const document = language.analyse(text, { role: '', timestamp: 0 });
  return scope.candidates.find(one => one.document.stems.join() === document.stems.join())!.key;
};
const first = (q: string) => {
  const { query, statistics } = scope.ask(q);
  return rank(prepare(query, statistics, scope.candidates), scope.candidates)[0]!.candidate.key;
};

/** One feature of every candidate. */
const feature = (name: Feature, q: string, candidates: readonly Candidate[] = scope.candidates): number[] => {
  const { query, statistics } = scope.ask(q);
  const { rows } = featureTable(prepare(query, statistics, candidates), candidates);
  return candidates.map((_, c) => rows[c * FEATURES.length + FEATURES.indexOf(name)]!);
};

describe('rank', () => {
  it('finds by the same words, by their stems and by near meanings', () => {
    expect(first('Who ran a marathon?')).toBe(keyOf(about[2]!.text));
    expect(first('Where did the sister of Bob move?')).toBe(keyOf(about[1]!.text));
    expect(first('Which dog does Ann have?')).toBe(keyOf(about[0]!.text));
  });

  it('gives the same list whatever the order of the candidates', () => {
    const { query, statistics } = scope.ask('How was work, and the weather?');
    const list = (candidates: readonly Candidate[]) =>
      rank(prepare(query, statistics, candidates), candidates).map(one => [one.candidate.key, one.score]);
    const expected = list(scope.candidates);
    expect(list([...scope.candidates].reverse())).toEqual(expected);
    expect(list(scope.candidates.map((_, i, all) => all[(i * 7) % all.length]!))).toEqual(expected);
  });

  it('puts equal sums in the order of time and then of id, whatever their numbers', () => {
    const { candidates, ask } = scopeOf([[{ role: 'Ann', text: 'soup' }], [{ role: 'Ann', text: 'soup' }]]);
    const twin: Candidate = { ...candidates[0]!, key: -1, id: 'f'.repeat(32) };
    const { query, statistics } = ask('soup');
    const all = [twin, candidates[1]!, candidates[0]!];
    const keys = rank(prepare(query, statistics, all), all).map(one => one.candidate.key);
    expect(keys).toEqual([0, -1, 1]);
  });

  it('scores between 0 and 1, in the order of the ranking', () => {
    const { query, statistics } = scope.ask('When did Ann adopt a puppy?');
    const scores = rank(prepare(query, statistics, scope.candidates), scope.candidates).map(one => one.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const score of scores) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
    }
  });

  it('works for no candidate, one turn, no neighbours, observations and a query without words', () => {
    const { candidates, ask } = scopeOf([[{ role: 'Ann', text: 'I like tea' }]]);
    for (const q of ['tea', '?!', 'Ann', '北京', 'x'.repeat(8000)]) {
      const { query, statistics } = ask(q);
      expect(rank(prepare(query, statistics, []), [])).toEqual([]);
      expect(rankDeep(prepare(query, statistics, []), [])).toEqual([]);
      const observation: Candidate = { ...candidates[0]!, key: 1, id: '1', kind: 'observation' };
      for (const one of [
        rank(prepare(query, statistics, candidates), [candidates[0]!, observation]),
        rankDeep(prepare(query, statistics, candidates), [candidates[0]!, observation]),
      ]) {
        expect(one).toHaveLength(2);
        expect(one.every(({ score }) => Number.isFinite(score))).toBe(true);
      }
    }
    const empty = {
      ...ask('tea').statistics,
      turns: 0,
      sessions: 0,
      meanLength: 0,
      meanSessionLength: 0,
      turnsWith: () => 0,
      sessionsWith: () => 0,
    };
    expect(rank(prepare(ask('tea').query, empty, candidates), candidates)[0]!.score).toBeGreaterThan(0);
  });

  it('never holds the words of the query against a turn, nor rates a neighbour above the turn itself', () => {
    for (const chat of CHATS) {
      const of = new Map(Object.entries(weights[chat].active.weights));
      const sum = (...names: string[]) => names.reduce((total, name) => total + (of.get(name) ?? 0), 0);
      for (const own of ['bm25', 'coverage', 'maxSim', 'cosine', 'session', 'pairRelative', 'bm25Next']) {
        expect(of.get(own)).toBeGreaterThanOrEqual(0);
      }
      const own = sum('bm25', 'coverage', 'maxSim') + 0.05;
      for (const neighbours of [
        ['answersQuestion', 'answersSimilarQuestion'],
        ['bm25Next'],
        ['bm25Previous2'],
      ])
        expect(sum(...neighbours)).toBeLessThanOrEqual(own);
      const { windowLikeQueryAndHits, nearHit } = weights[chat].deep.weights;
      for (const found of [windowLikeQueryAndHits, nearHit]) expect(found).toBeGreaterThanOrEqual(0);
    }
  });

  it('leaves the first places as they are in deep mode, and puts what the first hits lead to behind them', () => {
    const { ask, candidates } = scopeOf(about.map(one => [...smallTalk(12), one, ...smallTalk(12)]));
    const { query, statistics } = ask('How was work, and the weather?');
    const prepared = prepare(query, statistics, candidates);
    const [active, deep] = [rank(prepared, candidates), rankDeep(prepared, candidates)];
    const keys = (ranked: typeof active) => ranked.map(({ candidate }) => candidate.key);
    expect(keys(deep).slice(0, ACTIVE_PLACES)).toEqual(keys(active).slice(0, ACTIVE_PLACES));
    expect(keys(deep)).not.toEqual(keys(active));
    expect(keys(deep).sort()).toEqual(keys(active).sort());
    const scores = deep.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('has a fitted weight for every feature', () => {
    for (const chat of CHATS) {
      expect(Object.keys(weights[chat].active.weights)).toEqual([...FEATURES]);
      expect(Object.keys(weights[chat].deep.weights)).toEqual([...DEEP_FEATURES]);
    }
  });
});

describe('features', () => {
  it('know who speaks, when the query names someone', () => {
    const roles = scope.candidates.map(one => one.role);
    expect(feature('speaker', 'What does Ann paint?')).toEqual(roles.map(role => (role === 'Ann' ? 1 : 0)));
    expect(feature('otherSpeaker', 'What does Ann paint?')).toEqual(
      roles.map(role => (role === 'Ann' ? 0 : 1)),
    );
    expect(feature('otherSpeaker', 'What about painting?').every(value => value === 0)).toBe(true);
  });

  it('know a turn with a word of time, when the query asks for one', () => {
    const puppy = keyOf(about[0]!.text);
    expect(feature('temporal', 'When did Ann get a puppy?')[puppy]).toBe(1);
    expect(feature('temporal', 'Why did Ann get a puppy?')[puppy]).toBe(0);
    expect(feature('temporal', 'When did Ann get a puppy?')[keyOf(about[3]!.text)]).toBe(0);
  });

  it('know the date of the turn, its month and the month after', () => {
    const [puppy, sister] = [keyOf(about[0]!.text), keyOf(about[1]!.text)];
    expect(feature('dateMonth', 'in May 2023')[puppy]).toBe(1);
    expect(feature('dateMonth', 'in May 2023')[sister]).toBe(0);
    expect(feature('dateMonthAfter', 'in May 2023')[sister]).toBe(1);
    expect(feature('dateMonth', 'in May 2022')[puppy]).toBe(0);
    expect(feature('dateDay', 'on 8 May 2023')[puppy]).toBe(1);
    expect(feature('dateDay', 'on 6 May')[puppy]).toBeCloseTo(0.6);
    expect(feature('dateDay', 'on 9 May')[puppy]).toBe(0);
    expect(feature('dateMonth', 'in 2023')[sister]).toBe(1);
  });

  it('see the words of the turns around', () => {
    const { candidates } = scope;
    const marathon = keyOf(about[2]!.text);
    const before = feature('bm25Next', 'marathon');
    expect(before[marathon - 1]).toBeGreaterThan(0.3);
    expect(before[marathon]).toBe(0);
    expect(feature('maxSimWindow', 'marathon')[marathon - 2]).toBeCloseTo(0.8);
    expect(feature('maxSimWindow', 'marathon')[marathon - 3]).toBeLessThan(0.8);
    expect(
      feature('bm25Next', 'marathon', [{ ...candidates[marathon - 1]!, neighbours: [] as never }]),
    ).toEqual([0]);
  });

  it('compare the query with the turns around as one text', () => {
    const { candidates } = scope;
    const q = 'Which pet did somebody adopt?';
    const puppy = keyOf(about[0]!.text);
    const window = feature('cosineWindow', q);
    // Beyond two turns nothing is heard of it.
    expect(window[puppy - 1]).toBeGreaterThan(window[puppy - 3]!);
    expect(window[puppy + 2]).toBeGreaterThan(window[puppy + 4]!);
    const alone = candidates.map(candidate => ({ ...candidate, neighbours: NO_NEIGHBOURS }));
    const own = feature('cosine', q, alone);
    feature('cosineWindow', q, alone).forEach((value, c) => {
      expect(value).toBeCloseTo(own[c]!);
    });
  });

  it('know a word that is rare in the scope, and the text that is the query', () => {
    const puppy = keyOf(about[0]!.text);
    expect(feature('rareCoverage', 'puppy')[puppy]).toBe(1);
    expect(feature('rareCoverage', 'puppy').filter(value => value > 0)).toHaveLength(1);
    expect(Math.max(...feature('rareCoverage', 'soup'))).toBeLessThan(0.2);
    expect(feature('sameWords', 'i adopted a PUPPY named Rex, last week')[puppy]).toBe(1);
    expect(feature('sameWords', 'I adopted a puppy named Rex').every(value => value === 0)).toBe(true);
  });

  it('compare words by their meaning: MaxSim', () => {
    const values = feature('maxSim', 'dog');
    expect(values[keyOf(about[0]!.text)]).toBeGreaterThan(0.4);
    expect(values[keyOf(about[0]!.text)]).toBe(Math.max(...values));
    expect(feature('maxSim', 'puppy')[keyOf(about[0]!.text)]).toBe(1);
  });
});

describe('the second hop', () => {
  it('looks for what the first hits are about too', () => {
    const { query, statistics } = scope.ask('Which pet did Ann adopt?');
    const second = secondHop(query, rank(prepare(query, statistics, scope.candidates), scope.candidates));
    expect(second.stems).toEqual(query.stems);
    expect(second.terms.length).toBeGreaterThan(query.terms.length);
    const rex = language.analyseQuery('Rex', []).stems[0];
    expect(second.terms.some(term => term.stem === rex && term.weight < 1)).toBe(true);
    expect(secondHop(query, []).terms).toEqual(query.terms);
  });

  it('ranks the same candidates, each once', () => {
    const { query, statistics } = scope.ask('Who ran a marathon?');
    const ranked = rankDeep(prepare(query, statistics, scope.candidates), scope.candidates);
    expect(new Set(ranked.map(one => one.candidate.key)).size).toBe(scope.candidates.length);
    expect(ranked[0]!.candidate.key).toBe(keyOf(about[2]!.text));
    expect(
      rankDeep(prepare(query, statistics, scope.candidates), [...scope.candidates].reverse()).map(
        one => one.candidate.key,
      ),
    ).toEqual(ranked.map(one => one.candidate.key));
  });
});
