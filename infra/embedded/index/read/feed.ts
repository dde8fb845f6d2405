import { partitionName, partitionsOf } from '../../../../core/log/positions.ts';
import type { FeedEntry, FeedIndex, FeedRange, Positions } from '../../../../core/ports.ts';
import { positionsOf, READ_POSITIONS } from '../file/positions.ts';
import { bytesOfId, partitionNumber, scopeKey } from '../file/projections-database.ts';
import type { ProjectionsReader } from './projections-reader.ts';
import { FRAGMENT, fragmentOf, TERMS, termsIn } from './read-fragment.ts';
import { IS_LIVING_FRAGMENT } from './search/answers-reader.ts';

/**
 * Offsets read before yielding: an organization's range may contain few events of one user. A record usually
 * has ten events.
 */
const WINDOW = 2_000;
/** Organizations looked up before yielding. */
const AT_ONCE = 50;
const FEED_TOPICS = ['turns', 'observations'] as const;
const NO_ID = new Uint8Array();

type Value = number | string | Uint8Array | null;

/** Reads the feed from a projections' file. */
export const openFeedIndex = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): FeedIndex => {
  const readPositions = reader.prepare(READ_POSITIONS);
  const findScope = reader.prepare('SELECT no FROM scopes WHERE key = ?');
  // CROSS JOIN keeps the planner from starting with a scope's sessions, of which there may be any number.
  const select = (owner: string) =>
    reader.prepare(
      `SELECT ${FRAGMENT}, ${TERMS}, f.read_offset AS offset, f.recorded
       FROM main.fragments f INDEXED BY fragments_by_read_offset
       CROSS JOIN sessions s ON s.no = f.session CROSS JOIN scopes p ON p.no = f.partition
       WHERE f.kind < 2 AND ${IS_LIVING_FRAGMENT('f')} AND f.organization = ? AND f.log_partition = ? AND f.read_offset >= ? AND f.read_offset < ?
         AND (f.read_offset, f.kind, f.id) > (?, ?, ?) ${owner}
       ORDER BY f.read_offset, f.kind, f.id LIMIT ?`,
    );
  const ofOrganization = select('');
  const ofUser = select('AND f.partition = ?');

  const hasWritten = reader.prepare(
    `SELECT 1 FROM main.fragments INDEXED BY fragments_by_read_offset
     WHERE kind < 2 AND organization = ? AND log_partition = ? AND read_offset >= ? AND read_offset < ? LIMIT 1`,
  );

  const numberOf = (org: string, user?: string): number | undefined => {
    const row = findScope.get(scopeKey(org, user));
    return row && Number(row.no);
  };

  const settledPositions = (): Positions =>
    Object.fromEntries(
      Object.entries(positionsOf(readPositions.all())).filter(([partition]) =>
        /^(turns|observations)\//.test(partition),
      ),
    );

  const areSettled = (ranges: readonly FeedRange[]): boolean => {
    const settled = settledPositions();
    return ranges.every(({ topic, partition, to }) => to <= (settled[`${topic}/${partition}`] ?? 0));
  };

  const hasEntries = (org: string, ranges: readonly FeedRange[]): boolean => {
    const organization = numberOf(org);
    return (
      organization !== undefined &&
      ranges.some(range => hasWritten.get(organization, partitionNumber(range), range.from, range.to))
    );
  };

  const entryOf = (range: FeedRange, row: Record<string, unknown>): FeedEntry => {
    const { key: _, ...fragment } = fragmentOf(row);
    const { topic, partition } = range;
    const [offset, recordedAt] = [Number(row.offset), Number(row.recorded)];
    return { fragment, topic, partition, offset, recordedAt, metadata: termsIn(row), superseded: false };
  };

  return {
    settled: async () => settledPositions(),
    wrote: async (organizations, ranges) => {
      const wrote = new Set<string>();
      const yieldWhenDue = makeYieldWhenDue();
      for (let at = 0; at < organizations.length; at += AT_ONCE) {
        // No await between the two: after it, another generation may serve.
        if (!areSettled(ranges)) return new Set(organizations);
        for (const org of organizations.slice(at, at + AT_ONCE)) if (hasEntries(org, ranges)) wrote.add(org);
        await yieldWhenDue();
      }
      return wrote;
    },
    partitionsOf: async org => {
      const organization = numberOf(org);
      if (organization === undefined) return new Set();
      const settled = settledPositions();
      const held = FEED_TOPICS.flatMap(topic => partitionsOf(settled, topic)).filter(address =>
        hasWritten.get(organization, partitionNumber(address), 0, address.offset),
      );
      return new Set(held.map(partitionName));
    },
    read: async ({ org, user }, ranges, limit) => {
      const settled = settledPositions();
      const entries: FeedEntry[] = [];
      const yieldWhenDue = makeYieldWhenDue();
      for (const range of ranges) {
        const { topic, partition, from, after } = range;
        const end = Math.min(range.to, settled[`${topic}/${partition}`] ?? 0);
        const last: Value[] = after
          ? [from, after.startsWith('trn_') ? 0 : 1, bytesOfId(after)!]
          : [from, -1, NO_ID];
        for (let at = from; at < end && entries.length < limit; at += WINDOW) {
          // Another generation may serve since the last window, and row numbers are valid in one file only.
          const organization = numberOf(org);
          const owner = user === undefined ? undefined : numberOf(org, user);
          // The user or the organization is unknown.
          if (organization === undefined || (user !== undefined && owner === undefined))
            return { entries, settled };
          const values = [organization, partitionNumber(range), at, Math.min(at + WINDOW, end), ...last];
          const rest = limit - entries.length;
          const rows =
            owner === undefined ? ofOrganization.all(...values, rest) : ofUser.all(...values, owner, rest);
          for (const row of rows) entries.push(entryOf(range, row));
          await yieldWhenDue();
        }
        if (entries.length === limit) break;
      }
      return { entries, settled };
    },
  };
};
