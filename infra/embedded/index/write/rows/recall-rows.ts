import type { DatabaseSync } from 'node:sqlite';
import type { Column, RowKind } from '../../../../../projections/recall/column.ts';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { type RecallRow, valuesBy } from '../../../../../projections/recall/recall-row.ts';
import { verifiedRow } from '../../../../../projections/recall/verified-recall.ts';
import type { Row } from '../../../../../projections/verify/row.ts';
import { partitionOfNumber } from '../../file/projections-database.ts';
import { valueIn } from '../../stored-columns.ts';

type Stored = Readonly<Record<string, unknown>>;

/** The rows of some kinds, and which of them are in the sample. */
interface Table {
  kindOf: (row: Stored) => RowKind;
  /** The columns of its kinds, in any table. */
  columns: readonly Column<never>[];
  /** The expression of a column that is not in `row`. */
  elsewhere?: Readonly<Record<string, string>>;
  from: string;
  where: string;
  /** Columns of a row's owner: `scope`, the key of a user's scope, and `session`. */
  owner: string;
}

const SESSION = 'LEFT JOIN sessions n ON n.no = row.session';
const OF_SESSION = `${SESSION} LEFT JOIN scopes s ON s.no = n.partition`;
const OWNER = 's.key AS scope, n.name AS session';

const TABLES: readonly Table[] = [
  {
    kindOf: ({ fragment }) => (fragment === 0 ? 'turn' : fragment === 1 ? 'observation' : 'identity'),
    columns: [...COLUMNS.turn, ...COLUMNS.observation],
    owner: `row.kind AS fragment, ${OWNER}`,
    from: `fragments row LEFT JOIN scopes s ON s.no = row.partition ${SESSION}`,
    where: `row.kind < 3 AND in_sample(coalesce(row.turn, row.id))
      AND NOT (row.kind = 2 AND row.id IN (SELECT id FROM retracted))`,
  },
  {
    kindOf: () => 'mention',
    columns: COLUMNS.mention,
    elsewhere: { id: 'e.id', normalised: 'e.normalised' },
    owner: OWNER,
    from: `mentions row JOIN entities e ON e.no = row.entity LEFT JOIN scopes s ON s.no = e.partition ${SESSION}`,
    where: 'in_sample(row.turn)',
  },
  {
    kindOf: () => 'enriched',
    columns: COLUMNS.enriched,
    owner: OWNER,
    from: `enrichments row ${OF_SESSION}`,
    where: 'in_sample(row.turn)',
  },
  {
    kindOf: () => 'vectors',
    columns: COLUMNS.vectors,
    owner: OWNER,
    from: `vectors row ${OF_SESSION}`,
    where: 'in_sample(row.turn)',
  },
  {
    kindOf: () => 'retraction',
    columns: COLUMNS.retraction,
    owner: OWNER,
    from: `retracted row ${OF_SESSION}`,
    where: 'in_sample(row.turn)',
  },
  {
    kindOf: () => 'job',
    columns: COLUMNS.job,
    owner: 'json_array(row.org, row.user) AS scope, n.name AS session',
    from: `jobs row ${SESSION}`,
    where: 'in_sample_by_name(row.id)',
  },
  {
    kindOf: () => 'correction',
    columns: COLUMNS.correction,
    owner: 's.key AS scope, row.session AS session',
    from: 'corrections row LEFT JOIN scopes s ON s.no = row.partition',
    where: 'in_sample_by_name(row.id)',
  },
];

/** Yields the rows of recall, read by the same columns that wrote them. */
export function* recallRows(reader: DatabaseSync): Generator<Row> {
  for (const { kindOf, columns, elsewhere = {}, owner, from, where } of TABLES) {
    const selected = columns.map(({ name, type }) =>
      type === 'terms'
        ? `(SELECT terms FROM metadata WHERE no = row.${name}) AS ${name}`
        : `${elsewhere[name] ?? `row.${name}`} AS ${name}`,
    );
    // Long columns come last in a table: they are read only for rows of the sample.
    const sql = `SELECT ${[...new Set(selected)].join(', ')}, row.log_partition, row.offset, ${owner} FROM ${from} WHERE ${where}`;
    for (const row of reader.prepare(sql).iterate()) yield verifiedRow(rowIn(kindOf(row), row));
  }
}

const rowIn = (kind: RowKind, row: Stored): RecallRow => {
  // Empty when the scope is missing.
  const [org = '', user = ''] = row.scope === null ? [] : (JSON.parse(String(row.scope)) as string[]);
  const columns: readonly Column<never>[] = COLUMNS[kind];
  return {
    kind,
    org,
    user,
    session: String(row.session ?? ''),
    at: { ...partitionOfNumber(Number(row.log_partition)), offset: Number(row.offset) },
    values: valuesBy(columns, column => valueIn(row, column)),
  };
};
