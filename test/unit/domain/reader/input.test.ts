import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openStaticTable } from '../../../../domain/language/vectors/static-vectors.ts';
import { inputOf, piecesOf, piecesOfTurn } from '../../../../domain/reader/input.ts';

const table = openStaticTable(
  readFileSync(new URL('../../../../domain/language/vectors/static-vectors.bin', import.meta.url)),
);
const words = (pieces: readonly number[]): string => pieces.map(id => table.piece(id)).join(' ');
const turn = (text: string, role = 'user') => ({ role, sentences: [text], fits: [1] });

it('a text is split into pieces of words, and any other character alone', () => {
  expect(words(piecesOf(table, "Café 21°, I'm in!"))).toBe("cafe 21 ° , i ' m in !");
  expect(words(piecesOf(table, '😂 ok'))).toBe('[UNK] ok');
  expect(words(piecesOf(table, 'Oderhaus'))).toBe('oder ##haus');
});

it('quotes of keyboards and phones are one, and what nobody sees is nothing', () => {
  expect(words(piecesOf(table, 'I’m “fine”'))).toBe('i \' m " fine "');
  expect(words(piecesOf(table, 'co\u00adop a\u200bb ❤\ufe0f'))).toBe(words(piecesOf(table, 'coop ab ❤')));
});

it('a question and a turn are put together, with who said it', () => {
  const input = inputOf(table, 'Where do I work?', turn('Day one at Oderhaus!'));
  expect(words(input.pieces)).toBe('[CLS] where do i work ? [SEP] user : day one at oder ##haus ! [SEP]');
  expect(input.question).toBe(7);
});

it('of a long turn the sentences that fit best are read, in their order', () => {
  const chatter = 'I finally watered the plants and two of them forgave me for the summer.';
  const sentences = [chatter, 'I live in Porto now.', chatter, chatter, 'It rains here.'];
  const said = words(piecesOfTurn(table, { role: 'user', sentences, fits: [0.1, 0.9, 0.1, 0.1, 0.5] }));
  expect(said).toMatch(/i live in porto now \. .*it rains here \.$/);
  expect(said.split(' ').length).toBeLessThanOrEqual(50);
});

it.each([
  ['a word without an end', 'a'.repeat(60_000), 'user'],
  ['marks without an end', `a${'\u0301'.repeat(60_000)}`, 'user'],
  ['signs', '##'.repeat(30_000), 'user'],
  ['halves of characters', '\ud800'.repeat(60_000), 'user'],
  ['a name of signs', 'hello', '!'.repeat(64)],
  ['nothing', '', ''],
])('%s has room', (_, text, role) => {
  const { pieces, question } = inputOf(table, text, turn(text, role));
  expect(pieces.length).toBeLessThanOrEqual(96);
  expect(pieces.length).toBeGreaterThan(question);
});
