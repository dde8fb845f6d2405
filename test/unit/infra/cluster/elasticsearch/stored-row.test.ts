import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { decodeDocument } from '../../../../../domain/language/vectors/codec.ts';
import { fieldOf } from '../../../../../infra/cluster/elasticsearch/fields.ts';
import { rowIn, type Source } from '../../../../../infra/cluster/elasticsearch/stored-row.ts';
import {
  documentOf,
  KEPT_OF_TURN,
  type NewDocument,
  newDocument,
  retractionDocuments,
} from '../../../../../infra/cluster/elasticsearch/write/documents.ts';
import type { Column, RowKind } from '../../../../../projections/recall/column.ts';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { rowKindOf } from '../../../../../projections/recall/recall-row.ts';
import {
  isRetract,
  type Retract,
  type StoredWrite,
} from '../../../../../projections/recall/recall-writes.ts';
import { recallRow, verifiedRow } from '../../../../../projections/recall/verified-recall.ts';
import { writesOfEveryKind } from '../../../../support/recall-writes.ts';

const sent = (document: NewDocument): NewDocument => JSON.parse(JSON.stringify(document));
const documentFor = (write: StoredWrite | Retract): NewDocument =>
  sent(isRetract(write) ? retractionDocuments(write)[0]! : newDocument(write, decodeDocument));
const rowOf = (source: NewDocument['source']) => verifiedRow(rowIn(source as Source).row);

/** Whether a verification sees that a document is another one. */
const isSeen = (write: StoredWrite | Retract, stored: NewDocument): boolean => {
  if (!isDeepStrictEqual(rowOf(stored.source), recallRow(write))) return true;
  try {
    const { row, beside } = rowIn(stored.source as Source);
    return !isDeepStrictEqual(sent(documentOf(row, beside, decodeDocument)), stored);
  } catch {
    return true;
  }
};

const changed = (value: unknown): unknown => {
  if (typeof value === 'number') return value - 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, value[0]];
  return `${value}A`;
};

describe("a document's row", () => {
  const writes = writesOfEveryKind();

  it('is that of the write which the document was made from, and makes the document again', () => {
    expect(new Set(writes.map(rowKindOf))).toEqual(new Set(Object.keys(COLUMNS)));
    for (const write of writes) {
      const document = documentFor(write);
      expect(rowOf(document.source), write.op).toEqual(recallRow(write));
      expect(isSeen(write, document), write.op).toBe(false);
    }
  });

  it('is another one where any field was changed or lost', () => {
    const seen = new Set<string>();
    for (const write of writes) {
      const { source, ...document } = documentFor(write);
      for (const [field, value] of Object.entries(source)) {
        const { [field]: _, ...rest } = source;
        const name = `${write.op} ${field}`;
        seen.add(`${rowKindOf(write)} ${field}`);
        // Without its kind, a document is no row at all.
        if (field === 'kind') continue;
        // Nothing else has what a retracted turn keeps of the turn.
        if (isRetract(write) && KEPT_OF_TURN.includes(field)) continue;
        const other = { ...source, [field]: changed(value) };
        expect(isSeen(write, { ...document, source: other }), name).toBe(true);
        expect(isSeen(write, { ...document, source: rest as Source }), `${name} lost`).toBe(true);
      }
    }
    const fields = (Object.entries(COLUMNS) as [RowKind, readonly Column<never>[]][]).flatMap(
      ([kind, columns]) => columns.flatMap(column => (column.mapping ? [`${kind} ${fieldOf(column)}`] : [])),
    );
    // `kept_from` is stored only where it isn't when the event was recorded.
    expect(fields.filter(name => !seen.has(name) && !name.endsWith(' kept_from'))).toEqual([]);
  });
});
