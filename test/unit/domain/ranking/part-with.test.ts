import { describe, expect, it } from 'vitest';
import { byPartWith } from '../../../../domain/ranking/features/scored-parts.ts';
import type { Document } from '../../../../domain/search/document.ts';

const document = (...stems: number[]): Document => ({
  stems: Uint32Array.from(stems),
  counts: new Uint8Array(stems.length).fill(1),
  length: stems.length,
  words: new Uint32Array(),
  flags: 0,
  vector: new Int8Array(),
});
const passages = [document(1, 2), document(2, 3, 4), document(3, 4, 5)];
const whole = { ...document(1, 2, 3, 4, 5), passages };
const at = (index: number) => ({ document: passages[index]!, part: { index, whole } });

describe('byPartWith', () => {
  it('is the part with most of the words', () => {
    expect(byPartWith(at(0), document(2, 3))).toEqual(at(1));
    expect(byPartWith(at(0), document(5, 9))).toEqual(at(2));
  });

  it('is the one that it was ranked by, of equal ones', () => {
    expect(byPartWith(at(2), document(3, 4))).toEqual(at(2));
    expect(byPartWith(at(0), document(3, 4))).toEqual(at(1));
    expect(byPartWith(at(2), document(9))).toEqual(at(2));
  });

  it('leaves a text without parts as it is', () => {
    expect(byPartWith({ document: whole }, document(1))).toEqual({ document: whole });
  });
});
