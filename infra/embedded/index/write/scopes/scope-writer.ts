import type { DatabaseSync } from 'node:sqlite';
import { documentBytes } from '../../../../../domain/search/document.ts';
import { buildSegment } from '../../../../../domain/search/segments/build-segment.ts';
import { type Entry, entryExpiry } from '../../../../../domain/search/segments/segment.ts';
import { makeRecent } from '../../../../../projections/recall/tail/recent.ts';
import {
  bytesOfNumbers,
  bytesOfSegmentIds,
  numbersOf,
  type SegmentId,
  segmentIdsOf,
} from '../../file/projections-database.ts';
import type { DecodeDocument } from '../../read/decode-document.ts';
import { openScopeRowIds, type RowIds } from './scope-row-ids.ts';
import { openScopeSegments } from './scope-segments.ts';

/** Loose fragments are read one by one, so even this few of them become a segment. */
const SMALLEST = 64;
const CACHED = 10_000;
/**
 * Fragments, usually of one KB: those of an organization's next segment and of the users who are writing now,
 * each of whom may have 64 of them and those of a step.
 */
const RECENT = {
  entries: 16_384,
  bytes: 16 * 1024 * 1024,
  bytesOf: ({ document }: Entry) => documentBytes(document),
};

interface Added extends Omit<Required<Entry>, 'session' | 'document' | 'metadata'> {
  metadata: number | null;
  /** Encoded. */
  document: Uint8Array;
}

interface ScopeState {
  segments: SegmentId[];
  loose: number[];
  /** Roles of the current batch's turns. */
  heard: Set<string>;
}

export interface ScopeWriter {
  partition(org: string, user: string): number;
  rowIds(org: string, user: string, session: string): RowIds;
  /** Adds a fragment to the lists of its user's scope and of its organization's. */
  add(ids: RowIds, added: Added): void;
  /** Writes the changed lists; full runs of loose fragments become segments. */
  flush(): void;
  /** Removes fragments, all of which should be listed, from a scope's lists and writes the lists. */
  remove(scope: number, fragments: ReadonlySet<number>): void;
  /** Forgets remembered entries, which are stale after a stored fragment got another offset. */
  forgetFragments(): void;
  /** Forgets everything remembered, which may be stale after a rollback or an erasure. */
  forget(): void;
  /** Reads lists again, to which another connection may have added. Call it between two batches. */
  reread(): void;
}

/**
 * Keeps each scope's list of fragments while the projector writes: a list is appended to in memory, written
 * once per batch, and made into a segment when it is long enough. Everything cached here is also in the file.
 */
export const openScopeWriter = (database: DatabaseSync, decodeDocument: DecodeDocument): ScopeWriter => {
  const readScope = database.prepare('SELECT segments, loose FROM scopes WHERE no = ?');
  const writeScope = database.prepare('UPDATE scopes SET segments = ?, loose = ? WHERE no = ?');
  const countRewrite = database.prepare('UPDATE scopes SET rewritten = rewritten + 1 WHERE no = ?');
  const writeSpeaker = database.prepare('INSERT OR IGNORE INTO speakers VALUES (?, ?)');
  const { partition, rowIds, ...names } = openScopeRowIds(database);
  const segments = openScopeSegments(database);
  const entries = openRecentEntries(database, decodeDocument);
  const states = new Map<number, ScopeState>();
  const dirty = new Set<number>();

  const stateOf = (scope: number): ScopeState => {
    let state = states.get(scope);
    if (!state) {
      const row = readScope.get(scope)!;
      state = {
        segments: segmentIdsOf(row.segments as Uint8Array),
        loose: numbersOf(row.loose as Uint8Array),
        heard: new Set(),
      };
      states.set(scope, state);
    }
    return state;
  };

  const addTo = (scope: number, { number, kind, role }: Entry): void => {
    const state = stateOf(scope);
    state.loose.push(number);
    dirty.add(scope);
    if (kind === 0) state.heard.add(role);
  };

  const write = (scope: number, state: ScopeState): void => {
    writeScope.run(bytesOfSegmentIds(state.segments), bytesOfNumbers(state.loose), scope);
  };

  return {
    partition,
    rowIds,
    add: ({ partition, organization, session }, { document, metadata, ...added }) => {
      const entry = entries.add({
        ...added,
        metadata: metadata ?? 0,
        session,
        document: decodeDocument(document),
      });
      addTo(partition, entry);
      addTo(organization, entry);
    },
    flush: () => {
      for (const scope of dirty) {
        const state = stateOf(scope);
        while (state.loose.length >= SMALLEST) {
          const numbers = state.loose.splice(0, SMALLEST);
          const id = { level: 0, first: numbers[0]! };
          segments.append(scope, state.segments, id, buildSegment(entries.read(numbers)));
        }
        for (const role of state.heard) writeSpeaker.run(scope, role);
        state.heard.clear();
        write(scope, state);
      }
      dirty.clear();
      if (states.size > CACHED) states.clear();
      names.trim();
    },
    remove: (scope, fragments) => {
      const state = stateOf(scope);
      const before = state.loose.length;
      state.loose = state.loose.filter(number => !fragments.has(number));
      const left = fragments.size - (before - state.loose.length);
      state.segments = segments.without(scope, state.segments, fragments, left);
      write(scope, state);
      countRewrite.run(scope);
    },
    forgetFragments: entries.forget,
    forget: () => {
      states.clear();
      names.forget();
      dirty.clear();
      entries.forget();
    },
    reread: () => states.clear(),
  };
};

/** Caches the last batches' entries, which become segments; after a start they are read from the file. */
const openRecentEntries = (database: DatabaseSync, decodeDocument: DecodeDocument) => {
  const readEntries = database.prepare(
    `SELECT no, session, timestamp, recorded, expires, kept_from, kind, role, metadata, document FROM fragments
     WHERE no IN (SELECT value FROM json_each(?)) ORDER BY no`,
  );
  let recent = makeRecent<number, Entry>(RECENT);

  const stored = (numbers: readonly number[]): Entry[] =>
    readEntries.all(JSON.stringify(numbers)).map(row => ({
      number: Number(row.no),
      session: Number(row.session),
      timestamp: Number(row.timestamp),
      recorded: Number(row.recorded),
      expires: entryExpiry(
        row.expires as number | null,
        row.kept_from as number | null,
        Number(row.recorded),
      ),
      kind: Number(row.kind),
      role: String(row.role),
      metadata: Number(row.metadata ?? 0),
      document: decodeDocument(row.document as Uint8Array),
    }));

  return {
    add: (entry: Entry): Entry => recent.set(entry.number, entry),
    /** Ascending. */
    read: (numbers: readonly number[]): Entry[] => {
      const known = numbers.flatMap(number => recent.get(number) ?? []);
      if (known.length === numbers.length) return known.sort((a, b) => a.number - b.number);
      const found = new Set(known.map(({ number }) => number));
      const missing = stored(numbers.filter(number => !found.has(number)));
      return [...known, ...missing].sort((a, b) => a.number - b.number);
    },
    forget: (): void => {
      recent = makeRecent(RECENT);
    },
  };
};
