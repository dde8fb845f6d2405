import type { NewFragment, SaidObservation, SaidTurn } from '../../domain/search/fragment.ts';
import type { RowAddress } from '../verify/row.ts';
import type { Column, RowKind, Value } from './column.ts';
import { COLUMNS, SHOWN } from './columns.ts';
import type { Retract, StoredWrite } from './recall-writes.ts';

/** A row of the recall index, from the fold or read back from a store: both are the same. */
export interface RecallRow {
  kind: RowKind;
  org: string;
  user: string;
  session: string;
  /** The event that it comes from. */
  at: RowAddress;
  /** The values of the kind's columns, by name. */
  values: Readonly<Record<string, Value>>;
}

export const rowKindOf = (write: StoredWrite | Retract): RowKind => {
  switch (write.op) {
    case 'turn':
      return write.active ? 'turn' : 'identity';
    case 'entity':
      return 'mention';
    case 'retract':
      return 'retraction';
    default:
      return write.op;
  }
};

/** The values of a kind's columns, each found by `read`. */
export const valuesBy = <Written>(
  columns: readonly Column<Written>[],
  read: (column: Column<Written>) => Value,
): Record<string, Value> => {
  const values: Record<string, Value> = {};
  for (const column of columns) values[column.name] = read(column);
  return values;
};

export const rowOf = (write: StoredWrite | Retract): RecallRow => {
  const { org, user, session, origin } = write;
  const { topic, partition, offset } = origin;
  const kind = rowKindOf(write);
  const columns: readonly Column<never>[] = COLUMNS[kind];
  const values = valuesBy(columns, ({ of }) => of(write as never));
  return { kind, org, user, session, at: { topic, partition, offset }, values };
};

/** The fragment of a row, of whose columns `read` finds those that are shown. */
export const fragmentBy = (
  kind: NewFragment['kind'],
  { user, session }: Pick<NewFragment, 'user' | 'session'>,
  read: (column: Column<never>) => Value,
): NewFragment => {
  const fragment: Record<string, unknown> = { kind, user, session };
  for (const column of SHOWN[kind]) {
    const value = read(column);
    if (value !== null) fragment[column.shown!] = value;
  }
  return fragment as unknown as NewFragment;
};

export const turnFragment = (turn: SaidTurn): NewFragment =>
  fragmentBy('turn', turn, ({ of }) => of(turn as never));

export const observationFragment = (observation: SaidObservation): NewFragment =>
  fragmentBy('observation', observation, ({ of }) => of(observation as never));
