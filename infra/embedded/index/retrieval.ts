import type { DatabaseSync } from 'node:sqlite';
import type { Retrieval, Scope, TailTurn } from '../../../core/ports.ts';
import { LIMITS, type Limits, selectCandidates } from '../../../domain/search/candidates.ts';
import { extentOf, type Searched, searchRuns, TURN } from '../../../domain/search/segments/run.ts';
import { neighboursOf, turnsAround } from '../../../domain/search/turns-around.ts';
import {
  analyseTail,
  type NumberedTail,
  numberTail,
  type TailAnalysis,
  type TailNumbers,
} from '../../../projections/recall/tail/entries.ts';
import { candidateOf, type Indexed } from '../../../projections/recall/tail/indexed.ts';
import { matchesScope } from '../../../projections/recall/tail/matches-scope.ts';
import { positionsOf, READ_POSITIONS } from './file/positions.ts';
import type { DecodeDocument } from './read/decode-document.ts';
import { inSnapshot } from './read/projections-reader.ts';
import { openHorizons } from './read/search/answers-reader.ts';
import { type FragmentReader, openFragmentReader } from './read/search/fragment-reader.ts';
import { openScopeReader } from './read/search/scope-reader.ts';
import { openVectorReader } from './read/search/vector-reader.ts';

/**
 * Greater than every number of the index, so that a tail turn sorts after indexed turns with the same
 * timestamp.
 */
const FIRST_TAIL_NUMBER = 2 ** 40;
const FIRST_TAIL_SESSION = 2 ** 40;

export interface RetrievalOptions {
  reader: DatabaseSync;
  decodeDocument: DecodeDocument;
  analyse: TailAnalysis;
  /** Returns a function that yields to other requests between two steps of long work. */
  makeYieldWhenDue: () => () => Promise<void>;
  limits?: Limits;
}

/** The data that one recall read from a scope: the searched runs, the tail, and the chosen fragments. */
interface ScopeSnapshot {
  searched: Searched[];
  tail: NumberedTail;
  entries: ReadonlyMap<number, Indexed>;
}

export const openRetrieval = ({
  reader,
  decodeDocument,
  analyse,
  makeYieldWhenDue,
  limits: ofRecall = LIMITS,
}: RetrievalOptions): Retrieval<ScopeSnapshot> => {
  const readPositions = reader.prepare(`${READ_POSITIONS} WHERE partition LIKE 'turns/%'`);
  const fragments: FragmentReader = openFragmentReader(reader, decodeDocument);
  const scopes = openScopeReader(reader, fragments);
  const vectorsOf = openVectorReader(reader);
  const horizonOf = openHorizons(reader);

  /** Returns the tail turns that this snapshot has not settled. */
  const unsettled = (tail: readonly TailTurn[]): TailTurn[] => {
    if (tail.length === 0) return [];
    const positions = positionsOf(readPositions.all());
    return tail.filter(turn => turn.offset >= (positions[`turns/${turn.partition}`] ?? 0));
  };

  /**
   * Runs the synchronous `read` in one transaction; another call on this connection would end the
   * transaction.
   */
  const inTransaction = <T>(read: () => T): T => inSnapshot(reader, read);

  /** Searches the window of a scope, and finds the speakers in it. */
  const searchScope = (scope: Scope, tail: NumberedTail): { searched: Searched[]; speakers: string[] } => {
    const { segments, loose, passing } = scopes.read(scope);
    const { session, since, until, asOf } = scope;
    const sessions =
      session === undefined
        ? undefined
        : new Set([...scopes.sessionsNamed(scope, session), ...tail.sessionsNamed(session)]);
    const horizon = horizonOf(scope.org);
    const window = { sessions, since, until, asOf, horizon, metadata: passing };
    const searched = searchRuns(segments, [...loose, ...tail.entries], window);
    const waiting = tail.entries.filter(({ kind }) => kind === TURN).map(({ role }) => role);
    return { searched, speakers: [...new Set([...scopes.roles(scope, searched), ...waiting])] };
  };

  /** Reads fragments by their numbers, from the tail or the index. */
  const entriesOf = (tail: NumberedTail, numbers: readonly number[]): Map<number, Indexed> => {
    const ofIndex = fragments.read(numbers.filter(number => !tail.has(number)));
    const ofTail = numbers.flatMap(number => tail.get(number) ?? []);
    return new Map([...ofIndex, ...ofTail].map(entry => [entry.number, entry]));
  };

  return {
    retrieve: async (scope, analyseQuery, recent, _signal, limits = ofRecall) => {
      // Facts in the tail count whether their turn passes or not.
      const all = scope.filter ? recent.filter(turn => matchesScope(scope, turn)) : recent;
      await analyseTail(unsettled(all), analyse, makeYieldWhenDue());
      await scopes.prepare(scope, makeYieldWhenDue());
      return inTransaction(() => {
        const tail = numberTail(unsettled(all), tailNumbers(scopes.sessionNumber), analyse);
        const { searched, speakers } = searchScope(scope, tail);
        const query = analyseQuery(speakers, () => extentOf(searched));
        const { chosen, complete, statistics } = selectCandidates(searched, query, limits);
        const entries = entriesOf(
          tail,
          chosen.map(({ number }) => number),
        );
        return {
          query,
          complete,
          candidates: chosen.map(({ number }) => candidateOf(entries.get(number)!)),
          statistics: { ...statistics, speakers },
          snapshot: { searched, tail, entries },
        };
      });
    },
    surround: async ({ searched, tail, entries }, keys) => {
      const turns = keys.flatMap(key => entries.get(key) ?? []).filter(({ kind }) => kind === TURN);
      const around = turnsAround(searched, turns);
      const wanted = new Set([...around.values()].flat().filter(number => number !== undefined));
      const others = entriesOf(
        tail,
        [...wanted].filter(number => !entries.has(number)),
      );
      return neighboursOf(around, number => entries.get(number) ?? others.get(number));
    },
    vectors: async (_snapshot, ids, model) =>
      new Map(vectorsOf(ids, model).map(({ id, vectors }) => [id, vectors])),
    fragments: async ({ tail }, keys) => {
      const stored = fragments.stored(keys.filter(key => !tail.has(key)));
      for (const key of keys) {
        const fragment = tail.fragment(key);
        if (fragment) stored.set(key, fragment);
      }
      return stored;
    },
  };
};

/** Numbers the tail: sessions of the index keep their number; other sessions and all entries get new ones. */
const tailNumbers = (
  indexed: (scope: Pick<TailTurn, 'org' | 'user'>, session: string) => number | undefined,
): TailNumbers => {
  const sessions = new Map<string, number>();
  let entries = 0;
  return {
    session: turn => {
      const name = JSON.stringify([turn.user, turn.session]);
      let number = sessions.get(name);
      if (number === undefined) {
        number = indexed(turn, turn.session) ?? FIRST_TAIL_SESSION + sessions.size;
        sessions.set(name, number);
      }
      return number;
    },
    entry: () => FIRST_TAIL_NUMBER + entries++,
  };
};
