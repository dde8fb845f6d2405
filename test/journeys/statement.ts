/**
 * The statement of a month in which much was said, hidden and erased, and what proves it. The same in both
 * modes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Client, connect, expectStatus, settled } from '../support/http/client.ts';
import { type Ended, runCommand } from '../support/processes/command-line.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { turn } from '../support/worlds/builders.ts';

export interface World {
  /** Starts the installation again with its clock at this instant. */
  at(instant: string): Promise<{ url: string; apiKey: string }>;
  /** The environment of commands that operate it. */
  environment: Record<string, string>;
  org: string;
  /** The projections whose replays fill what is billed. */
  replay: readonly string[];
}

interface Claims {
  events: number;
  tokens_in: number;
  tokens_out: number;
  root: string;
  iat: number;
  days: { day: string; tokens_in: number; events: number }[];
}

const claimsOf = (statement: string): Claims =>
  JSON.parse(Buffer.from(statement.split('.')[1]!, 'base64url').toString());

const statementOf = async (
  client: Client,
  month = '2027-03',
): Promise<{ statement: string; claims: Claims }> => {
  const answer = await client.request<{ statement: string }>('GET', `/usage/statement?month=${month}`);
  const { statement } = expectStatus(answer, 200);
  return { statement, claims: claimsOf(statement) };
};

const statusOf = async (client: Client, query: string): Promise<number> =>
  (await client.request('GET', `/usage/statement${query}`)).status;

/** A turn of a new session on the first day, and the rest in the last minutes of the month. */
const sayMuch = async (world: World): Promise<{ turn: string; tokensIn: number; tokensOut: number }> => {
  const sum = { turn: '', tokensIn: 0, tokensOut: 0 };
  const count = (usage: { tokens_in: number; tokens_out: number }): void => {
    sum.tokensIn += usage.tokens_in;
    sum.tokensOut += usage.tokens_out;
  };
  for (const [n, instant] of ['2027-03-01T00:00:05Z', '2027-03-31T23:50:00Z'].entries()) {
    const server = await world.at(instant);
    const client = await connect(server);
    for (const user of ['ada', 'grace', 'hidden'])
      for (const session of ['one', 'two']) {
        const write = {
          scope: { user_id: user, session_id: session },
          turns: Array.from({ length: 3 }, (_, i) =>
            turn(100 * n + 10 * user.length + i, { text: `${user} said ${n} ${i} in ${session}` }),
          ),
          metadata: { from: 'a bot' },
        };
        const { usage, active_fragment_ids } = await client.ingest(write);
        count(usage);
        expect((await client.ingest(write)).usage.tokens_in).toBe(0);
        sum.turn = active_fragment_ids[1]!;
      }
    count((await client.recall({ q: 'What did Grace say?' })).usage);
    await settled(server.url, 60_000);
    for (const [query, status] of [
      ['?month=2027-03', 409],
      ['?month=2027-04', 422],
      ['?month=2027-13', 422],
      ['', 400],
    ] as const)
      expect([query, await statusOf(client, query)]).toEqual([query, status]);
  }
  return sum;
};

