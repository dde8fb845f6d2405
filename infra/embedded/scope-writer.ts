import type { DatabaseSync } from 'node:sqlite';
import { buildSegment, type Entry, mergeSegments, openSegment } from '../../projections/recall/segment.ts';
import type { DecodeDocument } from './projection-store.ts';
import { bytesOfNumbers, numbersOf, scopeKey, seqOfSmall } from './projections-database.ts';

/** Loose fragments are read one by one, so that they soon become a small segment; small ones are merged to a large one. */
const SMALL = 64;
const SMALL_IN_LARGE = 8;
const CACHED = 10_000;

/** Where a fragment belongs, by the numbers of the projections' file. */
interface Place {
  organization: number;
  partition: number;
  session: number;
}

interface Added {
  number: number;
  kind: number;
  timestamp: number;
  role: string;
  document: Uint8Array;
}

interface ScopeState {
  segments: number;
  /** First fragments of the small segments. */
  small: number[];
  loose: number[];
  /** When each role was first and last heard in the running batch. */
  heard: Map<string, { first: number; last: number }>;
}

/**
 * Keeps each scope's list of fragments while the projector writes: appended to in memory, written once a batch, and
 * made into a segment when it is long enough. Everything cached here is also in the file.
 */
export const openScopeWriter = (database: DatabaseSync, decodeDocument: DecodeDocument) => {
  const findScope = database.prepare('SELECT no FROM scopes WHERE key = ?');
  const insertScope = database.prepare(
    `INSERT INTO scopes (key, org, segments, small, loose) VALUES (?, ?, 0, x'', x'')`,
  );
  const readScope = database.prepare('SELECT segments, small, loose FROM scopes WHERE no = ?');
  const writeScope = database.prepare('UPDATE scopes SET segments = ?, small = ?, loose = ? WHERE no = ?');
  const findSession = database.prepare('SELECT no FROM sessions WHERE partition = ? AND name = ?');
  const insertSession = database.prepare('INSERT INTO sessions (partition, name) VALUES (?, ?)');
  const writeSpeaker = database.prepare(
    `INSERT INTO speakers VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`,
  );
  const insertSegment = database.prepare('INSERT INTO segments VALUES (?, ?, ?)');
  const readSegment = database.prepare('SELECT bytes FROM segments WHERE scope = ? AND seq = ?');
  const deleteSegment = database.prepare('DELETE FROM segments WHERE scope = ? AND seq = ?');
  const readEntries = database.prepare(
    `SELECT no, session, timestamp, kind, document FROM fragments
     WHERE no IN (SELECT value FROM json_each(?)) ORDER BY no`,
  );

  const numbers = new Map<string, number>();
  const states = new Map<number, ScopeState>();
  const dirty = new Set<number>();

  const numberOf = (
    name: string,
    find: () => { no?: unknown } | undefined,
    insert: () => unknown,
  ): number => {
    let number = numbers.get(name);
    if (number === undefined) {
      number = Number(find()?.no ?? insert());
      numbers.set(name, number);
    }
    return number;
  };
  const scopeNumber = (org: string, user?: string): number => {
    const key = scopeKey(org, user);
    return numberOf(
      key,
      () => findScope.get(key),
      () => insertScope.run(key, org).lastInsertRowid,
    );
  };

  const stateOf = (scope: number): ScopeState => {
    let state = states.get(scope);
    if (!state) {
      const row = readScope.get(scope)!;
      state = {
        segments: Number(row.segments),
        small: numbersOf(row.small as Uint8Array),
        loose: numbersOf(row.loose as Uint8Array),
        heard: new Map(),
      };
      states.set(scope, state);
    }
    return state;
  };

  const entriesOf = (fragments: number[]): Entry[] =>
    readEntries.all(JSON.stringify(fragments)).map(row => ({
      number: Number(row.no),
      session: Number(row.session),
      timestamp: Number(row.timestamp),
      kind: Number(row.kind),
      document: decodeDocument(row.document as Uint8Array),
    }));

  const addTo = (scope: number, added: Added): void => {
    const state = stateOf(scope);
    state.loose.push(added.number);
    dirty.add(scope);
    if (added.kind !== 0) return;
    const { first, last } = state.heard.get(added.role) ?? { first: added.timestamp, last: added.timestamp };
    state.heard.set(added.role, {
      first: Math.min(first, added.timestamp),
      last: Math.max(last, added.timestamp),
    });
  };

  const mergeSmall = (scope: number, state: ScopeState): void => {
    const seqs = state.small.map(seqOfSmall);
    const segments = seqs.map(seq => openSegment(readSegment.get(scope, seq)!.bytes as Uint8Array));
    insertSegment.run(scope, state.segments, mergeSegments(segments));
    for (const seq of seqs) deleteSegment.run(scope, seq);
    state.segments++;
    state.small = [];
  };

  return {
    partition: (org: string, user: string): number => scopeNumber(org, user),
    place: (org: string, user: string, session: string): Place => {
      const partition = scopeNumber(org, user);
      return {
        organization: scopeNumber(org),
        partition,
        session: numberOf(
          `${partition}\n${session}`,
          () => findSession.get(partition, session),
          () => insertSession.run(partition, session).lastInsertRowid,
        ),
      };
    },
    add: (place: Place, added: Added): void => {
      addTo(place.partition, added);
      addTo(place.organization, added);
    },
    /** Writes what changed; full runs of loose fragments become segments. */
    flush: (): void => {
      for (const scope of dirty) {
        const state = stateOf(scope);
        while (state.loose.length >= SMALL) {
          const numbers = state.loose.splice(0, SMALL);
          insertSegment.run(scope, seqOfSmall(numbers[0]!), buildSegment(entriesOf(numbers)));
          state.small.push(numbers[0]!);
          if (state.small.length === SMALL_IN_LARGE) mergeSmall(scope, state);
        }
        for (const [role, { first, last }] of state.heard) writeSpeaker.run(scope, role, first, last);
        state.heard.clear();
        writeScope.run(state.segments, bytesOfNumbers(state.small), bytesOfNumbers(state.loose), scope);
      }
      dirty.clear();
      if (states.size > CACHED) states.clear();
      if (numbers.size > CACHED * 4) numbers.clear();
    },
    /** After a rollback nothing that is remembered is true. */
    forget: (): void => {
      states.clear();
      numbers.clear();
      dirty.clear();
    },
  };
};
