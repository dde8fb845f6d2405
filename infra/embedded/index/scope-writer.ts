import type { DatabaseSync } from 'node:sqlite';
import { scopeDigest } from '../../../projections/recall/identity.ts';
import {
  buildSegment,
  type Entry,
  mergeSegments,
  openSegment,
  withoutFragments,
} from '../../../projections/recall/segment.ts';
import { makeRecent } from '../../../projections/recall/tail/recent.ts';
import type { DecodeDocument } from './projection-store.ts';
import {
  bytesOfNumbers,
  bytesOfPlaces,
  numbersOf,
  placesOf,
  type SegmentPlace,
  scopeKey,
} from './projections-database.ts';

/** Loose fragments are read one by one, so that they soon become a segment. */
const SMALLEST = 64;
/** As many of a level are merged into one of the next: a scope of any size is a few segments. */
const MERGED = 8;
/** 32,768 fragments; a segment's postings name up to 65,536. */
const HIGHEST_LEVEL = 3;
const CACHED = 10_000;
/** Fragments, a kilobyte or two each: an organization's next segment is among them, and those of whom it hears from now. */
const RECENT = 4_096;

/** Where a fragment belongs, by the numbers of the projections' file. */
interface Place {
  organization: number;
  partition: number;
  session: number;
}

interface Added extends Omit<Required<Entry>, 'session' | 'document'> {
  /** Encoded. */
  document: Uint8Array;
}

interface ScopeState {
  /** In the order of their fragments, so their levels never rise. */
  segments: SegmentPlace[];
  loose: number[];
  /** Roles of the running batch's turns. */
  heard: Set<string>;
}

/**
 * Keeps each scope's list of fragments while the projector writes: appended to in memory, written once a batch, and
 * made into a segment when it is long enough. Everything cached here is also in the file.
 */
