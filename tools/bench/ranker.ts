/**
 * Measures ranking alone, in this process on one core: the table, the analysis of turns, one query over 500
 * candidates.
 */
import { readFileSync } from 'node:fs';
import { makeLanguage } from '../../domain/language/language.ts';
import { rankDeep } from '../../domain/ranking/deep.ts';
import { prepare } from '../../domain/ranking/features/features.ts';
import { rank } from '../../domain/ranking/rank.ts';
import { bm25 } from '../../domain/search/bm25.ts';
import type { Candidate } from '../../domain/search/document.ts';
import { offlineScope } from '../evaluation/offline.ts';
import { type Conversation, question, seededRandom, TURNS_OF_A_SESSION } from './load/conversation.ts';

const CANDIDATES = 500;
const ANALYSED = 20_000;
const QUERIES = 300;
const TABLE = new URL('../../domain/language/vectors/static-vectors.bin', import.meta.url);

export interface RankerFigures {
  tableMegabytes: number;
  /** Milliseconds to read and open the table's file. */
  tableMs: number;
  /** Turns analysed and encoded per second of CPU. */
  turnsPerSecond: number;
  /** Milliseconds per query over 500 candidates with the turns around them. */
  active: number[];
  deep: number[];
  /** BM25 of the same candidates by their own words, which every ranking needs. */
  floor: number[];
}

const megabyte = 1e6;
const secondsOfCpu = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};
const milliseconds = (work: () => void): number => {
  const started = performance.now();
  work();
  return performance.now() - started;
};

export const measureRanker = (conversation: Conversation): RankerFigures => {
  const started = performance.now();
  const bytes = new Uint8Array(readFileSync(TABLE));
  const language = makeLanguage(bytes);
  const tableMs = performance.now() - started;

  const said = (first: number, count: number) =>
    (JSON.parse(conversation.body({ user: 'ranker', session: 's' }, first, count)) as Said).turns;
  const analyse = ({ role, text, timestamp }: Said['turns'][number]) =>
    language.encodeDocument(language.analyse(text, { role, timestamp: Date.parse(timestamp) }));
  for (const turn of said(ANALYSED, ANALYSED)) analyse(turn);
  const turns = said(0, ANALYSED);
  const analysis = secondsOfCpu(() => turns.forEach(analyse));

  const sessions = Array.from({ length: CANDIDATES / TURNS_OF_A_SESSION }, (_, s) => ({
    id: `s${s}`,
    turns: said(s * TURNS_OF_A_SESSION, TURNS_OF_A_SESSION).map((turn, t) => ({ ...turn, id: `${s}-${t}` })),
  }));
  const scope = offlineScope(language, { id: 'ranker', sessions, questions: [] });
  const random = seededRandom(1);
  const figures: RankerFigures = {
    tableMegabytes: bytes.length / megabyte,
    tableMs,
    turnsPerSecond: ANALYSED / analysis,
    active: [],
    deep: [],
    floor: [],
  };
  for (let i = 0; i < QUERIES; i++) {
    const query = language.analyseQuery(question(random), scope.speakers);
    const statistics = scope.statistics(query.stems);
    const fresh = () => prepare(query, statistics, scope.candidates);
    // The first third warms up the compiler.
    const kept = i >= QUERIES / 3;
    const active = milliseconds(() => rank(fresh(), scope.candidates));
    const deep = milliseconds(() => rankDeep(fresh(), scope.candidates));
    const floor = milliseconds(() => ownWords(scope.candidates, fresh().scope, query.stems));
    if (!kept) continue;
    figures.active.push(active);
    figures.deep.push(deep);
    figures.floor.push(floor);
  }
  return figures;
};

interface Said {
  turns: { role: string; text: string; timestamp: string }[];
}

const ownWords = (
  candidates: readonly Candidate[],
  { idf, idfSum, meanLength }: ReturnType<typeof prepare>['scope'],
  stems: Uint32Array,
): number[] =>
  candidates
    .map(({ document }) => {
      const counts = Array.from(stems, stem => document.counts[document.stems.indexOf(stem)] ?? 0);
      return bm25(counts, document.length, meanLength, idf, idfSum, 0.9, 0.4);
    })
    .sort((a, b) => b - a);
