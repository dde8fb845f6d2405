import { describe, expect, test } from 'vitest';
import type { Check } from '../../../../schemas/ajv.ts';
import { checkSignUp } from '../../../../schemas/http/accounts.ts';
import { checkCreateKey } from '../../../../schemas/http/api-keys.ts';
import { checkRecall } from '../../../../schemas/http/recall.ts';
import { checkExchange, checkRefresh } from '../../../../schemas/http/tokens.ts';
import { usageOperations } from '../../../../schemas/http/usage.ts';

type Case = [body: unknown, status: number, loc: string, type: string];

const LONE = '\udc00';

const expectRefused = (check: Check<unknown>, cases: Case[]): void => {
  for (const [body, status, loc, type] of cases) {
    const result = check(body);
    const what = JSON.stringify(body).slice(0, 200);
    expect(result, what).toMatchObject({ ok: false, status });
    if (result.ok) continue;
    expect(
      result.errors.map(error => `${error.loc.join('.')} ${error.type}`),
      what,
    ).toContain(`${loc} ${type}`);
  }
};

const expectTaken = (check: Check<unknown>, bodies: unknown[]): void => {
  for (const body of bodies)
    expect(check(body), JSON.stringify(body).slice(0, 200)).toEqual({ ok: true, value: body });
};

const { check: checkUsageQuery } = usageOperations.usageMonth.query!;