export const openScopeWriter = (database: DatabaseSync, decodeDocument: DecodeDocument) => {
  const findScope = database.prepare('SELECT no FROM scopes WHERE key = ?');
  const insertScope = database.prepare(
    `INSERT INTO scopes (key, org, user, owner, rewritten, segments, loose) VALUES (?, ?, ?, ?, 0, x'', x'')`,
  );
  const readScope = database.prepare('SELECT segments, loose FROM scopes WHERE no = ?');
  const writeScope = database.prepare('UPDATE scopes SET segments = ?, loose = ? WHERE no = ?');
  const countRewrite = database.prepare('UPDATE scopes SET rewritten = rewritten + 1 WHERE no = ?');
  const findSession = database.prepare('SELECT no FROM sessions WHERE partition = ? AND name = ?');
  const insertSession = database.prepare('INSERT INTO sessions (partition, name) VALUES (?, ?)');
  const writeSpeaker = database.prepare('INSERT OR IGNORE INTO speakers VALUES (?, ?)');
  const insertSegment = database.prepare(
    'INSERT INTO segments (scope, level, first, bytes) VALUES (?, ?, ?, ?)',
  );
  const readSegment = database.prepare(
    'SELECT bytes FROM segments WHERE scope = ? AND first = ? AND level = ?',
  );
  const deleteSegment = database.prepare('DELETE FROM segments WHERE scope = ? AND first = ? AND level = ?');
  const readEntries = database.prepare(
    `SELECT no, session, timestamp, recorded, kind, role, document FROM fragments
     WHERE no IN (SELECT value FROM json_each(?)) ORDER BY no`,
  );

  const numbers = new Map<string, number>();
  const states = new Map<number, ScopeState>();
  const dirty = new Set<number>();
  /** Fragments of the last batches: a segment is made of these, and read from the file after a start alone. */
  let recent = makeRecent<number, Entry>(RECENT);
  let lastPlace: { org: string; user: string; session: string; place: Place } | undefined;

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
      () => {
        const owner = scopeDigest(user === undefined ? [org] : [org, user]);
        return insertScope.run(key, org, user ?? null, owner).lastInsertRowid;
      },
    );
  };

  const stateOf = (scope: number): ScopeState => {
    let state = states.get(scope);
    if (!state) {
      const row = readScope.get(scope)!;
      state = {
        segments: placesOf(row.segments as Uint8Array),
        loose: numbersOf(row.loose as Uint8Array),
        heard: new Set(),
      };
      states.set(scope, state);
    }
    return state;
  };

  const storedEntries = (fragments: number[]): Entry[] =>
    readEntries.all(JSON.stringify(fragments)).map(row => ({
      number: Number(row.no),
      session: Number(row.session),
      timestamp: Number(row.timestamp),
      recorded: Number(row.recorded),
      kind: Number(row.kind),
      role: String(row.role),
      document: decodeDocument(row.document as Uint8Array),
    }));

  const entriesOf = (fragments: number[]): Entry[] => {
    const known = fragments.flatMap(number => recent.get(number) ?? []);
    return known.length === fragments.length
      ? known.sort((a, b) => a.number - b.number)
      : storedEntries(fragments);
  };

  const addTo = (scope: number, { number, kind, role }: Entry): void => {
    const state = stateOf(scope);
    state.loose.push(number);
    dirty.add(scope);
    if (kind === 0) state.heard.add(role);
  };

  /** Appends a segment; the last eight of one level become one of the next, and so on. */
  const addSegment = (scope: number, state: ScopeState, place: SegmentPlace, bytes: Uint8Array): void => {
    const { level, first } = place;
    insertSegment.run(scope, level, first, bytes);
    state.segments.push(place);
    const last = state.segments.slice(-MERGED);
    const full = last.length === MERGED && last.every(each => each.level === level);
    if (!full || level === HIGHEST_LEVEL) return;
    const parts = last.map(each =>
      openSegment(readSegment.get(scope, each.first, level)!.bytes as Uint8Array),
    );
    for (const each of last) deleteSegment.run(scope, each.first, level);
    state.segments.length -= MERGED;
    addSegment(scope, state, { level: level + 1, first: last[0]!.first }, mergeSegments(parts));
  };

  return {
    partition: (org: string, user: string): number => scopeNumber(org, user),
    /** A turn's writes come one after the other, and those of its session: looked for once. */
    place: (org: string, user: string, session: string): Place => {
      if (lastPlace?.session === session && lastPlace.user === user && lastPlace.org === org)
        return lastPlace.place;
      const partition = scopeNumber(org, user);
      const number = numberOf(
        `${partition}\n${session}`,
        () => findSession.get(partition, session),
        () => insertSession.run(partition, session).lastInsertRowid,
      );
      const place = { organization: scopeNumber(org), partition, session: number };
      lastPlace = { org, user, session, place };
      return place;
    },
    add: ({ partition, organization, session }: Place, { document, ...added }: Added): void => {
      const entry = recent.set(added.number, { ...added, session, document: decodeDocument(document) });
      addTo(partition, entry);
      addTo(organization, entry);
    },
    /** Writes what changed; full runs of loose fragments become segments. */
    flush: (): void => {
      for (const scope of dirty) {
        const state = stateOf(scope);
        while (state.loose.length >= SMALLEST) {
          const numbers = state.loose.splice(0, SMALLEST);
          addSegment(scope, state, { level: 0, first: numbers[0]! }, buildSegment(entriesOf(numbers)));
        }
        for (const role of state.heard) writeSpeaker.run(scope, role);
        state.heard.clear();
        writeScope.run(bytesOfPlaces(state.segments), bytesOfNumbers(state.loose), scope);
      }
      dirty.clear();
      if (states.size > CACHED) states.clear();
      if (numbers.size > CACHED * 4) numbers.clear();
    },
    /**
     * Takes fragments out of a scope's lists, and writes them. All of `fragments` should be there.
     * Its segments are read where their first fragments say that they hold one, and all of them if that was not enough.
     */
    remove: (scope: number, fragments: ReadonlySet<number>): void => {
      const state = stateOf(scope);
      const before = state.loose.length;
      state.loose = state.loose.filter(number => !fragments.has(number));
      let left = fragments.size - (before - state.loose.length);

      const rewrite = (place: SegmentPlace): SegmentPlace[] => {
        const segment = openSegment(readSegment.get(scope, place.first, place.level)!.bytes as Uint8Array);
        const bytes = withoutFragments(segment, fragments);
        if (!bytes) return [place];
        deleteSegment.run(scope, place.first, place.level);
        if (bytes.length === 0) {
          left -= segment.size;
          return [];
        }
        const rest = openSegment(bytes);
        left -= segment.size - rest.size;
        const made = { level: place.level, first: rest.numbers[0]! };
        insertSegment.run(scope, made.level, made.first, bytes);
        return [made];
      };
      const sorted = [...fragments].sort((a, b) => a - b);
      const mayHold = (i: number): boolean => {
        const { first } = state.segments[i]!;
        const end = state.segments[i + 1]?.first ?? Number.POSITIVE_INFINITY;
        const next = sorted[lowerBound(sorted, first)];
        return next !== undefined && next < end;
      };
      const likely = state.segments.map((_, i) => mayHold(i));
      let places = state.segments.map((place, i) => (likely[i] ? rewrite(place) : [place]));
      // Words that were extracted before their client said them have a number from before their turn's.
      if (left > 0) places = places.map((place, i) => (likely[i] ? place : place.flatMap(rewrite)));
      state.segments = places.flat();
      writeScope.run(bytesOfPlaces(state.segments), bytesOfNumbers(state.loose), scope);
      countRewrite.run(scope);
    },
    /** After a fragment was given another place: what is remembered of it is not true any more. */
    forgetFragments: (): void => {
      recent = makeRecent(RECENT);
    },
    /** After a rollback or an erasure nothing that is remembered is true. */
    forget: (): void => {
      states.clear();
      numbers.clear();
      dirty.clear();
      recent = makeRecent(RECENT);
      lastPlace = undefined;
    },
  };
};

/** Index of the first that isn't below `value`, in an ascending list. */
const lowerBound = (sorted: readonly number[], value: number): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
};
