import { expect, it } from 'vitest';
import { addPieces } from '../../../../../domain/language/analyse.ts';
import { openStaticTable } from '../../../../../domain/language/vectors/static-vectors.ts';
import { makeTextSum } from '../../../../../domain/language/vectors/text-sum.ts';
import { seededRandom } from '../../../../../tools/bench/load/conversation.ts';
import { tableBytes } from '../fixture.ts';

it('is the sum of a loop to the last bit, for any number of pieces, and more of them than it holds', () => {
  const table = openStaticTable(tableBytes);
  const sumOf = makeTextSum(table);
  const random = seededRandom(3);
  const used = new Set<number>();
  for (let n = 0; n < 700; n++) {
    const pieces = Array.from({ length: n }, () => Math.floor(random() * table.pieces));
    for (const piece of pieces) used.add(piece);
    const expected = new Float64Array(table.dimensions);
    addPieces(table, pieces, expected);
    expect(Buffer.compare(Buffer.from(sumOf(pieces).slice().buffer), Buffer.from(expected.buffer))).toBe(0);
  }
  expect(used.size).toBeGreaterThan(4_096);
});
