import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { RecallBody } from '../../../../../schemas/http/recall.ts';
import { confidenceInWords } from '../../../../../services/surfaces/client/recalled.ts';
import { lineWidth, type Terminal, wrapped } from '../../../../../services/surfaces/client/terminal.ts';
import { type Script, type StubService, startStub } from '../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../support/processes/command-line.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const command = async (script: Script, ...args: string[]) => {
  stub = await startStub(script);
  return runCommand(args, { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' });
};

const answer = {
  hits: {
    turns: [
      {
        id: 't1',
        kind: 'turn',
        role: 'Ada',
        text: '[2026-04-02] [Ada] My sister Grace\u001b[2J moved to Lisbon.',
        score: 0.5,
        timestamp: '1775122200',
        user_id: 'u',
        session_id: 's',
      },
    ],
    observations: [
      {
        id: 'o1',
        kind: 'observation',
        text: 'Grace lives in Lisbon.',
        score: 0.75,
        timestamp: '1775122200',
        user_id: 'u',
        session_id: 's',
        source: 'rules',
        source_turn_ids: ['t1'],
      },
    ],
    entities: [{ id: 'e1', kind: 'entity', label: 'Lisbon', score: 0.2 }],
  },
  confidence: 0.83,
  timeline: '2026-04-02: Grace moved to Lisbon.',
  mode: 'active',
  usage: { tokens_in: 6, tokens_out: 40 },
};
const recalling: Script = ({ path }) => (path === '/recall' ? { status: 200, body: answer } : undefined);

describe('turnstone recall', () => {
  it('prints the hits by score, with day, speaker, origin and no control characters', async () => {
    const { status, stdout } = await command(recalling, 'recall', 'Where does Grace live?');
    expect(status).toBe(0);
    expect(stdout).toBe(
      [
        'very likely answered (confidence 0.83): 1 turn, 1 observation, 1 entity',
        '',
        '  1  2026-04-02 Grace lives in Lisbon.',
        '                observation (rules) · score 0.750 · u / s',
        '',
        '  2  2026-04-02 Ada: My sister Grace [2J moved to Lisbon.',
        '                turn · score 0.500 · u / s',
        '',
        'Entities: Lisbon',
        '',
        'Timeline',
        '  2026-04-02: Grace moved to Lisbon.',
        '',
      ].join('\n'),
    );
  });

  it('prints the part of a long turn, unless all of it is asked for', async () => {
    const [turn] = answer.hits.turns;
    const hits = { turns: [{ ...turn!, part: { from: 9, to: 40 } }], observations: [], entities: [] };
    const long: Script = ({ path }) =>
      path === '/recall' ? { status: 200, body: { ...answer, hits } } : undefined;
    const asked = async (...options: string[]) => {
      const { stdout } = await command(long, 'recall', 'Where?', ...options);
      return { stdout, passages: (stub!.seen.at(-1)!.body as RecallBody).passages };
    };
    const { stdout, passages } = await asked();
    expect(passages).toBe(true);
    expect(stdout).toContain(
      [
        '  1  2026-04-02 Ada: … My sister Grace [2J moved to Lisbon.',
        '                turn · part of it · score 0.500 · u / s',
      ].join('\n'),
    );
    const whole = await asked('--no-passages');
    expect(whole.passages).toBe(false);
    expect(whole.stdout).not.toContain('…');
    expect(whole.stdout).not.toContain('part of it');
    expect((await asked('--json')).passages).toBeUndefined();
    expect((await asked('--json', '--passages')).passages).toBe(true);
  });

  it('passes every option on, a day as the whole of it', async () => {
    const options =
      '--user u --session s --mode deep --top-k 5 --timeline --kinds turn,entity --since 2026-04-01 --until 2026-04-02 --as-of 2026-05-01';
    await command(recalling, 'recall', 'Where?', ...options.split(' '));
    expect(stub!.seen.at(-1)!.body).toEqual({
      scope: { org_id: 'any', user_id: 'u', session_id: 's' },
      q: 'Where?',
      mode: 'deep',
      top_k: 5,
      include_timeline: true,
      kinds: ['turn', 'entity'],
      passages: true,
      since: '2026-04-01T00:00:00.000Z',
      until: '2026-04-02T23:59:59.999Z',
      as_of: '2026-05-01T23:59:59.999Z',
    });
  });

  it('prints a context alone, and has no hits billed for it', async () => {
    const context = 'Quoted.\nWhat was said:\n- [2026-04-02] Ada: "Lis\u001b[2Jbon"';
    const answering =
      (context: string | null): Script =>
      ({ path }) =>
        path === '/recall' ? { status: 200, body: { ...answer, context } } : undefined;
    const { stdout } = await command(answering(context), 'recall', 'Where?', '--context', '500');
    expect(stdout).toBe('Quoted.\nWhat was said:\n- [2026-04-02] Ada: "Lis [2Jbon"\n');
    expect(stub!.seen.at(-1)!.body).toMatchObject({
      include_context: true,
      context_max_tokens: 500,
      include_hits: false,
    });
    const nothing = answering(null);
    expect((await command(nothing, 'recall', 'Where?', '--context')).stdout).toBe('Nothing found.\n');
    expect(stub!.seen.at(-1)!.body).not.toHaveProperty('context_max_tokens');
    expect((await command(nothing, 'recall', 'Where?', '--context', '9000')).status).toBe(2);
  });

  it('prints the answer as it came with --json', async () => {
    const { stdout } = await command(recalling, 'recall', 'Where?', '--json');
    expect(JSON.parse(stdout)).toEqual(answer);
  });

  it('says when there is nothing', async () => {
    const nothing = {
      ...answer,
      hits: { turns: [], observations: [], entities: [] },
      confidence: 0,
      timeline: null,
    };
    const { stdout } = await command(
      ({ path }) => (path === '/recall' ? { status: 200, body: nothing } : undefined),
      'recall',
      'x',
    );
    expect(stdout).toBe('Nothing found.\n');
  });

  it.each([
    [1, 'very likely'],
    [0.8, 'very likely'],
    [0.79, 'likely'],
    [0.5, 'perhaps'],
    [0.3, 'perhaps'],
    [0.29, 'unlikely'],
    [0.2, 'unlikely'],
    [0, 'very unlikely'],
  ])('puts a confidence of %d into words', (confidence, words) => {
    expect(confidenceInWords(confidence)).toMatch(new RegExp(`^${words} `));
  });
});

describe('turnstone usage', () => {
  it('shows today beside its caps, and the month', async () => {
    const script: Script = ({ path }) => {
      const body = { start: '2026-04-01T00:00:00+00:00', end: '', tokens_in: 1234567, tokens_out: 8 };
      if (path === '/usage/summary?month=2026-04') return { status: 200, body };
      const limits = { tokens_in: 1_000_000, tokens_out: 0 };
      return path === '/usage/today' ? { status: 200, body: { ...body, tokens_in: 5, limits } } : undefined;
    };
    const { stdout } = await command(script, 'usage', '--month', '2026-04');
    expect(stdout.split('\n').map(line => line.trim().split(/ {2,}/))).toEqual([
      ['UTC', 'tokens in', 'tokens out'],
      ['2026-04-01', '5', '8'],
      ['daily caps', '1,000,000', 'no cap'],
      ['2026-04', '1,234,567', '8'],
      [''],
    ]);
  });
});

describe('turnstone keys', () => {
  it('prints a new key once and does not retry its creation', async () => {
    const script: Script = ({ path }) =>
      path === '/me/api-keys' ? { status: 503, body: { message: 'busy' } } : undefined;
    const { status } = await command(script, 'keys', 'create', 'bot', '--roles', 'memory:read, usage:read');
    expect(status).toBe(69);
    const sent = stub!.seen.filter(({ path }) => path === '/me/api-keys');
    expect(sent.map(({ body }) => body)).toEqual([{ name: 'bot', roles: ['memory:read', 'usage:read'] }]);
  });

  it('escapes the id of a key that it revokes', async () => {
    const script: Script = ({ method }) => (method === 'DELETE' ? { status: 204 } : undefined);
    const { stdout } = await command(script, 'keys', 'revoke', 'a/b');
    expect([stdout, stub!.paths().at(-1)]).toEqual(['revoked a/b\n', '/me/api-keys/a%2Fb']);
  });
});

describe('turnstone orgs', () => {
  it('talks to the running server over the socket of its data folder, and keeps the cap that is not named', async () => {
    const dataDir = temporaryFolder();
    const seen: unknown[] = [];
    const limits = { tokens_in: 1, tokens_out: 2 };
    const server = createServer(async (request, response) => {
      seen.push([request.method, request.url, await json(request).catch(() => undefined)]);
      const line = { org_id: 'local', created_at: '2026-04-02T00:00:00Z', limits };
      response.end(`${JSON.stringify({ line })}\n${JSON.stringify({ end: null })}\n`);
    });
    await new Promise<void>(resolve => server.listen(join(dataDir, 'admin.sock'), resolve));
    const args = ['orgs', 'set-limits', 'local', '--tokens-in', '50000000'];
    const ended = await runCommand(args, { TURNSTONE_DATA_DIR: dataDir });
    expect(ended).toMatchObject({
      status: 0,
      stdout: 'local: 50,000,000 tokens in and 2 tokens out per day\n',
    });
    expect(seen.at(-1)).toEqual([
      'POST',
      '/calls/orgs.setLimits',
      { org_id: 'local', tokens_in: 50_000_000, tokens_out: 2 },
    ]);
    const unknown = await runCommand(['orgs', 'set-limits', 'other', '--tokens-in', '1'], {
      TURNSTONE_DATA_DIR: dataDir,
    });
    expect(unknown).toMatchObject({ status: 1, stderr: 'turnstone: there is no organization other\n' });
    server.close();
    server.closeAllConnections();
  });

  it('makes no data folder', async () => {
    const ended = await runCommand(['orgs', 'list'], { TURNSTONE_DATA_DIR: join(temporaryFolder(), 'none') });
    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no data folder at') });
  });
});

it('wraps words at the width and leaves a longer one whole', () => {
  expect(wrapped('one two three extraordinarily four', 9)).toEqual([
    'one two',
    'three',
    'extraordinarily',
    'four',
  ]);
});

it.each([
  [0, 80],
  [undefined, 100],
  [60, 60],
  [200, 100],
  [1, 40],
])('a terminal of %o columns has lines of %o', (columns, width) => {
  expect(lineWidth({ stdout: { columns } } as unknown as Terminal, 100)).toBe(width);
});
