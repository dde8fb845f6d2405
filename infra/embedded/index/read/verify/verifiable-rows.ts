import type { DatabaseSync } from 'node:sqlite';
import type { Positions, VerifiableRows } from '../../../../../core/ports.ts';
import { PROJECTION_NAMES } from '../../../../../projections/all.ts';
import type { Difference } from '../../../../../projections/verify/compare.ts';
import { type Row, unitOf } from '../../../../../projections/verify/row.ts';
import { inSample, type Sample } from '../../../../../projections/verify/sample.ts';
import { positionsOf, READ_POSITIONS } from '../../file/positions.ts';
import { openProjectionsReader } from '../../file/projections-database.ts';
import { STORED_PROJECTIONS } from '../../file/stored-projections.ts';
import { EXPIRED } from '../../write/removal/remove-words.ts';
import type { DecodeDocument } from '../decode-document.ts';

const stored = Object.values(STORED_PROJECTIONS);

/**
 * Reads the rows of a projections' file in one read transaction, isolated from concurrent writes. Reading
 * blocks the thread: run it in a separate thread or process.
 */
export const openVerifiableRows = (path: string, decodeDocument: DecodeDocument): VerifiableRows => ({
  projections: PROJECTION_NAMES,
  positions: async () => {
    const reader = openProjectionsReader(path);
    try {
      return readPositions(reader);
    } finally {
      reader.close();
    }
  },
  open: async () => {
    const reader = openProjectionsReader(path);
    reader.exec('BEGIN');
    return {
      // This first read fixes the transaction's snapshot.
      positions: readPositions(reader),
      rows: sample => rowsOf(reader, sample),
      derived: sample => derivedOf(reader, sample, decodeDocument),
      swept: async units => sweptOf(reader, units),
      close: async () => reader.close(),
    };
  },
});

const readPositions = (reader: DatabaseSync): Positions => positionsOf(reader.prepare(READ_POSITIONS).all());

const sweptOf = (reader: DatabaseSync, units: ReadonlySet<string>): Set<string> => {
  const marked = reader.prepare(
    `SELECT lower(hex(id)) AS unit FROM fragments
     WHERE kind >= ${EXPIRED} AND id IN (SELECT unhex(value) FROM json_each(?))`,
  );
  return new Set(marked.all(JSON.stringify([...units])).map(({ unit }) => String(unit)));
};

async function* rowsOf(reader: DatabaseSync, sample: Sample): AsyncGenerator<Row> {
  const isIn = (id: unknown): number =>
    Number(inSample(sample, Buffer.from(id as Uint8Array).toString('hex')));
  const isInByName = (id: unknown): number => Number(inSample(sample, unitOf(String(id))));
  reader.function('in_sample', { deterministic: true }, isIn);
  reader.function('in_sample_by_name', { deterministic: true }, isInByName);
  for (const { rows } of stored) yield* rows(reader);
}

async function* derivedOf(
  reader: DatabaseSync,
  sample: Sample,
  decodeDocument: DecodeDocument,
): AsyncGenerator<Difference> {
  for (const { derived } of stored) if (derived) yield* derived(reader, sample, decodeDocument);
}
