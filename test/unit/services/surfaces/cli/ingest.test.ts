import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Script, type StubService, startStub } from '../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../support/processes/command-line.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

interface Body {
  scope: { org_id: string; user_id?: string; session_id?: string };
  turns: { text: string }[];
}

const turnLine = (text: string, more: object = {}): string =>
  JSON.stringify({ role: 'Ada', text, timestamp: '2026-04-02T09:30:00Z', ...more });

const ingest = async (script: Script | undefined, stdin: string | Buffer, ...args: string[]) => {
  stub = await startStub(script);
  const environment = { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' };
  return runCommand(['ingest', '-', ...args], environment, stdin);
};

const bodies = (): Body[] =>
  stub!.seen.filter(({ path }) => path === '/ingestion/memory').map(({ body }) => body as Body);

/** Answers the nth ingestion, from 0. */
const answering = (answer: (number: number, body: Body) => Awaited<ReturnType<Script>>): Script => {
  let next = 0;
  return ({ path, body }) => (path === '/ingestion/memory' ? answer(next++, body as Body) : undefined);
};

describe('turnstone ingest', () => {
  it('sends a request a scope and sums up', async () => {
    const lines = [
      turnLine('one', { user_id: 'u', session_id: 'a' }),
      turnLine('two', { user_id: 'u', session_id: 'b' }),
      turnLine('three', { user_id: 'u', session_id: 'a' }),
    ];
    const { status, stdout, stderr } = await ingest(undefined, lines.join('\n'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^3 turns stored in 2 requests, 3 tokens billed /);
    expect(bodies().map(({ scope, turns }) => [scope, turns.map(({ text }) => text)])).toEqual([
      [{ org_id: 'any', user_id: 'u', session_id: 'a' }, ['one', 'three']],
      [{ org_id: 'any', user_id: 'u', session_id: 'b' }, ['two']],
    ]);
  });

  it('uses --user and --session where a turn names none', async () => {
    await ingest(
      undefined,
      `${turnLine('one')}\n${turnLine('two', { user_id: 'own' })}`,
      '--user',
      'u',
      '--session',
      's',
    );
    expect(bodies().map(({ scope }) => scope)).toEqual([
      { org_id: 'any', user_id: 'u', session_id: 's' },
      { org_id: 'any', user_id: 'own', session_id: 's' },
    ]);
  });

  it.each(['--user', '--session'])('refuses a %s that the service would refuse', async flag => {
    const { status, stderr } = await ingest(undefined, turnLine('one'), flag, 'x'.repeat(300), '--dry-run');
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(`'${flag} <id>'.*It must have 1 to 256 characters`),
    });
  });

  it.each([
    ['a table', 'role,text\nuser,hello\nuser,bye\n'.repeat(400)],
    ['a sentence', 'I moved to Lyon.'],
    ['JSON over several lines', JSON.stringify({ role: 'user', text: 'a' }, null, 2)],
    ['a zip file', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100_000, 1)])],
  ])('refuses %s before anything is sent, and names import', async (_what, input) => {
    stub = await startStub();
    const environment = { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'k' };
    const { status, stderr } = await runCommand(['ingest', '-'], environment, input);
    expect([status, stub.seen.filter(({ path }) => path.startsWith('/ingestion'))]).toEqual([2, []]);
    expect(stderr).toContain('turnstone import');
    expect(stderr.length).toBeLessThan(600);
  });

  it('stores the good turns, names the bad lines and ends with 1', async () => {
    const { status, stdout, stderr } = await ingest(
      undefined,
      `${turnLine('one')}\n{"role":\n[]\n${turnLine('two')}`,
    );
    expect(status).toBe(1);
    expect(stdout).toContain('2 turns stored');
    expect(stderr).toBe(
      "turnstone: 2 turns can't be stored:\n  line 2: is not JSON\n  line 3: is not a JSON object\n",
    );
  });

  it('sends nothing in a dry run, and needs no server', async () => {
    const { status, stdout } = await runCommand(
      ['ingest', '-', '--dry-run'],
      {},
      `${turnLine('one')}\n${turnLine('two')}`,
    );
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: '2 turns in 1 request would be sent; nothing was.\n',
    });
  });

  it('names the faulty turns of a refused request by their lines and sends the others again', async () => {
    const errors = [
      { loc: ['body', 'turns', 1, 'timestamp'], type: 'range', message: 'is too far in the future' },
    ];
    const script = answering(number =>
      number === 0 ? { status: 422, body: { message: 'Invalid.', details: { errors } } } : undefined,
    );
    const { status, stdout, stderr } = await ingest(
      script,
      ['', turnLine('one'), turnLine('two'), turnLine('three')].join('\n'),
    );
    expect(status).toBe(1);
    expect(stderr).toContain('line 3: timestamp is too far in the future');
    expect(stdout).toContain('2 turns stored in 1 request');
    expect(bodies().map(({ turns }) => turns.map(({ text }) => text))).toEqual([
      ['one', 'two', 'three'],
      ['one', 'three'],
    ]);
  });

  it('stops at a quota, says how to go on and begins nothing new', async () => {
    const body = {
      message: 'Daily quota exceeded.',
      details: { error: 'quota_exceeded', kind: 'tokens_in_daily' },
    };
    const script = answering(number => (number === 2 ? { status: 429, body } : undefined));
    const lines = Array.from({ length: 4_000 }, (_, index) => turnLine(`turn ${index}`));
    const { status, stderr } = await ingest(script, lines.join('\n'), '--in-flight', '1');
    expect(status).toBe(1);
    expect(stderr).toContain('stopped after 1,000 turns; the same command sends everything again');
    expect(stderr).toContain('turnstone orgs set-limits acme --tokens-in');
    expect(bodies()).toHaveLength(3);
  });

  it('has at most --in-flight requests at a time, and those of one session one after the other', async () => {
    const open = new Map<string, number>();
    let most = 0;
    const two = Promise.withResolvers<void>();
    const script: Script = async ({ path, body }) => {
      if (path !== '/ingestion/memory') return undefined;
      const { scope } = body as Body;
      const session = scope.session_id!;
      open.set(session, (open.get(session) ?? 0) + 1);
      const now = [...open.values()];
      most = Math.max(
        most,
        now.reduce((sum, count) => sum + count, 0),
      );
      expect(Math.max(...now)).toBe(1);
      if (most === 2) two.resolve();
      await two.promise;
      open.set(session, open.get(session)! - 1);
      return undefined;
    };
    const lines = Array.from({ length: 6_000 }, (_, index) =>
      turnLine(`${index}`, { session_id: `s${index % 3}` }),
    );
    const { status, stdout } = await ingest(script, lines.join('\n'), '--in-flight', '2');
    expect({ status, most }).toEqual({ status: 0, most: 2 });
    expect(stdout).toContain('6,000 turns stored in 12 requests');
  });

  it('reads the LoCoMo format from a file', async () => {
    const file = join(temporaryFolder(), 'locomo.json');
    const conversation = {
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: [{ speaker: 'Ada', dia_id: 'D1:1', text: 'Hello.' }],
    };
    writeFileSync(file, `\n ${JSON.stringify([{ sample_id: 'conv-1', conversation }], null, 2)}`);
    stub = await startStub();
    const environment = { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' };
    expect(await runCommand(['ingest', file], environment)).toMatchObject({ status: 0 });
    expect(bodies()).toEqual([
      {
        scope: { org_id: 'any', user_id: 'conv-1', session_id: 'session_1' },
        turns: [{ role: 'Ada', text: 'Hello.', timestamp: '2023-05-08T13:56:00.000Z' }],
      },
    ]);
  });

  it('passes over a byte order mark', async () => {
    const { status } = await ingest(undefined, `\ufeff${turnLine('one')}`);
    expect([status, bodies().length]).toEqual([0, 1]);
  });

  it.each([
    ['a file that is not there', ['ingest', 'nowhere.jsonl'], /can't read nowhere\.jsonl: ENOENT/],
    ['a folder', ['ingest', '.'], /can't read \.: EISDIR/],
    ['a broken LoCoMo file', ['ingest', '-', '--format', 'locomo'], /is not JSON in UTF-8/],
  ])('ends with 1 and a line for %s', async (_, args, message) => {
    stub = await startStub();
    const environment = { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' };
    const { status, stderr } = await runCommand(args, environment, '{');
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
  });

  it('takes an empty input for no turns', async () => {
    expect(await ingest(undefined, '')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^0 turns stored/),
    });
  });
});
