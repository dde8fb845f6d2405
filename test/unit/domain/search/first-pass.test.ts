import { describe, expect, it } from 'vitest';
import type { CandidateQuery } from '../../../../domain/search/candidate-query.ts';
import { selectCandidates } from '../../../../domain/search/candidates.ts';
import type { Document } from '../../../../domain/search/document.ts';
import { searchRuns } from '../../../../domain/search/segments/run.ts';
import type { Entry } from '../../../../domain/search/segments/segment.ts';

const ASKED = 4_000_000_007;
const MAY = Date.UTC(2023, 4, 20);

/** A turn of one word, which is its number's unless it is said. */
const entry = (
  number: number,
  { stem = number, session = Math.floor(number / 10), direction = 1 } = {},
): Entry => ({
  number,
  session,
  timestamp: Date.UTC(2020, 0, 1) + number * 86_400_000,
  kind: 0,
  role: 'user',
  document: {
    stems: Uint32Array.of(stem),
    counts: Uint8Array.of(1),
    length: 1,
    words: new Uint32Array(),
    flags: 0,
    vector: new Int8Array(256).fill(direction),
  } satisfies Document,
});

/** Two hundred turns in sessions of ten; some are others than the rest. */
const turnsWith = (others: Record<number, Parameters<typeof entry>[1]>): Entry[] =>
  Array.from({ length: 200 }, (_, n) => entry(n, others[n]));

const query = (changes: Partial<CandidateQuery> = {}): CandidateQuery => ({
  stems: Uint32Array.of(ASKED),
  terms: [{ stem: ASKED, weight: 1, rarity: 1 }],
  vector: new Int8Array(256).fill(-1),
  dates: [],
  spans: [],
  ...changes,
});
const silent = { stems: new Uint32Array(), terms: [] };

/** Numbers of the chosen, `best` of the first pass and nothing else. */
const best = (entries: Entry[], asked: CandidateQuery, count: number, words = 0): number[] =>
  selectCandidates(searchRuns([], entries, {}), asked, {
    all: 0,
    best: count,
    words,
    vectors: 0,
    length: Infinity,
  }).chosen.map(({ number }) => number);

describe('the first pass', () => {
  it('brings a turn for its own words first, then what stands around them', () => {
    const turns = turnsWith({ 55: { stem: ASKED } });
    expect(best(turns, query(), 1)).toEqual([55]);
    expect(best(turns, query(), 3)).toEqual([54, 55, 56]);
    expect(best(turns, query(), 5)).toEqual([53, 54, 55, 56, 57]);
  });

  it('brings the rest of their session before other sessions', () => {
    expect(best(turnsWith({ 55: { stem: ASKED } }), query(), 10)).toEqual([
      50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
    ]);
  });

  it('does not take the neighbour of another session for one', () => {
    expect(best(turnsWith({ 60: { stem: ASKED } }), query(), 3)).toEqual([60, 61, 62]);
  });

  it('brings the nearer vector, and the turn of a date that is named', () => {
    expect(best(turnsWith({ 120: { direction: -1 } }), query(silent), 1)).toEqual([120]);
    const day = Math.floor((MAY - Date.UTC(2020, 0, 1)) / 86_400_000);
    const turns = [...turnsWith({}), entry(day, { session: 77 })];
    expect(best(turns, query({ ...silent, dates: [{ year: 2023, month: 5, day: 20 }] }), 1)).toEqual([day]);
  });

  it('always brings the best by their own words', () => {
    // Nothing stands beside turn 3 and its session is long; all of 50 to 59 hold the word and each other.
    const crowd = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [50 + i, { stem: ASKED }]));
    const rare = 4_100_000_003;
    const turns = turnsWith({ ...crowd, 3: { stem: rare } });
    const asked = query({
      stems: Uint32Array.of(ASKED, rare),
      terms: [
        { stem: ASKED, weight: 1, rarity: 1 },
        { stem: rare, weight: 0.9, rarity: 1 },
      ],
    });
    expect(best(turns, asked, 1)).not.toContain(3);
    expect(best(turns, asked, 1, 1)).toContain(3);
  });
});
