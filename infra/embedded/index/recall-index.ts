import type { DatabaseSync } from 'node:sqlite';
import { LIMITS, type Limits, selectCandidates } from '../../../projections/recall/candidates.ts';
import { type Candidate, type Neighbour, NO_NEIGHBOURS } from '../../../projections/recall/document.ts';
import { searchRuns, TURN } from '../../../projections/recall/run.ts';
import {
  analyseTail,
  placeTail,
  type TailAnalysis,
  type TailNumbers,
} from '../../../projections/recall/tail/entries.ts';
import type { Indexed } from '../../../projections/recall/tail/indexed.ts';
import { turnsAround } from '../../../projections/recall/turns-around.ts';
import type { RecallIndex, Retrieved, StoredFragment, TailTurn } from '../../../services/core/ports.ts';
import type { DecodeDocument } from './decode-document.ts';
import { type FragmentReader, openFragmentReader } from './fragment-reader.ts';
import { positionsOf, READ_POSITIONS } from './positions.ts';
import { openRecallDetails } from './recall-details.ts';
import { openScopeReader } from './scope-reader.ts';

/** Above every number of the index, so that a tail turn sorts after what is indexed at the same instant. */
const FIRST_TAIL_NUMBER = 2 ** 40;
const FIRST_TAIL_SESSION = 2 ** 40;

export interface RecallIndexOptions {
  reader: DatabaseSync;
  decodeDocument: DecodeDocument;
  analyse: TailAnalysis;
  /** Makes a function that yields to other requests between two steps of long work. */
  makeYieldWhenDue: () => () => Promise<void>;
  limits?: Limits;
}

export const openRecallIndex = ({
  reader,
  decodeDocument,
  analyse,
  makeYieldWhenDue,
  limits = LIMITS,
}: RecallIndexOptions): RecallIndex => {
  const readPositions = reader.prepare(`${READ_POSITIONS} WHERE place LIKE 'turns/%'`);
  const fragments: FragmentReader = openFragmentReader(reader, decodeDocument);
  const scopes = openScopeReader(reader, fragments);

  /** Tail turns that this snapshot has not settled. */
  const unsettled = (tail: readonly TailTurn[]): TailTurn[] => {
    if (tail.length === 0) return [];
    const positions = positionsOf(readPositions.all());
    return tail.filter(turn => turn.offset >= (positions[`turns/${turn.partition}`] ?? 0));
  };

  /** One transaction. `read` is synchronous, since another call on this connection would end the transaction. */
  const snapshot = <T>(read: () => T): T => {
    reader.exec('BEGIN');
    try {
      return read();
    } finally {
      reader.exec('COMMIT');
    }
  };

  const retrieve: RecallIndex['retrieve'] = async (scope, analyseQuery, tail) => {
    await analyseTail(unsettled(tail), analyse, makeYieldWhenDue());
    return snapshot(() => {
      const { segments, loose } = scopes.read(scope);
      const rest = placeTail(unsettled(tail), tailNumbers(scopes.sessionNumber), analyse);

      const sessions =
        scope.session === undefined
          ? undefined
          : new Set([...scopes.sessionsNamed(scope, scope.session), ...rest.sessionsNamed(scope.session)]);
      const { since, until, asOf } = scope;
      const searched = searchRuns(segments, [...loose, ...rest.entries], { sessions, since, until, asOf });
      const waiting = rest.entries.filter(({ kind }) => kind === TURN).map(({ role }) => role);
      const speakers = [...new Set([...scopes.roles(scope, searched), ...waiting])];
      const query = analyseQuery(speakers);
      const { chosen, complete, statistics } = selectCandidates(searched, query, limits);

      /** Fragments by their numbers, from the tail or the index. */
      const entriesOf = (numbers: readonly number[]): Map<number, Indexed> => {
        const entries = fragments.read(numbers.filter(number => !rest.has(number)));
        return new Map([
          ...entries.map(entry => [entry.number, entry] as const),
          ...numbers.flatMap(number => {
            const entry = rest.get(number);
            return entry ? [[number, entry] as const] : [];
          }),
        ]);
      };
      const entries = entriesOf(chosen.map(({ number }) => number));
      const candidates = chosen.map(({ number, session, timestamp, kind }): Candidate => {
        const { id, role, document } = entries.get(number)!;
        const name = kind === 0 ? 'turn' : 'observation';
        return { key: number, id, kind: name, session, role, timestamp, document, neighbours: NO_NEIGHBOURS };
      });

      const places = new Map(chosen.map(one => [one.number, one]));
      const neighbours: Retrieved['neighbours'] = async keys => {
        const turns = keys.flatMap(key => {
          const place = places.get(key);
          return place?.kind === 0 ? [place] : [];
        });
        const around = turnsAround(searched, turns);
        const wanted = new Set([...around.values()].flat().filter(number => number !== undefined));
        for (const [number, entry] of entriesOf([...wanted].filter(number => !entries.has(number))))
          entries.set(number, entry);
        const at = (number?: number): Neighbour | undefined =>
          number === undefined ? undefined : entries.get(number);
        return new Map(
          [...around].map(([key, [a, b, c, d]]) => [key, [at(a), at(b), at(c), at(d)] as const]),
        );
      };

      return {
        query,
        complete,
        candidates,
        neighbours,
        statistics: { ...statistics, speakers },
        fragment: (key): StoredFragment => rest.fragment(key) ?? fragments.stored(key),
      };
    });
  };

  return {
    retrieve,
    ...openRecallDetails(reader),
  };
};

/** Sessions of the index keep their number; other sessions and all entries get new ones. */
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