describe('a recall body', () => {
  const good = { scope: { org_id: 'acme' }, q: 'where?' };

  test('is refused where a member is missing or wrong', () => {
    const wrong = (name: string, ...values: unknown[]): Case[] =>
      values.map(value => [{ ...good, [name]: value }, 400, `body.${name}`, 'wrong_type']);
    expectRefused(checkRecall, [
      [[], 400, 'body', 'wrong_type'],
      [null, 400, 'body', 'wrong_type'],
      [{ q: 'a' }, 400, 'body.scope', 'missing'],
      [{ scope: { org_id: 'a' } }, 400, 'body.q', 'missing'],
      [{ scope: {}, q: 'a' }, 400, 'body.scope.org_id', 'missing'],
      [{ scope: { org_id: '' }, q: 'a' }, 422, 'body.scope.org_id', 'too_short'],
      [{ scope: { org_id: 'a', session_id: 7 }, q: 'a' }, 400, 'body.scope.session_id', 'wrong_type'],
      [{ scope: { org_id: 'a', user_id: null }, q: 'a' }, 400, 'body.scope.user_id', 'wrong_type'],
      ...wrong('scope', null, 'a', [], 1),
      ...wrong('q', null, 1, true, ['a'], {}),
      ...wrong('mode', null, 1, ['active']),
      ...wrong('top_k', null, '15', true, 1.5, [3], {}),
      ...wrong('include_timeline', null, 'true', 1, 0),
      ...wrong('include_context', null, 'true', 1, 0),
      ...wrong('include_hits', null, 'false', 0, {}),
      ...wrong('passages', null, 'true', 1, {}),
      ...wrong('context_max_tokens', null, '800', true, 800.5, [800]),
      ...wrong('min_score', null, '0.5', false, {}),
      ...wrong('max_tokens', null, '1', true, 1.5),
      ...wrong('kinds', null, 'turn', {}, 3),
      ...wrong('since', null, 1_767_225_600, {}),
      ...wrong('until', null, 1_767_225_600, []),
      [{ ...good, mode: 'fast' }, 400, 'body.mode', 'not_allowed'],
      [{ ...good, mode: 'ACTIVE' }, 400, 'body.mode', 'not_allowed'],
      [{ ...good, mode: '' }, 400, 'body.mode', 'not_allowed'],
      [{ ...good, kinds: ['turn', 'turns'] }, 400, 'body.kinds.1', 'not_allowed'],
      [{ ...good, kinds: [null] }, 400, 'body.kinds.0', 'wrong_type'],
      [{ ...good, q: '' }, 422, 'body.q', 'too_short'],
      [{ ...good, q: '🎈'.repeat(8_193) }, 422, 'body.q', 'too_long'],
      [{ ...good, q: LONE }, 422, 'body.q', 'not_unicode'],
      ...[0, 51, -1, 1e9].map((top_k): Case => [{ ...good, top_k }, 422, 'body.top_k', 'out_of_range']),
      [{ ...good, kinds: [] }, 422, 'body.kinds', 'too_few'],
      [{ ...good, since: '2026-01-01' }, 422, 'body.since', 'timestamp'],
      [{ ...good, until: '' }, 422, 'body.until', 'timestamp'],
      [
        { ...good, since: '2026-01-01T00:00:00Z', until: '2026-01-01T00:59:59+01:00' },
        422,
        'body.until',
        'contradiction',
      ],
      // The window is looked at beside faults of form as well.
      [
        { q: 1, since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' },
        400,
        'body.until',
        'contradiction',
      ],
    ]);
  });

  test('a flood of kinds is not looked at one by one', () => {
    const result = checkRecall({ ...good, kinds: Array(1_000_000).fill('x') });
    expect(result).toMatchObject({ ok: false, status: 400 });
    if (!result.ok) expect(result.errors).toHaveLength(18);
  });

  test('is taken with any of its options', () => {
    expectTaken(checkRecall, [
      good,
      { ...good, q: '🎈'.repeat(8_192), mode: 'deep', top_k: 50, include_timeline: true },
      { ...good, include_context: true, context_max_tokens: 50, include_hits: false },
      { ...good, context_max_tokens: 8_000, min_score: 0, max_tokens: 1 },
      { ...good, min_score: 1, max_tokens: 100_000 },
      { ...good, passages: true },
      { ...good, passages: false, max_tokens: 1 },
      { ...good, min_score: 0.123456789 },
      { ...good, top_k: 1, kinds: ['entity', 'turn', 'observation', 'turn'] },
      { ...good, since: '2026-01-01T01:00:00+01:00', until: '2026-01-01t00:00:00z' },
      { ...good, since: '2026-01-01 00:00:00' },
      { ...good, limit: 3, q: ' ' },
    ]);
  });
});

describe('account bodies', () => {
  test('token exchange and refresh', () => {
    const cases = (name: string): Case[] => [
      [{}, 400, `body.${name}`, 'missing'],
      [[], 400, 'body', 'wrong_type'],
      ...[null, 7, true, [], {}].map((value): Case => [{ [name]: value }, 400, `body.${name}`, 'wrong_type']),
      [{ [name]: LONE }, 422, `body.${name}`, 'not_unicode'],
    ];
    expectRefused(checkExchange, cases('api_key'));
    expectRefused(checkRefresh, cases('refresh_token'));
    expectTaken(checkExchange, [{ api_key: '' }, { api_key: 'x', more: null }]);
  });

  test('sign-up', () => {
    expectRefused(checkSignUp, [
      [{}, 400, 'body.org_id', 'missing'],
      ...[null, 7, []].map((org_id): Case => [{ org_id }, 400, 'body.org_id', 'wrong_type']),
      ...['', 'a', 'A1', '-ab', '_ab', 'a b', 'a.b', 'é1', 'ab\n', 'a'.repeat(64), LONE].map(
        (org_id): Case => [{ org_id }, 422, 'body.org_id', 'pattern'],
      ),
      ...['name', 'email'].flatMap((name): Case[] => [
        [{ org_id: 'ab', [name]: null }, 400, `body.${name}`, 'wrong_type'],
        [{ org_id: 'ab', [name]: 7 }, 400, `body.${name}`, 'wrong_type'],
        [{ org_id: 'ab', [name]: '' }, 422, `body.${name}`, 'too_short'],
        [{ org_id: 'ab', [name]: 'a'.repeat(300) }, 422, `body.${name}`, 'too_long'],
        [{ org_id: 'ab', [name]: LONE }, 422, `body.${name}`, name === 'name' ? 'not_unicode' : 'too_short'],
      ]),
      ...['abc', '@ab', 'ab@', 'a b@c', 'a@b@c'].map(
        (email): Case => [{ org_id: 'ab', email }, 422, 'body.email', 'pattern'],
      ),
    ]);
    expectTaken(checkSignUp, [
      { org_id: 'ab' },
      { org_id: '0_-' },
      { org_id: 'a'.repeat(63), name: 'Acme 株式会社', email: 'ada@example.org' },
    ]);
  });

  test('key creation', () => {
    expectRefused(checkCreateKey, [
      [{}, 400, 'body.name', 'missing'],
      [{ name: null }, 400, 'body.name', 'wrong_type'],
      [{ name: '' }, 422, 'body.name', 'too_short'],
      [{ name: 'a'.repeat(129) }, 422, 'body.name', 'too_long'],
      [{ name: LONE }, 422, 'body.name', 'not_unicode'],
      ...[null, '*', {}, 7].map((roles): Case => [{ name: 'a', roles }, 400, 'body.roles', 'wrong_type']),
      [{ name: 'a', roles: [] }, 422, 'body.roles', 'too_few'],
      [{ name: 'a', roles: ['admin'] }, 400, 'body.roles.0', 'not_allowed'],
      [{ name: 'a', roles: ['*', 7] }, 400, 'body.roles.1', 'wrong_type'],
      [{ name: 'a', roles: Array(17).fill('*') }, 422, 'body.roles', 'too_many'],
      ...['user_id', 'session_id'].flatMap((name): Case[] => [
        [{ name: 'a', [name]: null }, 400, `body.${name}`, 'wrong_type'],
        [{ name: 'a', [name]: '' }, 422, `body.${name}`, 'too_short'],
        [{ name: 'a', [name]: 'a'.repeat(257) }, 422, `body.${name}`, 'too_long'],
      ]),
    ]);
    expectTaken(checkCreateKey, [
      { name: 'a' },
      { name: '🎈'.repeat(128), roles: ['memory:read', 'usage:read'], user_id: 'ada', session_id: 's' },
    ]);
  });
});

describe('the query of a usage summary', () => {
  test.each([
    '2026-13',
    '2026-00',
    '2026-1',
    '26-01',
    '2026',
    '2026-01-01',
    '',
    ' 2026-01',
    '1969-12',
    '9999-12',
    'now',
  ])('month=%j is a 422', month => {
    expect(checkUsageQuery(new URLSearchParams({ month }))).toMatchObject({
      ok: false,
      status: 422,
      errors: [{ loc: ['query', 'month'], type: 'pattern' }],
    });
  });

  test('what a month must be is true of the month that is one too late', () => {
    expect(checkUsageQuery(new URLSearchParams({ month: '9999-12' }))).toMatchObject({
      errors: [{ message: 'must be a month from 1970-01 to 9999-11, such as 2026-01' }],
    });
  });

  test('a month given twice is a 422', () => {
    expect(checkUsageQuery(new URLSearchParams('month=2026-01&month=2026-01'))).toMatchObject({
      ok: false,
      status: 422,
      errors: [{ loc: ['query', 'month'], type: 'repeated' }],
    });
  });

  test.each(['2026-01', '2026-12', '1970-01', '9999-11'])('month=%s is taken', month => {
    expect(checkUsageQuery(new URLSearchParams({ month, other: 'x' }))).toEqual({
      ok: true,
      value: { month },
    });
  });

  test('none is the current one', () => {
    expect(checkUsageQuery(new URLSearchParams('Month=x'))).toEqual({ ok: true, value: {} });
  });
});
