import type { Column, RowKind, Value } from '../../../projections/recall/column.ts';
import { COLUMNS } from '../../../projections/recall/columns.ts';
import { type RecallRow, valuesBy } from '../../../projections/recall/recall-row.ts';
import { eventOffsetOf } from '../../../schemas/events/event-offset.ts';
import { valueIn } from './fields.ts';
import { type DocumentKind, TOPIC_OF_KIND } from './index/index.ts';
import { unpackFragment } from './packed-fragment.ts';
import { type Beside, RETRACTED } from './write/documents.ts';

/** A stored document. One that only hides another, or replaces an expired one, is no row. */
export type Source = { kind: Exclude<DocumentKind, 'hidden' | 'expired'>; org: string } & Record<
  string,
  unknown
>;

const KINDS: Record<Source['kind'], RowKind> = {
  turn: 'turn',
  identity: 'identity',
  said: 'observation',
  extracted: 'observation',
  mention: 'mention',
  enriched: 'enriched',
  vectors: 'vectors',
  job: 'job',
  correction: 'correction',
  retraction: 'retraction',
};

/**
 * Returns the row that a document holds, as its columns read it, and the values that the document keeps
 * beside it.
 */
export const rowIn = (source: Source): { row: RecallRow; beside: Beside } => {
  const text = (name: string): string => String(source[name] ?? '');
  // Only a turn's identity has this outcome.
  const kind = source.outcome === RETRACTED ? 'retraction' : KINDS[source.kind];
  const { part, members } = packed(kind, source.fragment);
  const columns: readonly Column<never>[] = COLUMNS[kind];
  const row: RecallRow = {
    kind,
    org: source.org,
    user: text('user'),
    session: text('session'),
    at: {
      topic: TOPIC_OF_KIND[source.kind],
      partition: Number(source.partition),
      offset: eventOffsetOf({ offset: Number(source.offset), index: Number(source.index ?? 0) }),
    },
    values: valuesBy(columns, column =>
      column.mapping ? valueIn(source, column) : (members[column.shown ?? column.name] ?? null),
    ),
  };
  // A requeued copy has a later offset than its event, never an earlier one.
  const readOffset = Math.max(Number(source.read_offset), Number(source.offset));
  return { row, beside: { readOffset, part, kept: source } };
};

/**
 * Unpacks the values of a row that are in its fragment and in no field. An unreadable fragment yields none,
 * which differs from the log's.
 */
const packed = (
  kind: RowKind,
  fragment: unknown,
): { part?: number | undefined; members: Readonly<Record<string, Value>> } => {
  if (kind !== 'turn' && kind !== 'observation') return { members: {} };
  try {
    const { address, document, fragment: shown } = unpackFragment(String(fragment));
    return { part: address?.part, members: { ...(shown as unknown as Record<string, Value>), document } };
  } catch {
    return { members: {} };
  }
};
