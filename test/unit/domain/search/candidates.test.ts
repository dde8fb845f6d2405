import { describe, expect, it } from 'vitest';
import type { CandidateQuery } from '../../../../domain/search/candidate-query.ts';
import { type Limits, selectCandidates } from '../../../../domain/search/candidates.ts';
import type { Document } from '../../../../domain/search/document.ts';
import { buildSegment, mergeSegments } from '../../../../domain/search/segments/build-segment.ts';
import { searchRuns, type Window } from '../../../../domain/search/segments/run.ts';
import { type Entry, openSegment, type Segment } from '../../../../domain/search/segments/segment.ts';
import { distance, signature } from '../../../../domain/search/segments/signature.ts';

/** A small generator with a seed, so that a failure repeats (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

const documentOf = (next: () => number): Document => {
  const counts = new Map<number, number>();
  const length = 1 + Math.floor(next() * 12);
  for (let i = 0; i < length; i++) {
    const stem = Math.floor(next() ** 3 * 200) * 20_000_003;
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const stems = Uint32Array.from(counts.keys()).sort();
  return {
    stems,
    counts: Uint8Array.from(stems, stem => counts.get(stem)!),
    length,
    words: new Uint32Array(),
    flags: 0,
    vector: Int8Array.from({ length: 256 }, () => Math.floor(next() * 255) - 127),
  };
};

const scope = (size: number, seed = 1): Entry[] => {
  const next = random(seed);
  return Array.from({ length: size }, (_, number) => ({
    number,
    session: Math.floor(number / 17),
    timestamp: 1_700_000_000_000 + number * 1000,
    recorded: 1_700_000_000_000 + number * 1000 + 500,
    kind: next() < 0.1 ? 1 : 0,
    role: number % 2 ? 'assistant' : 'user',
    document: documentOf(next),
  }));
};

const queryOf = (entries: Entry[], number: number): CandidateQuery => {
  const { stems, vector } = entries[number]!.document;
  return {
    stems,
    terms: [...stems].map(stem => ({ stem, weight: 1, rarity: 1 })),
    vector,
    dates: [],
    spans: [],
  };
};

const segmented = (entries: Entry[], size: number) =>
  Array.from({ length: Math.floor(entries.length / size) }, (_, i) =>
    openSegment(buildSegment(entries.slice(i * size, (i + 1) * size))),
  );

const select = (segments: Segment[], loose: Entry[], query: CandidateQuery, window: Window, most: Limits) =>
  selectCandidates(searchRuns(segments, loose, window), query, most);

const limits = { all: 1_000, best: 60, words: 20, vectors: 10, length: Infinity };

describe('selectCandidates', () => {
  const entries = scope(3_000);
  const segments = segmented(entries, 512);
  const loose = entries.slice(512 * segments.length);

  it('chooses the same from segments as from the same fragments read one by one', () => {
    for (const number of [3, 700, 2_999]) {
      const query = queryOf(entries, number);
      const windows = [
        {},
        { since: 1_700_000_500_000, until: 1_700_002_000_000 },
        { sessions: new Set([4, 90]) },
      ];
      for (const window of windows) {
        const fromSegments = select(segments, loose, query, window, limits);
        const fromEntries = select([], entries, query, window, limits);
        expect(fromSegments.chosen).toEqual(fromEntries.chosen);
        expect(fromSegments.statistics.turns).toBe(fromEntries.statistics.turns);
        for (const stem of query.stems) {
          expect(fromSegments.statistics.turnsWith(stem)).toBe(fromEntries.statistics.turnsWith(stem));
          expect(fromSegments.statistics.sessionsWith(stem)).toBe(fromEntries.statistics.sessionsWith(stem));
        }
        expect(fromSegments.statistics.session(41)).toEqual(fromEntries.statistics.session(41));
      }
    }
  });

  it('counts turns, not observations, and only inside the window', () => {
    const query = queryOf(entries, 42);
    const window = { since: entries[100]!.timestamp, until: entries[1_999]!.timestamp };
    const inside = entries.slice(100, 2_000).filter(entry => entry.kind === 0);
    const { statistics } = select(segments, loose, query, window, limits);
    expect(statistics.turns).toBe(inside.length);
    expect(statistics.meanLength).toBeCloseTo(
      inside.reduce((sum, { document }) => sum + document.length, 0) / inside.length,
    );
    const stem = query.stems[0]!;
    expect(statistics.turnsWith(stem)).toBe(
      inside.filter(({ document }) => document.stems.includes(stem)).length,
    );
  });

  it('brings the fragment itself for its own words, and for its own vector', () => {
    for (const number of [0, 511, 512, 1_500, 2_998]) {
      const query = queryOf(entries, number);
      const numbers = select(segments, loose, query, {}, limits).chosen.map(chosen => chosen.number);
      expect(numbers).toContain(number);
      expect(numbers.length).toBeLessThanOrEqual(200);
      const byVector = select(segments, loose, { ...query, stems: new Uint32Array(), terms: [] }, {}, limits);
      expect(byVector.chosen.map(chosen => chosen.number)).toContain(number);
    }
  });

  it('brings what is said beside the words of the query, of their session and of its date', () => {
    const [asked, answer] = [entries[1_500]!, entries[1_501]!];
    const rare = 4_000_000_007;
    const own = { ...asked.document, stems: Uint32Array.of(rare), counts: Uint8Array.of(1), length: 1 };
    const told = entries.map(entry => (entry === asked ? { ...entry, kind: 0, document: own } : entry));
    const query = {
      stems: Uint32Array.of(rare),
      terms: [{ stem: rare, weight: 1, rarity: 1 }],
      vector: new Int8Array(256),
      dates: [],
      spans: [],
    };
    const few = { all: 0, best: 5, words: 1, vectors: 0, length: Infinity };
    const numbers = select(segmented(told, 64), [], query, {}, few).chosen.map(({ number }) => number);
    expect(answer.session).toBe(asked.session);
    expect(numbers).toEqual(expect.arrayContaining([asked.number, answer.number]));

    const late = told.map(entry =>
      entry.number === 7 ? { ...entry, timestamp: Date.UTC(2020, 4, 9) } : entry,
    );
    const dated = { ...query, stems: new Uint32Array(), terms: [], dates: [{ year: 2020, month: 5 }] };
    const one = { all: 0, best: 1, words: 1, vectors: 0, length: Infinity };
    expect(select([], late, dated, {}, one).chosen).toEqual([expect.objectContaining({ number: 7 })]);
  });

  it('chooses no more words than a search can hold: the best, whose words they are', () => {
    const query = queryOf(entries, 42);
    const numbers = (length: number, all: number): number[] =>
      select(segments, loose, query, {}, { ...limits, all, length }).chosen.map(({ number }) => number);
    const lengthOf = (chosen: number[]): number =>
      chosen.reduce((sum, number) => sum + entries[number]!.document.length, 0);
    const unbounded = numbers(Infinity, 0);
    for (const most of [100, 250]) {
      const chosen = numbers(most, 0);
      expect(lengthOf(chosen)).toBeLessThanOrEqual(most);
      expect(lengthOf(chosen)).toBeGreaterThan(most - 13);
      expect(unbounded).toEqual(expect.arrayContaining(chosen));
      expect(chosen).toContain(42);
    }
    // Long ones are passed over, whatever they share with the query.
    const long = entries.map((entry, i) =>
      i % 10 === 0 ? { ...entry, document: { ...entry.document, length: 5_000 } } : entry,
    );
    const short = select([], long, query, {}, { ...limits, all: 0, length: 4_000 }).chosen;
    expect(short.length).toBeGreaterThan(30);
    expect(short.every(({ number }) => number % 10 !== 0)).toBe(true);
    expect(short.map(({ number }) => number)).toContain(42);
    // Also of a scope that is small but for its words; and never nothing.
    expect(lengthOf(numbers(100, 10_000))).toBeLessThanOrEqual(100);
    expect(numbers(0, 0)).toHaveLength(1);
    expect(numbers(1_000_000, 10_000)).toHaveLength(3_000);
  });

  it('chooses all of a small scope, and nothing of an empty one', () => {
    const query = queryOf(entries, 1);
    const small = select([], entries.slice(0, 1_000), query, {}, limits);
    expect(small.complete).toBe(true);
    expect(small.chosen).toHaveLength(1_000);
    const none = select([], [], query, {}, limits);
    expect(none.chosen).toEqual([]);
    expect(none.statistics.meanLength).toBe(0);
  });
});

describe('a segment', () => {
  it('reads back what was written, from bytes at any alignment', () => {
    const entries = scope(77, 5);
    const bytes = buildSegment(entries);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const segment = openSegment(shifted.subarray(3));
    expect([...segment.numbers]).toEqual(entries.map(entry => entry.number));
    expect([...segment.timestamps]).toEqual(entries.map(entry => entry.timestamp));
    expect([...segment.lengths]).toEqual(entries.map(entry => entry.document.length));
    const postings = new Map<number, string[]>();
    segment.terms.forEach((term, t) => {
      const list: string[] = [];
      for (let i = segment.starts[t]!; i < segment.starts[t + 1]!; i++)
        list.push(`${segment.posted[i]}:${segment.occurrences[i]}`);
      postings.set(term, list);
    });
    const expected = new Map<number, string[]>();
    entries.forEach(({ document }, i) => {
      document.stems.forEach((stem, s) => {
        expected.set(stem, [...(expected.get(stem) ?? []), `${i}:${document.counts[s]}`]);
      });
    });
    expect(postings).toEqual(new Map([...expected].sort((a, b) => a[0] - b[0])));
  });

  it('is the same merged from smaller ones as built of all fragments', () => {
    const entries = scope(300, 9);
    for (const size of [300, 64, 7]) {
      const parts = Array.from({ length: Math.ceil(entries.length / size) }, (_, i) =>
        openSegment(buildSegment(entries.slice(i * size, (i + 1) * size))),
      );
      expect(mergeSegments(parts)).toEqual(buildSegment(entries));
    }
  });

  it('counts the components of different sign', () => {
    const signatures = new Uint32Array(16);
    signature(new Int8Array(256).fill(1), signatures, 0);
    signature(
      Int8Array.from({ length: 256 }, (_, i) => (i < 10 ? -1 : 1)),
      signatures,
      8,
    );
    expect(distance(signatures, 0, signatures, 8)).toBe(10);
  });
});
