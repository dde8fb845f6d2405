import type { DatabaseSync } from 'node:sqlite';
import type { Scope } from '../../../../../core/ports.ts';
import {
  oneTurnOfEachRole,
  type PassingMetadata,
  type Searched,
} from '../../../../../domain/search/segments/run.ts';
import { openSegment, type Segment } from '../../../../../domain/search/segments/segment.ts';
import type { Indexed } from '../../../../../projections/recall/tail/indexed.ts';
import { numbersOf, type SegmentId, scopeKey, segmentIdsOf } from '../../file/projections-database.ts';
import { openPassingMetadata } from '../lists/passing-metadata.ts';
import type { FragmentReader } from './fragment-reader.ts';
import { segmentCache } from './segment-cache.ts';

/** Segments change only through erasures, so those read last stay open: about 16 MiB of them. */
const SEGMENT_CACHE_BYTES = 16 * 1024 * 1024;

const MOST_SPEAKERS = 64;

/**
 * All fragments of a user partition or an organization: those in segments, and those not in a segment yet.
 */
export interface StoredScope {
  segments: Segment[];
  loose: Indexed[];
  /** The metadata that passes the scope's filter. */
  passing?: PassingMetadata | undefined;
}

/**
 * Reads scopes, their sessions and their speakers. Several calls are consistent only inside one transaction.
 */
export const openScopeReader = (reader: DatabaseSync, fragments: FragmentReader) => {
  const findScope = reader.prepare('SELECT no, rewritten, segments, loose FROM scopes WHERE key = ?');
  const readSegment = reader.prepare(
    'SELECT bytes FROM segments WHERE scope = ? AND first = ? AND level = ?',
  );
  const rolesOfScope = reader.prepare(
    `SELECT role FROM speakers WHERE scope = (SELECT no FROM scopes WHERE key = ?)
     ORDER BY role LIMIT ${MOST_SPEAKERS}`,
  );
  const rolesOfFragments = reader.prepare(
    `SELECT DISTINCT role FROM fragments WHERE no IN (SELECT value FROM json_each(?))
     ORDER BY role LIMIT ${MOST_SPEAKERS}`,
  );
  const findSession = reader.prepare('SELECT no FROM sessions WHERE partition = ? AND name = ?');
  const findSessions = reader.prepare(
    `SELECT s.no FROM scopes p JOIN sessions s ON s.partition = p.no WHERE p.org = ? AND s.name = ?`,
  );
  const metadata = openPassingMetadata(reader);
  const cache = segmentCache(SEGMENT_CACHE_BYTES);

  const segmentAt = (scope: number, rewritten: number, id: SegmentId): Segment => {
    const name = `${scope}/${rewritten}`;
    const known = cache.get(name, id);
    if (known) return known;
    const bytes = readSegment.get(scope, id.first, id.level)!.bytes as Uint8Array;
    return cache.set(name, id, openSegment(bytes), bytes.byteLength);
  };

  const read = ({ org, user, filter }: Scope): StoredScope => {
    const passing = filter && metadata.inScope({ org, user, filter });
    const few = passing && metadata.fewFragments(passing);
    if (few) return { segments: [], loose: fragments.read(few), passing };
    const row = findScope.get(scopeKey(org, user));
    if (!row) return { segments: [], loose: [] };
    return {
      segments: segmentIdsOf(row.segments as Uint8Array).map(id =>
        segmentAt(Number(row.no), Number(row.rewritten), id),
      ),
      loose: fragments.read(numbersOf(row.loose as Uint8Array)),
      passing,
    };
  };

  const sessionNumber = ({ org, user }: Scope, name: string): number | undefined => {
    const partition = findScope.get(scopeKey(org, user));
    const row = partition && findSession.get(Number(partition.no), name);
    return row ? Number(row.no) : undefined;
  };

  /**
   * Returns the numbers of sessions: in a whole organization, several users' sessions may have the same name.
   */
  const sessionsNamed = (scope: Scope, name: string): number[] => {
    if (scope.user === undefined) return findSessions.all(scope.org, name).map(row => Number(row.no));
    const number = sessionNumber(scope, name);
    return number === undefined ? [] : [number];
  };

  /**
   * Returns the distinct roles of the scope's turns. For a part of a scope they are read from one turn of
   * each role.
   */
  const roles = (scope: Scope, searched: readonly Searched[]): string[] => {
    const { org, user, session, since, until, asOf, filter } = scope;
    const isWhole =
      [session, since, until, asOf, filter].every(bound => bound === undefined) &&
      searched.every(({ run, inside }) => inside === run.size);
    const rows = isWhole
      ? rolesOfScope.all(scopeKey(org, user))
      : rolesOfFragments.all(JSON.stringify(oneTurnOfEachRole(searched)));
    return rows.map(({ role }) => String(role));
  };

  return { prepare: metadata.prepare, read, sessionNumber, sessionsNamed, roles };
};
