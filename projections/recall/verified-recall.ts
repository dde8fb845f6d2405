import { scopeDigest } from '../../domain/identity/identity.ts';
import type { LogRows, VerifiedRows } from '../verify/log-rows.ts';
import { digestOf, type Row, unitOf } from '../verify/row.ts';
import type { RowKind, Value } from './column.ts';
import { COLUMNS } from './columns.ts';
import { type RecallRow, rowOf } from './recall-row.ts';
import {
  type Erase,
  followedBy,
  isRetract,
  type RecallWrite,
  type Retract,
  type StoredWrite,
} from './recall-writes.ts';

/** A row with its user and session, by which an erasure names it. */
interface OwnedRow extends Row {
  user: string;
  session: string;
  /** The units of turns, and the ids of observations, with which it is hidden beside its own. */
  follows: readonly string[];
}

/** The kinds of rows that a store removes when they have expired. */
const EXPIRING = new Set<RowKind>(['turn', 'identity', 'observation', 'mention', 'vectors']);

/** The id that tells a kind's rows apart, and the unit that they are sampled with. */
const NAMED: Record<RowKind, (values: RecallRow['values']) => { id: unknown; unit: unknown }> = {
  turn: ({ id }) => ({ id, unit: id }),
  identity: ({ id }) => ({ id, unit: id }),
  observation: ({ id, turn }) => ({ id, unit: turn }),
  // A label consists of a person's words, so the row's id contains only its hash.
  mention: ({ id, turn, label, kind }) => ({
    id: `${id}/${turn}/${digestOf([label, kind]).slice(0, 16)}`,
    unit: turn,
  }),
  enriched: ({ turn }) => ({ id: turn, unit: turn }),
  vectors: ({ turn, model }) => ({ id: `${turn}/${model}`, unit: turn }),
  job: ({ id }) => ({ id, unit: id }),
  retraction: ({ id, turn }) => ({ id, unit: turn }),
  correction: ({ id }) => ({ id, unit: id }),
};

/** The row as a verification compares it: hashes every column. */
export const verifiedRow = ({ kind, org, user, session, at, values }: RecallRow): Row => {
  const { topic, partition, offset } = at;
  const named = NAMED[kind](values);
  const id = String(named.id);
  const { expires, kept_from } = values;
  const fields = COLUMNS[kind].map(({ name }) => hashed(values[name]!));
  return {
    projection: 'recall',
    kind,
    org,
    id,
    unit: unitOf(String(named.unit)),
    hash: digestOf([kind, org, id, user, session, topic, partition, offset, ...fields]),
    address: at,
    ...(EXPIRING.has(kind) && {
      end: (expires ?? undefined) as number | undefined,
      keptFrom: (kept_from ?? undefined) as number | undefined,
    }),
    ...(kind === 'observation' && { extracted: values.source !== 'client' }),
  };
};

const hashed = (value: Value): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    : value;

/** The row that follows from a write. */
export const recallRow = (write: StoredWrite | Retract): Row => verifiedRow(rowOf(write));

const isOwned = (row: Row): row is OwnedRow => 'user' in row;

/** Keeps, for each scope and partition, the offset below which everything was erased. */
const makeErasures = () => {
  const below = new Map<string, number>();
  const nameOf = ({ topic, partition }: { topic: string; partition: number }, ...scope: (string | null)[]) =>
    JSON.stringify([topic, partition, ...scope]);
  return {
    add: ({ origin, owner, session }: Erase): void => {
      const name = nameOf(origin, owner, session);
      below.set(name, Math.max(below.get(name) ?? 0, origin.offset));
    },
    has: (row: Row): boolean => {
      const { org, address } = row;
      if (below.size === 0 || !isOwned(row) || !address) return false;
      const { user, session } = row;
      const owner = scopeDigest([org, user]);
      const ends = [null, scopeDigest([org, user, session])].map(of => below.get(nameOf(address, owner, of)));
      return ends.some(end => end !== undefined && address.offset < end);
    },
  };
};

/** Kinds of rows that go with a retracted turn: only its retraction and the end of its enrichment stay. */
const OF_A_TURN = new Set<string>([
  'turn',
  'identity',
  'observation',
  'mention',
  'vectors',
] satisfies RowKind[]);

const makeRetractions = () => {
  /** The units of turns, and the ids of observations. */
  const hidden = new Set<string>();
  return {
    add: ({ turnId, observationId }: Retract): void => void hidden.add(observationId ?? unitOf(turnId)),
    has: (row: Row): boolean => {
      if (hidden.size === 0) return false;
      const { kind, id, unit } = row;
      return (
        (OF_A_TURN.has(kind) && hidden.has(unit)) ||
        (kind === 'observation' && hidden.has(id)) ||
        (isOwned(row) && row.follows.some(one => hidden.has(one)))
      );
    },
  };
};

export const RECALL_ROWS: VerifiedRows<RecallWrite> = {
  hasSampled: true,
  hasWhole: false,
  fromLog: (): LogRows<RecallWrite> => {
    const erasures = makeErasures();
    const retractions = makeRetractions();
    return {
      take: write => {
        if (write.op === 'erase') {
          erasures.add(write);
          return [];
        }
        if (write.op === 'retract') retractions.add(write);
        const { user, session } = write;
        const follows = isRetract(write) ? [] : followedBy(write).map(unitOf);
        return [{ ...recallRow(write), user, session, follows } satisfies OwnedRow];
      },
      isErased: row => erasures.has(row) || retractions.has(row),
    };
  },
};
