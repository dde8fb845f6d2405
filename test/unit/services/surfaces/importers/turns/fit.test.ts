import { expect, it } from 'vitest';
import { checkIngest } from '../../../../../../schemas/http/ingestion.ts';
import { fitted, fittedRole } from '../../../../../../services/surfaces/importers/turns/fit.ts';
import { splitText } from '../../../../../../services/surfaces/importers/turns/split-text.ts';

const said = (text: string, role = 'Ada', at = 0) =>
  fitted({ location: 1, conversation: { session: 's', title: 't' }, role, text, at });

it.each([
  ['Ben [Ops]', 'Ben (Ops)'],
  [' a\u0000b\n c ', 'a b c'],
  ['[]', '()'],
  ['\u0007', 'unknown'],
  ['', 'unknown'],
  ['👩‍🚀'.repeat(30), `${[...'👩‍🚀'.repeat(30)].slice(0, 63).join('')}…`],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['half \ud83d', 'half \ufffd'],
])('%j becomes a role: %j', (name, role) => expect(fittedRole(name)).toBe(role));

it('makes turns that the service takes, whatever was said', () => {
  const words = [
    'a'.repeat(200_000),
    '👩‍🚀 '.repeat(40_000),
    `${'\n'.repeat(70_000)}end`,
    'half \ud83d',
    ' x ',
  ];
  for (const text of words) {
    const turns = [...said(text, '[x]\n')].flatMap(found => ('turn' in found ? [found.turn] : []));
    expect(turns.length).toBeGreaterThan(0);
    expect(checkIngest({ scope: { org_id: '-' }, turns })).toMatchObject({ ok: true });
    expect(
      turns
        .map(turn => turn.text)
        .join('')
        .trim(),
    ).toBe(text.toWellFormed().trim());
  }
});

it('says what it changed, once a message', () => {
  const found = [...said('word '.repeat(30_000), '[x]')];
  expect(found.map(one => ('turn' in one ? one.changes : one))).toEqual([
    ['renamed', 'split'],
    undefined,
    undefined,
  ]);
  expect([...said('plain')]).toMatchObject([{ turn: { role: 'Ada' } }]);
  expect([...said('plain')][0]).not.toHaveProperty('changes');
});

it('gives parts that are equal instants of their own, and no other part', () => {
  const long = (text: string) => text.repeat(65_536 / text.length);
  const found = [...said(`${long('a').repeat(3)}${long('b')}`)];
  expect(found.map(one => 'turn' in one && [one.turn.text[0], Date.parse(one.turn.timestamp)])).toEqual([
    ['a', 0],
    ['a', 1],
    ['a', 2],
    ['b', 0],
  ]);
});

it('leaves out what is empty, and tells of a time that is none', () => {
  expect([...said(' \n\u00a0')]).toEqual([{ leftOut: 'messages without text', count: 1 }]);
  expect([...said('x', 'Ada', Number.NaN)]).toEqual([{ location: 1, faults: ['has no readable time'] }]);
  expect([...said('x', 'Ada', 253_402_300_800_000)]).toMatchObject([{ faults: [expect.any(String)] }]);
});

it('parts a text behind a paragraph before a line, a sentence, a word, and in a word at last', () => {
  expect(splitText('12345678. 01 34\n678\n\n2345', 20)).toEqual(['12345678. 01 34\n678\n', '\n2345']);
  expect(splitText('aaaa bbbb. cc\n\ndddd eeee', 18)).toEqual(['aaaa bbbb. cc\n\n', 'dddd eeee']);
  expect(splitText('aaaa bbbb. cccc dddd', 18)).toEqual(['aaaa bbbb. ', 'cccc dddd']);
  expect(splitText('aaaa bbbb cccc dddd', 12)).toEqual(['aaaa bbbb ', 'cccc dddd']);
  expect(splitText('aaaaaaaaaaaaaaa', 6)).toEqual(['aaaaaa', 'aaaaaa', 'aaa']);
  expect(splitText('😀😀😀', 2)).toEqual(['😀😀', '😀']);
  expect(splitText('short', 5)).toEqual(['short']);
});
