import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { describe, expect, it } from 'vitest';
import { openVocabulary } from '../../../../core/tokens/vocabulary.ts';

const file = inflateSync(readFileSync(new URL('../../../../core/tokens/o200k-base.bin', import.meta.url)));

describe('the vocabulary', () => {
  it('has every token of the library under its rank', () => {
    const vocabulary = openVocabulary(file);
    const wrong = Array.from(ranks, token => Buffer.from(token as string)).filter(
      (bytes, rank) => vocabulary.rank(bytes, 0, bytes.length) !== rank,
    );
    expect(wrong).toEqual([]);
    expect(file.readUInt32LE(4)).toBe(ranks.length);
  });

  it('looks at the bytes between start and end alone', () => {
    const vocabulary = openVocabulary(file);
    const bytes = Buffer.from('xthex');
    expect(vocabulary.rank(bytes, 1, 4)).toBe(vocabulary.rank(Buffer.from('the'), 0, 3));
  });

  it('knows no other bytes', () => {
    const vocabulary = openVocabulary(file);
    for (const bytes of [Buffer.from('qzxv'), Buffer.from([0xff, 0xfe]), Buffer.alloc(300, 97)])
      expect(vocabulary.rank(bytes, 0, bytes.length)).toBe(-1);
  });

  it('refuses other files', () => {
    expect(() => openVocabulary(Buffer.from('something else'))).toThrow('not a vocabulary');
  });
});
