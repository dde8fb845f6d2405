import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import {
  digestsOf,
  isUsageRow,
  type SourceName,
  type UsageForget,
  type UsageRow,
  type UsageWrite,
} from '../../../../projections/usage/usage-projection.ts';
import type { Clickhouse } from '../clickhouse-client.ts';
import type { Table } from '../schema.ts';

/**
 * The names of the sources of usage, apart from what they billed: an erasure replaces them alone, and all
 * generations share them. Of several rows the highest version counts, in whatever order they were written: a
 * turn's name has 1, and 2 once it is erased; a recall's is the time of the last one, or of the last erasure.
 */
export const NAMES_TABLE: Table = {
  name: 'usage_names',
  columns: `
      org String,
      source String,
      user String,
      session String,
      owner String,
      place String,
      partition Int32,
      offset UInt64,
      forgotten UInt8,
      version UInt64`,
  engine: 'ReplacingMergeTree(version) ORDER BY (org, source)',
};

/** Stands for the partition of a recall's name. */
const OF_RECALLS = -1;
/** Names per read of what an erasure forgets. */
const PAGE = 10_000;

const NAMED = { turn: 1, forgotten: 2 } as const;
/** An erasure in the same millisecond takes the name. */
const versionAt = (at: number, forgotten: boolean): number => 2 * at + Number(forgotten);

type NameRow = Record<'org' | 'source' | 'user' | 'session' | 'owner' | 'place', string> &
  Record<'partition' | 'offset' | 'forgotten' | 'version', number>;

const nameRow = ({ org, source, topic, partition, offset }: UsageRow, named: SourceName): NameRow => {
  const { user, session, at } = named;
  const { owner, place } = digestsOf(org, named);
  const of =
    topic === 'turns'
      ? { partition, offset, version: NAMED.turn }
      : { partition: OF_RECALLS, offset: 0, version: versionAt(at, false) };
  return { org, source, user, session: session ?? '', owner, place: place ?? '', ...of, forgotten: 0 };
};

/** Names that are known to be written: most turns are of a session that had a turn before. */
const REMEMBERED = 100_000;
/** A user that goes on asking is named again after this time, of whom an erasure may have taken the name. */
const AGAIN_MS = 10_000;

/**
 * Writes what the sources of these rows are called, each once. A turn's source is never named again once it
 * is forgotten, so what was written before need not be written again.
 */
const makeTakeNames = () => {
  /** When what was written last was recorded, Unix milliseconds. */
  const written = boundedMap<number>(REMEMBERED);
  return async (clickhouse: Pick<Clickhouse, 'insert'>, rows: readonly UsageRow[]): Promise<void> => {
    const names = new Map<string, { row: NameRow; at: number }>();
    for (const row of rows) {
      const name = JSON.stringify([row.org, row.source]);
      const before = names.get(name)?.at ?? written.get(name);
      if (!row.named || (before !== undefined && (row.topic === 'turns' || row.named.at - before < AGAIN_MS)))
        continue;
      names.set(name, { row: nameRow(row, row.named), at: row.named.at });
    }
    if (names.size === 0) return;
    await clickhouse.insert(
      'usage_names',
      [...names.values()].map(({ row }) => row),
    );
    for (const [name, { at }] of names) written.set(name, at);
  };
};

const sourcesOf = (place: string | null): string => `
  SELECT source FROM usage_names
  WHERE org = {org:String} AND owner = {owner:String} AND partition = {partition:Int32}
    AND offset < {offset:UInt64} AND source > {after:String} AND forgotten = 0
    ${place === null ? '' : 'AND place = {place:String}'}
  ORDER BY source LIMIT ${PAGE} SETTINGS final = 1`;

const forgottenRow = (org: string, source: string, version: number): NameRow => ({
  ...{ org, source, user: '', session: '', owner: '', place: '', partition: 0, offset: 0 },
  ...{ forgotten: 1, version },
});

/** Replaces the names that an erasure takes away, which were written before. */
const forgetNames = async (
  clickhouse: Pick<Clickhouse, 'insert' | 'rows'>,
  { org, owner, place, partition, offset, at }: UsageForget,
): Promise<void> => {
  for (let after = ''; ; ) {
    const parameters = { org, owner, partition, offset, after, ...(place !== null && { place }) };
    const rows = await clickhouse.rows<{ source: string }>(sourcesOf(place), parameters);
    if (rows.length > 0)
      await clickhouse.insert(
        'usage_names',
        rows.map(({ source }) => forgottenRow(org, source, NAMED.forgotten)),
      );
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.source;
  }
  if (place === null) await clickhouse.insert('usage_names', [forgottenRow(org, owner, versionAt(at, true))]);
};

/**
 * Returns what writes the names of some writes, and takes away those that are erased; it resolves with the
 * rows, which are to be written after it. May be repeated.
 */
export const makeApplyNames = (clickhouse: Pick<Clickhouse, 'insert' | 'rows'>) => {
  const takeNames = makeTakeNames();
  return async (writes: readonly UsageWrite[]): Promise<UsageRow[]> => {
    const rows = writes.filter(isUsageRow);
    await takeNames(clickhouse, rows);
    for (const write of writes) if (!isUsageRow(write)) await forgetNames(clickhouse, write);
    return rows;
  };
};
