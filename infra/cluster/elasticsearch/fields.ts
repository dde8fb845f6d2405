import { NO_TERMS } from '../../../domain/filter/terms.ts';
import type { Column, ColumnType, Value } from '../../../projections/recall/column.ts';
import { COLUMNS } from '../../../projections/recall/columns.ts';
import type { RecallRow } from '../../../projections/recall/recall-row.ts';

type Source = Readonly<Record<string, unknown>>;

export const fieldOf = ({ name, field = name }: Pick<Column<never>, 'name' | 'field'>): string => field;

const columns: readonly Column<never>[] = Object.values(COLUMNS).flat();

/** The mappings of all columns that are fields. */
export const COLUMN_FIELDS = Object.fromEntries(
  columns.flatMap(column => (column.mapping ? [[fieldOf(column), column.mapping]] : [])),
);

/** The fields of the columns that an identity keeps of its turn. */
export const IDENTITY_FIELDS = COLUMNS.identity.map(fieldOf);

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** The types that a source stores in another form than a row. */
const CODECS: Partial<Record<ColumnType, { put(value: Value): unknown; get(stored: unknown): Value }>> = {
  bytes: { put: value => base64(value as Uint8Array), get: stored => Buffer.from(String(stored), 'base64') },
  json: {
    put: value => Buffer.from(JSON.stringify(value)).toString('base64'),
    get: stored => {
      const json = Buffer.from(String(stored), 'base64').toString();
      try {
        return JSON.parse(json);
      } catch {
        // A damaged value stays a text, which differs from every written value.
        return json;
      }
    },
  },
};

/**
 * Returns whether a row without its own expiry is kept from when it was recorded; its document has no
 * `kept_from`.
 */
const isKeptSinceRecorded = ({ recorded, kept_from }: RecallRow['values']): boolean => recorded === kept_from;

/** Returns the fields of a row's columns; null columns are left out. */
export const fieldsOf = ({ kind, values }: RecallRow): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const { name, field = name, type, mapping } of COLUMNS[kind]) {
    const value = values[name]!;
    if (!mapping || value === null || (type === 'terms' && (value as string[]).length === 0)) continue;
    if (name === 'kept_from' && isKeptSinceRecorded(values)) continue;
    const codec = CODECS[type];
    fields[field] = codec ? codec.put(value) : value;
  }
  return fields;
};

/** Returns the value of a column that is a field. */
export const valueIn = (source: Source, column: Column<never>): Value => {
  const stored = source[fieldOf(column)];
  if (column.name === 'kept_from') return keptFromIn(source);
  if (stored === undefined || stored === null) return column.type === 'terms' ? NO_TERMS : null;
  const codec = CODECS[column.type];
  return codec ? codec.get(stored) : (stored as Value);
};

const keptFromIn = ({ expires_at, kept_from, recorded_at }: Source): Value =>
  (kept_from ?? (expires_at === undefined ? recorded_at : null)) as Value;
