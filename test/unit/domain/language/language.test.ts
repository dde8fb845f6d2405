import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DocumentFlag, decodeDocument, makeLanguage } from '../../../../domain/language/language.ts';
import { passagesOf } from '../../../../domain/language/passages.ts';
import note from '../../../../domain/language/vectors/static-vectors.json' with { type: 'json' };
import { findPiece, openStaticTable } from '../../../../domain/language/vectors/static-vectors.ts';
import { fnv1a } from '../../../../domain/language/words/fnv.ts';
import { wordPieces } from '../../../../domain/language/words/word-pieces.ts';
import { language, said, tableBytes } from './fixture.ts';

const TEXTS = [
  'I adopted two cats in Berlin last summer, didn’t I?',
  'мы ездили на озеро Байкал',
  '我喜欢北京的春天',
  'ฉันชอบกินข้าวผัด',
  '',
  '!!!',
  'word '.repeat(3000),
  'naïve café '.repeat(40),
  // Its passages have 1, 2 and 3 words more than a multiple of four.
  Array.from(
    { length: 40 },
    (_, i) => `The ${i}th of the kettles in Porto costs ${i * i} euros, and leaks.`,
  ).join('\n'),
];

const ENGLISH = [
  "I adopted two cats in Berlin last summer, didn’t I? Ann's sister wasn't sure — she'd rather have had a dog.",
  'Melanie was running the marathons of 2019 and 2023: 42 km each! "Never again", she said; then she signed up.',
  'The invoice INV-2093 was paid in full on 5 May, 2023.',
  'naïve café crème, the Chopin études, 100 % Façade',
];

const cosine = (a: Int8Array, b: Int8Array): number => {
  const dot = (x: Int8Array, y: Int8Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};
const vectorOf = (text: string) => language.analyse(text, said).vector;

describe('the static table', () => {
  it('is the one that its note describes', () => {
    expect(createHash('sha256').update(tableBytes).digest('hex')).toBe(note.sha256);
    expect(tableBytes.length).toBe(note.bytes);
    expect(note.licence).toBe('Apache-2.0');
  });

  it('finds every piece by its hash', () => {
    const table = openStaticTable(tableBytes);
    const ids = Array.from({ length: table.pieces }, (_, id) => id);
    expect(ids.filter(id => findPiece(table, fnv1a(table.piece(id))) !== id)).toEqual([]);
    expect(findPiece(table, fnv1a('no such piece'))).toBe(-1);
  });

  it('parts words as WordPiece does', () => {
    const table = openStaticTable(tableBytes);
    const pieces = (word: string) => wordPieces(table, word).map(id => table.piece(id));
    expect(pieces('pottery')).toEqual(['pottery']);
    expect(pieces('embeddings')).toEqual(['em', '##bed', '##ding', '##s']);
    expect(pieces('x'.repeat(200))).toEqual([]);
  });

  it('refuses what is no table', () => {
    expect(() => makeLanguage(new Uint8Array(64))).toThrow('not a static table');
  });
});

describe('analyse', () => {
  it.each(TEXTS)('encodes and decodes without a loss: %.20s', text => {
    const document = language.analyse(text, said);
    const bytes = language.encodeDocument(document);
    expect(language.decodeDocument(bytes)).toEqual(document);
    // The same document with arrays of its own, which can't be taken as they are.
    const copy = {
      ...document,
      stems: document.stems.slice(),
      counts: document.counts.slice(),
      words: document.words.slice(),
      vector: document.vector.slice(),
    };
    expect(language.encodeDocument(copy)).toEqual(bytes);
    for (const shift of [1, 2, 3, 4]) {
      const moved = new Uint8Array(bytes.length + shift);
      moved.set(bytes, shift);
      expect(decodeDocument(moved.subarray(shift))).toEqual(document);
    }
  });

  it('refuses a document of a later version', () => {
    const bytes = language.encodeDocument(language.analyse('hello', said));
    bytes[3] = 9;
    expect(() => language.decodeDocument(bytes)).toThrow('version');
  });

  it('has a document of each passage of a long text, and one of all of it', () => {
    const text = TEXTS.at(-1)!;
    const { passages = [], ...whole } = language.analyse(text, said);
    const words = passagesOf(text).map(({ from, to }) => text.slice(from, to));
    expect(passages.length).toBeGreaterThan(3);
    expect(passages).toEqual(words.map(passage => language.analyse(passage, said)));
    expect(passages.reduce((sum, { length }) => sum + length, 0)).toBe(whole.length);
    expect(language.analyse(words[0]!, said).passages).toBeUndefined();
  });

  it('keeps stems distinct and ascending, with their counts', () => {
    const { stems, counts, length } = language.analyse('painting painted paints, and a painter paints', said);
    expect([...stems]).toEqual([...stems].sort((a, b) => a - b));
    expect(new Set(stems).size).toBe(stems.length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(length);
    expect(Math.max(...counts)).toBe(4);
  });

  it('is the same on every instance, whatever was analysed before', () => {
    const other = makeLanguage(tableBytes);
    for (const text of TEXTS) expect(other.analyse(text, said)).toEqual(language.analyse(text, said));
  });

  it('encodes English as the weights were fitted on: another digest needs another fit, and a rebuild', () => {
    const digest = createHash('sha256');
    for (const text of ENGLISH) digest.update(language.encodeDocument(language.analyse(text, said)));
    expect(digest.digest('hex').slice(0, 16)).toBe('5e0ad8908cd8dc91');
  });

  it('puts near meanings near each other', () => {
    const dog = vectorOf('our puppy loves the park');
    expect(cosine(dog, vectorOf('the dog enjoys walks in the woods'))).toBeGreaterThan(
      cosine(dog, vectorOf('the committee approved the annual budget')),
    );
  });

  it('compares texts by vectors that were learned on sentences', () => {
    const asked = vectorOf('which pet did somebody adopt');
    // The words' own vectors, summed, are alike in all English: .66 here.
    expect(Math.abs(cosine(asked, vectorOf('how was work')))).toBeLessThan(0.3);
    expect(cosine(asked, vectorOf('a stray cat lives with us now'))).toBeGreaterThan(
      cosine(asked, vectorOf('how was work')),
    );
  });

  it('flags what a text shows', () => {
    const { flags } = language.analyse('Have you been to Lisbon for three weeks?', said);
    const has = (flag: number) => (flags & flag) !== 0;
    expect(has(DocumentFlag.question)).toBe(true);
    expect(has(DocumentFlag.properName)).toBe(true);
    expect(has(DocumentFlag.number)).toBe(true);
    expect(has(DocumentFlag.time)).toBe(true);
    expect(has(DocumentFlag.firstPerson)).toBe(false);
  });
});
