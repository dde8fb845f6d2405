import type { DatabaseSync } from 'node:sqlite';
import { type Limits, selectCandidates } from '../../projections/recall/candidates.ts';
import {
  type Candidate,
  type Document,
  type Neighbour,
  NO_NEIGHBOURS,
} from '../../projections/recall/document.ts';
import { searchRuns } from '../../projections/recall/run.ts';
import { openSegment, type Segment } from '../../projections/recall/segment.ts';
import { turnsAround } from '../../projections/recall/turns-around.ts';
import type { RecallIndex, Retrieved, Scope, StoredFragment, TailTurn } from '../../services/ports.ts';
import { type FragmentReader, type Indexed, openFragmentReader } from './fragment-reader.ts';
import { scopeKey } from './projections-database.ts';
import { openRecallDetails } from './recall-details.ts';
import { segmentCache } from './segment-cache.ts';
import { analyseTail, placeTail, type TailAnalysis } from './tail-entries.ts';

/** All fragments of a scope up to 1,000; beyond, the best of a first pass. */
const LIMITS: Limits = { all: 1_000, best: 160, words: 24, vectors: 16 };

const MOST_SPEAKERS = 64;

/** Segments never change, so those read last stay open: about 32 MiB of them. */
const SEGMENT_CACHE_BYTES = 32 * 1024 * 1024;

export interface RecallIndexOptions {
  reader: DatabaseSync;
  decodeDocument: (bytes: Uint8Array) => Document;
  analyse: TailAnalysis;
  /** Makes what lets other requests run between two steps of long work. */
  makeBreathe: () => () => Promise<void>;
  limits?: Limits;
}

export const openRecallIndex = ({
  reader,
  decodeDocument,
  analyse,
  makeBreathe,
  limits = LIMITS,
}: RecallIndexOptions): RecallIndex => {
  const findScope = reader.prepare('SELECT no, segments, loose FROM scopes WHERE key = ?');
  const readSegments = reader.prepare(
    'SELECT seq, bytes FROM segments WHERE scope = ? AND seq IN (SELECT value FROM json_each(?))',
  );
  const rolesOfScope = reader.prepare(
    `SELECT role FROM speakers WHERE scope = ? AND last >= ? AND first <= ? ORDER BY role LIMIT ${MOST_SPEAKERS}`,
  );
  const rolesOfSession = reader.prepare(
    `SELECT DISTINCT role FROM fragments WHERE session IN (SELECT value FROM json_each(?)) AND kind = 0
     AND timestamp BETWEEN ? AND ? ORDER BY role LIMIT ${MOST_SPEAKERS}`,
  );
  const findSession = reader.prepare('SELECT no FROM sessions WHERE partition = ? AND name = ?');
  const findSessions = reader.prepare(
    `SELECT s.no FROM scopes p JOIN sessions s ON s.partition = p.no WHERE p.org = ? AND s.name = ?`,
  );
  const readPositions = reader.prepare(`SELECT place, offset FROM positions WHERE place LIKE 'turns/%'`);
  const fragments: FragmentReader = openFragmentReader(reader, decodeDocument);
  const segments = segmentCache(SEGMENT_CACHE_BYTES);

  const segmentsOf = (scope: number, count: number): Segment[] => {
    const missing: number[] = [];
    const found = Array.from({ length: count }, (_, seq) => {
      const segment = segments.get(scope, seq);
      if (!segment) missing.push(seq);
      return segment;
    });
    if (missing.length > 0) {
      for (const row of readSegments.all(scope, JSON.stringify(missing))) {
        const bytes = row.bytes as Uint8Array;
        found[Number(row.seq)] = segments.set(scope, Number(row.seq), openSegment(bytes), bytes.byteLength);
      }
    }
    return found as Segment[];
  };

  /** Tail turns that this snapshot doesn't show. */
  const unseen = (tail: readonly TailTurn[]): TailTurn[] => {
    if (tail.length === 0) return [];
    const positions = new Map(readPositions.all().map(row => [String(row.place), Number(row.offset)]));
    return tail.filter(turn => turn.offset >= (positions.get(`turns/${turn.partition}`) ?? 0));
  };

  const sessionNumber = (scope: Scope, name: string): number | undefined => {
    const partition = findScope.get(scopeKey(scope.org, scope.user));
    const row = partition && findSession.get(Number(partition.no), name);
    return row ? Number(row.no) : undefined;
  };

  /** A session is a number inside a user partition: over a whole organization one name may be many. */
  const sessionsNamed = (scope: Scope, name: string): number[] => {
    if (scope.user === undefined) return findSessions.all(scope.org, name).map(row => Number(row.no));
    const number = sessionNumber(scope, name);
    return number === undefined ? [] : [number];
  };

  const rolesOf = (scope: Scope): string[] => {
    const since = scope.since ?? Number.MIN_SAFE_INTEGER;
    const until = scope.until ?? Number.MAX_SAFE_INTEGER;
    if (scope.session !== undefined) {
      const sessions = JSON.stringify(sessionsNamed(scope, scope.session));
      return rolesOfSession.all(sessions, since, until).map(({ role }) => String(role));
    }
    const row = findScope.get(scopeKey(scope.org, scope.user));
    return row ? rolesOfScope.all(Number(row.no), since, until).map(({ role }) => String(role)) : [];
  };

  const retrieve: RecallIndex['retrieve'] = async (scope, query, tail) => {
    await analyseTail(unseen(tail), analyse, makeBreathe());
    // From here on nothing is awaited: one snapshot, which no other call on this connection may end.
    reader.exec('BEGIN');
    try {
      const row = findScope.get(scopeKey(scope.org, scope.user));
      const rest = placeTail(
        unseen(tail),
        (org, user, session) => sessionNumber({ org, user }, session),
        analyse,
      );
      const loose = row ? fragments.read([...new Uint32Array((row.loose as Uint8Array).slice().buffer)]) : [];
      const kept = row ? segmentsOf(Number(row.no), Number(row.segments)) : [];

      const sessions =
        scope.session === undefined
          ? undefined
          : new Set([...sessionsNamed(scope, scope.session), ...rest.sessionsNamed(scope.session)]);
      const window = { since: scope.since, until: scope.until, sessions };
      const searched = searchRuns(kept, [...loose, ...rest.entries], window);
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

      const speakers = new Set([...rolesOf(scope), ...rest.entries.map(entry => entry.role)]);
      return {
        complete,
        candidates,
        neighbours,
        statistics: { ...statistics, speakers: [...speakers] },
        fragment: (key): StoredFragment => rest.fragment(key) ?? fragments.stored(key),
      };
    } finally {
      reader.exec('COMMIT');
    }
  };

  return { retrieve, speakers: async scope => rolesOf(scope), ...openRecallDetails(reader) };
};