export const proveAMonth = async (world: World): Promise<void> => {
  const folder = temporaryFolder();
  const path = (name: string): string => join(folder, name);
  const said = await sayMuch(world);

  expect(await statusOf(await connect(await world.at('2027-04-01T01:59:00Z')), '?month=2027-03')).toBe(409);

  const server = await world.at('2027-04-01T02:00:01Z');
  const client = await connect(server);
  await client.ingest({ turns: [turn(1, { text: 'of the next month' })] });
  const { claims } = await statementOf(client);
  expect(claims).toMatchObject({ tokens_in: said.tokensIn, tokens_out: said.tokensOut, events: 2 * 18 + 2 });
  expect(claims.days).toHaveLength(31);
  expect(claims.days.filter(({ events }) => events > 0).map(({ day }) => day)).toEqual([
    '2027-03-01',
    '2027-03-31',
  ]);
  expect((await statementOf(client, '2027-02')).claims).toMatchObject({ events: 0, tokens_in: 0 });

  const own = { ...world.environment, TURNSTONE_URL: server.url, TURNSTONE_API_KEY: server.apiKey };
  const command = (...args: string[]): Promise<Ended> => runCommand(args, own);
  const verified = async (file: string, exported: string): Promise<Ended> =>
    command('statement', 'verify', path(file), '--export', path(exported));
  const exportTo = async (file: string): Promise<void> => {
    expect(await command('export', '--org', world.org, '--output', path(file))).toMatchObject({ status: 0 });
  };

  // From the words alone.
  expect(await command('statement', '--month', '2027-03', '--output', path('march.jws'))).toMatchObject({
    status: 0,
    stderr: '',
  });
  await exportTo('whole.jsonl');
  const whole = await verified('march.jws', 'whole.jsonl');
  expect(whole).toMatchObject({ status: 0, stderr: '' });
  expect(whole.stdout).toContain('the same root over 36 turns, 2 recalls and 0 events whose words');

  // The billed events outlive their words, in the statement and in what proves it.
  expectStatus(await client.request('DELETE', `/memory/turns/${said.turn}`), 204);
  expectStatus(await client.request('DELETE', '/memory', { scope: { org_id: 'any', user_id: 'ada' } }), 200);
  expectStatus(
    await client.request('DELETE', '/memory', {
      scope: { org_id: 'any', user_id: 'grace', session_id: 'one' },
    }),
    200,
  );
  const same = async (): Promise<void> => {
    const { iat: _, ...before } = claims;
    expect((await statementOf(client)).claims).toMatchObject(before);
  };
  await same();
  for (const args of [['verify'], ...world.replay.map(name => ['replay', name]), ['verify']]) {
    const { status, stdout, stderr } = await command(...args);
    expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
  }
  await same();
  await exportTo('left.jsonl');
  const left = readFileSync(path('left.jsonl'), 'utf8');
  expect(left).not.toContain('ada said');
  const proof = await verified('march.jws', 'left.jsonl');
  expect(proof).toMatchObject({ status: 0, stderr: '' });
  expect(proof.stdout).toContain('the same root over 17 turns, 2 recalls and 19 events whose words');

  await refusesWhatIsNotSo(path, verified, left);
  const strict = await client.request<{ api_key: string }>('POST', '/me/api-keys', {
    name: 'strict',
    user_id: 'grace',
    strict: true,
  });
  const strictly = await connect({ url: server.url, apiKey: strict.body.api_key });
  expect(await statusOf(strictly, '?month=2027-03')).toBe(403);
};

/** One token more, one event less, another payload, and half a file. */
const refusesWhatIsNotSo = async (
  path: (name: string) => string,
  verified: (file: string, exported: string) => Promise<Ended>,
  left: string,
): Promise<void> => {
  const lines = left.trim().split('\n');
  const billed = lines.findIndex(line => line.startsWith('{"type":"billed"'));
  const put = (name: string, text: string): void => writeFileSync(path(name), text);
  const changed = (change: (line: string) => string): string =>
    lines.map((line, n) => (n === billed ? change(line) : line)).join('\n');
  put(
    'more.jsonl',
    changed(line => line.replace(/"tokens_in":(\d+)/, (_, n) => `"tokens_in":${Number(n) + 1}`)),
  );
  put(
    'renamed.jsonl',
    changed(line => line.replace(/"trn_./, '"trn_z')),
  );
  put('half.jsonl', lines.slice(0, -1).join('\n'));
  put('less.jsonl', lines.filter((_, n) => n !== billed).join('\n'));
  for (const [file, reason] of [
    ['more.jsonl', 'the export gives another result'],
    ['renamed.jsonl', /another result:\n {2}root/],
    ['half.jsonl', 'cut short'],
    ['less.jsonl', 'counts other events'],
  ] as const)
    expect([file, await verified('march.jws', file)]).toEqual([
      file,
      expect.objectContaining({ status: 1, stderr: expect.stringMatching(reason) }),
    ]);
  const [head, payload, signature] = readFileSync(path('march.jws'), 'utf8').trim().split('.');
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, tokens_in: claims.tokens_in - 1 })).toString(
    'base64url',
  );
  put('forged.jws', `${head}.${forged}.${signature}`);
  expect((await verified('forged.jws', 'left.jsonl')).stderr).toContain('the signature is not valid');
};
