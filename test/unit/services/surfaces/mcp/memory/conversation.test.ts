import { describe, expect, it } from 'vitest';
import type { TurnItem } from '../../../../../../schemas/http/items.ts';
import {
  addressOf,
  conversationMarkdown,
  readPage,
  uriOf,
} from '../../../../../../services/surfaces/mcp/memory/conversation.ts';
import type { Memory } from '../../../../../../services/surfaces/mcp/memory/memory.ts';
import { periodOf } from '../../../../../../services/surfaces/mcp/memory/quoted.ts';

const turn = (number: number, text: string, day = '2026-04-02'): TurnItem => ({
  id: `trn_${number}`,
  user_id: 'ada',
  session_id: 'monday',
  role: number % 2 ? 'Ada' : 'Ben',
  text,
  timestamp: `${day}T09:30:00.000Z`,
});

/** Lists `count` turns of `length` characters; a cursor is the number of the next one. */
const memoryOf = (count: number, length: number) => {
  const asked: unknown[] = [];
  const turns: Memory['turns'] = async query => {
    asked.push(query);
    const from = Number(query.cursor ?? 0);
    const end = Math.min(count, from + query.limit!);
    return {
      turns: Array.from({ length: end - from }, (_, index) => turn(from + index, 'x'.repeat(length))),
      next_cursor: end < count ? String(end) : null,
      freshness: { indexed_until: '2026-04-02T09:30:00.000Z', from_tail: 0 },
    };
  };
  return { memory: { turns } as Memory, asked };
};

const ADDRESS = { user: 'ada', session: 'monday' };
const signal = new AbortController().signal;

describe('the address of a session', () => {
  it.each([
    { user: 'ada', session: 'monday' },
    { user: 'a/b c', session: 'Grüße, {x}?#%' },
    { user: '..', session: '.' },
    { user: 'ada', session: 'monday', cursor: 'WyJh/+=' },
  ])('leads back to %o', address => {
    expect(addressOf(uriOf(address))).toEqual(address);
  });

  it.each([
    'turnstone://users/ada',
    'turnstone://users/ada/sessions/',
    'turnstone://users/ada/sessions/a/b',
    'turnstone://users/%E0%A4%A/sessions/a',
    'file:///users/ada/sessions/a',
  ])('is not %s', uri => {
    expect(addressOf(uri)).toBeUndefined();
  });
});

describe('a session as a resource', () => {
  it('is the conversation by days, each turn quoted under its speaker', () => {
    const turns = [turn(1, 'Hello.\n# Not a heading'), turn(2, 'Yes.'), turn(3, 'Bye.', '2026-04-03')];
    expect(conversationMarkdown(ADDRESS, { turns })).toBe(
      [
        '# Session "monday" of "ada"',
        '## 2026-04-02',
        '**Ada** 09:30 (trn_1)\n> Hello.\n> # Not a heading',
        '**Ben** 09:30 (trn_2)\n> Yes.',
        '## 2026-04-03',
        '**Ada** 09:30 (trn_3)\n> Bye.\n',
      ].join('\n\n'),
    );
  });

  it('comes in pages, each of which names the next, without a gap', async () => {
    const { memory } = memoryOf(450, 10);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let address: { user: string; session: string; cursor?: string } | undefined = ADDRESS; address; ) {
      const page = await readPage(memory, address, signal);
      seen.push(...page.turns.map(({ id }) => id));
      sizes.push(page.turns.length);
      const named: string | undefined = /Continued at (\S+)/.exec(conversationMarkdown(address, page))?.[1];
      address = named === undefined ? undefined : addressOf(named);
    }
    expect(sizes).toEqual([200, 200, 50]);
    expect(seen).toEqual(Array.from({ length: 450 }, (_, index) => `trn_${index}`));
  });

  it('ends a page of long turns early', async () => {
    const { memory } = memoryOf(450, 5_000);
    const page = await readPage(memory, ADDRESS, signal);
    expect([page.turns.length, page.next]).toEqual([12, '12']);
  });

  it('ends a page where the next answer does not fit, and has a longer turn on a page of its own', async () => {
    const lengths = [...Array(50).fill(1_000), 10_001, 65_536, 1];
    const turns: Memory['turns'] = async ({ cursor, limit }) => {
      const from = Number(cursor ?? 0);
      const end = Math.min(lengths.length, from + limit!);
      return {
        turns: lengths.slice(from, end).map((length, index) => turn(from + index, 'x'.repeat(length))),
        next_cursor: end < lengths.length ? String(end) : null,
        freshness: { indexed_until: '2026-04-02T09:30:00.000Z', from_tail: 0 },
      };
    };
    const pages: [number, string | undefined][] = [];
    for (let cursor: string | undefined; pages.length < 9; ) {
      const page = await readPage({ turns } as Memory, { ...ADDRESS, cursor }, signal);
      pages.push([page.turns.length, page.next]);
      cursor = page.next;
      if (cursor === undefined) break;
    }
    expect(pages).toEqual([
      [50, '50'],
      [1, '51'],
      [1, '52'],
      [1, undefined],
    ]);
  });
});

describe('a period', () => {
  it.each([
    [[], ''],
    [[{ first_at: null, last_at: null }], ''],
    [[{ first_at: '2026-04-02T09:00:00Z', last_at: '2026-04-02T10:00:00Z' }], '2026-04-02'],
    [
      [
        { first_at: '2026-04-02T09:00:00Z', last_at: '2026-04-09T10:00:00Z' },
        { first_at: '2026-03-02T09:00:00Z', last_at: '2026-03-02T10:00:00Z' },
      ],
      '2026-03-02 to 2026-04-09',
    ],
  ])('of %o is %s', (spans, words) => {
    expect(periodOf(spans)).toBe(words);
  });
});
