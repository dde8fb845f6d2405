import { describe, expect, test } from 'vitest';
import { checkIngest } from '../../../../schemas/http/ingestion.ts';
import { badBodies, good, LONE, turn, withTurn } from './bad-ingest-bodies.ts';

describe('an ingestion body', () => {
  test('there are over a hundred bad ones', () => expect(badBodies.length).toBeGreaterThan(100));

  test.each(badBodies)('%s', (_what, body, status, loc, type) => {
    const result = checkIngest(body);
    expect(result).toMatchObject({ ok: false, status });
    if (result.ok) return;
    expect(result.errors.map(error => [error.loc, error.type])).toEqual(
      expect.arrayContaining([[loc, type]]),
    );
    for (const error of result.errors) expect(error.message).toMatch(/^(is|must) /);
  });

  test.each([
    ['the least', good],
    [
      'every limit',
      {
        scope: { org_id: '🎈'.repeat(256), user_id: 'u'.repeat(256), session_id: '\u0000' },
        turns: [
          {
            ...turn,
            role: 'é'.repeat(64),
            text: '🎈'.repeat(65_536),
            observations: Array(64).fill('🎈'.repeat(4_096)),
          },
        ],
        options: { write_active: true, write_passive: false },
        metadata: { a: [null, 1.5, 'x', { b: {} }] },
      },
    ],
    ['1,000 turns', { ...good, turns: Array(1_000).fill(turn) }],
    ['NUL and newlines in a text', withTurn({ text: 'a\u0000b\r\n\u0007' })],
    ['roles of every script', withTurn({ role: 'Ольга Пак 李' })],
    ['observations of both shapes', withTurn({ observations: ['a', { text: 'b', more: 1 }] })],
    ['one option off', { ...good, options: { write_active: false } }],
    [
      'members that nobody knows',
      { ...good, extra: null, scope: { org_id: 'a', tenant: 7 }, options: { dry: 1 } },
    ],
    ['lone surrogates where nobody looks', { ...good, extra: LONE }],
    [
      'members named as those of Object',
      JSON.parse(
        '{"scope":{"org_id":"a","__proto__":{"user_id":7}},"constructor":1,"toString":2,"__proto__":{"turns":null},"turns":[{"role":"a","text":"b","timestamp":"2026-01-31T10:00:00Z","__proto__":{"observations":1}}]}',
      ),
    ],
  ])('%s is taken as it is', (_what, body) => {
    const before = JSON.stringify(body);
    expect(checkIngest(body)).toEqual({ ok: true, value: body });
    expect(JSON.stringify(body)).toBe(before);
  });

  test('a member behind __proto__ is no member', () => {
    const body = JSON.parse(
      '{"__proto__":{"scope":{"org_id":"a"}},"turns":[{"role":"a","text":"b","timestamp":"2026-01-31T10:00:00Z"}]}',
    );
    expect(checkIngest(body)).toMatchObject({ ok: false, status: 400, errors: [{ loc: ['body', 'scope'] }] });
    expect(({} as { scope?: unknown }).scope).toBeUndefined();
  });

  test('all faults are listed, those of value beside those of form, and 400 wins', () => {
    const result = checkIngest({
      scope: { org_id: '', session_id: 7 },
      turns: [{ role: 'a]', timestamp: 'x' }, { ...turn, text: '' }, 3],
      options: { write_active: false, write_passive: false },
    });
    expect(result).toMatchObject({ ok: false, status: 400, omitted: 0 });
    if (result.ok) return;
    expect(new Set(result.errors.map(({ loc, type }) => `${loc.join('.')} ${type}`))).toEqual(
      new Set([
        'body.scope.org_id too_short',
        'body.scope.session_id wrong_type',
        'body.turns.0.text missing',
        'body.turns.0.role pattern',
        'body.turns.0.timestamp timestamp',
        'body.turns.1.text too_short',
        'body.turns.2 wrong_type',
        'body.options contradiction',
      ]),
    );
  });

  test('no value comes back', () => {
    const secret = 'xyzzy';
    const results = [
      checkIngest(withTurn({ role: `[${secret}]`, timestamp: secret })),
      checkIngest({ ...good, scope: secret, turns: secret, options: { write_active: secret } }),
      checkIngest({ ...good, metadata: { [secret]: '\ud800' } }),
    ];
    for (const result of results) expect(JSON.stringify(result)).not.toContain(secret);
  });

  test('a thousand bad turns are told of in full, a flood of them in part', () => {
    const thousand = checkIngest({ ...good, turns: Array(1_000).fill({}) });
    expect(thousand).toMatchObject({ ok: false, status: 400, omitted: 0 });
    if (!thousand.ok) expect(thousand.errors).toHaveLength(3_000);

    const million = checkIngest({ ...good, turns: Array(1_000_000).fill(0) });
    if (!million.ok) expect(million.errors).toHaveLength(1_002);
    const deep = checkIngest({ ...good, turns: Array(1_000).fill({ observations: Array(1_000).fill('') }) });
    expect(deep).toMatchObject({ ok: false, status: 400 });
    if (!deep.ok) {
      expect(deep.errors).toHaveLength(10_000);
      expect(deep.omitted).toBe(1_000 * (3 + 65 + 1) - 10_000);
    }
  });
});
