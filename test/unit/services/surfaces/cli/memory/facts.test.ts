import { afterEach, describe, expect, it } from 'vitest';
import { type Script, type StubService, startStub } from '../../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../../support/processes/command-line.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const command = async (script: Script, args: string[], claims?: object) => {
  stub = await startStub(script, claims);
  return runCommand(['facts', ...args], { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' });
};

const fact = (label: string, attribute: string, value: string, more: object = {}) => ({
  id: `obs_${value}`,
  user_id: 'ada',
  subject: { id: `ent_${label}`, label },
  attribute,
  about: null,
  value,
  text: `${label}: ${value}.`,
  valid_from: '2026-01-05T09:30:00.000Z',
  valid_until: null,
  stance: 'holds',
  certainty: 1,
  superseded_by: null,
  disputed_by: [],
  source_turn_ids: ['trn_1'],
  source: 'client',
  recorded_at: '2026-01-05T09:30:01.000Z',
  ...more,
});

/** As the service orders them: by attribute, then subject. */
const FACTS = [
  fact('Grace', 'home', 'Lyon', { valid_until: '2026-06-01T00:00:00.000Z', superseded_by: 'obs_Porto' }),
  fact('Grace', 'home', 'Porto', {
    valid_from: '2026-06-01T00:00:00.000Z',
    source_turn_ids: ['t', 'u', 'v'],
  }),
  fact('Ada', 'job', 'gardener\u001b[2J', { source: 'rules' }),
  fact('Grace', 'job', `${'long '.repeat(20)}`),
];
const pages: Script = ({ path }) => {
  if (!path.startsWith('/memory/facts')) return undefined;
  const isSecond = path.includes('cursor=two');
  return {
    status: 200,
    body: {
      facts: isSecond ? FACTS.slice(2) : FACTS.slice(0, 2),
      next_cursor: isSecond ? null : 'two',
    },
  };
};

describe('turnstone facts', () => {
  it('prints a table by subject and attribute, of all pages and without control characters', async () => {
    const { status, stdout } = await command(pages, ['--user', 'ada', '--ever']);
    expect(status).toBe(0);
    const long = `${'long '.repeat(11)}long…`;
    const wide = long.length;
    const row = (...cells: [string, string, string, string, string, string]) =>
      [
        cells[0].padEnd(7),
        cells[1].padEnd(9),
        cells[2].padEnd(wide),
        cells[3].padEnd(10),
        cells[4].padEnd(10),
        cells[5],
      ]
        .join('  ')
        .trimEnd();
    expect(stdout.split('\n')).toEqual([
      row('subject', 'attribute', 'value', 'since', 'until', 'source'),
      row('Ada', 'job', 'gardener [2J', '2026-01-05', '', 'rules'),
      row('Grace', 'home', 'Lyon', '2026-01-05', '2026-06-01', 'client'),
      row('', '', 'Porto', '2026-06-01', '', 'client, 3 turns'),
      row('', 'job', long, '2026-01-05', '', 'client'),
      '',
    ]);
  });

  it('tells what is planned or in doubt, and what an attribute is of', async () => {
    const states: Script = ({ path }) =>
      path.startsWith('/memory')
        ? {
            status: 200,
            body: {
              facts: [
                fact('Ada', 'home', 'Porto', { valid_from: '9999-01-01T00:00:00.000Z', stance: 'plan' }),
                fact('Ada', 'home', 'Lyon', { valid_from: null, disputed_by: ['obs_1'] }),
                fact('Ada', 'rent', '40', { about: 'garage', stance: 'plan' }),
              ],
              next_cursor: null,
            },
          }
        : undefined;
    const { stdout } = await command(states, ['--user', 'ada']);
    const rows = stdout.split('\n').map(row => row.split(/ {2,}/).slice(0, 4));
    expect(rows).toEqual([
      ['subject', 'attribute', 'value', 'since'],
      ['Ada', 'home', 'Porto (planned)', '9999-01-01'],
      ['', 'Lyon (in doubt)', 'client'],
      ['', 'rent (garage)', '40', '2026-01-05'],
      [''],
    ]);
  });

  it('passes every option on, a day as the end of it', async () => {
    const options = '--user ada --session s --subject Grace --attribute home --ever --as-of 2026-03-31';
    await command(pages, options.split(' '));
    const [first, second] = stub!.paths().filter(path => path.startsWith('/memory'));
    expect(Object.fromEntries(new URLSearchParams(first!.split('?')[1]))).toEqual({
      user_id: 'ada',
      session_id: 's',
      subject: 'Grace',
      attribute: 'home',
      holds: 'ever',
      as_of: '2026-03-31T23:59:59.999Z',
      limit: '200',
    });
    expect(second).toBe(`${first}&cursor=two`);
  });

  it('prints all of them as JSON with --json, as they came', async () => {
    const { stdout } = await command(pages, ['--user', 'ada', '--json']);
    expect(JSON.parse(stdout)).toEqual({ facts: FACTS });
  });

  it('says when nothing is known', async () => {
    const none: Script = ({ path }) =>
      path.startsWith('/memory') ? { status: 200, body: { facts: [], next_cursor: null } } : undefined;
    expect((await command(none, ['--user', 'ada'])).stdout).toBe('Nothing is known.\n');
  });

  it('needs a user from a key that may name any, and only from such a key', async () => {
    const { status, stderr } = await command(pages, []);
    expect([status, stderr]).toEqual([2, 'turnstone: --user is required: this key may name any user\n']);
    await stub!.close();
    const own = { user_id: 'ada', roles: ['memory:read'] };
    expect((await command(pages, [], own)).status).toBe(0);
    expect(stub!.paths().find(path => path.startsWith('/memory'))).toBe('/memory/facts?limit=200');
  });

  it.each([
    ['--as-of', 'yesterday', 'It must be a day like 2026-04-02'],
    ['--attribute', 'Favourite colour', 'It must be snake_case like favourite_colour.'],
    ['--subject', '', 'It must have 1 to 256 characters.'],
    ['--user', '', 'It must have 1 to 256 characters.'],
  ])('names %s where its value %o is wrong', async (flag, value, expected) => {
    const { status, stderr } = await command(pages, [flag, value]);
    expect(status).toBe(2);
    expect(stderr).toContain(flag);
    expect(stderr).toContain(expected);
  });
});
