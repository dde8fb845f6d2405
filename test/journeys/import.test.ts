import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXPORTS, fixtureFiles, textFile, zipFile } from '../support/files/exports.ts';
import { connect } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { cleanEnvironment, MAIN, ROOT, type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const environmentOf = ({ url, apiKey, dataDir }: Server) => ({
  TURNSTONE_URL: url,
  TURNSTONE_API_KEY: apiKey,
  TURNSTONE_DATA_DIR: dataDir,
});

const tokensIn = (stdout: string, before: RegExp): number =>
  Number(before.exec(stdout)![1]!.replaceAll(',', ''));

const whatsapp = (file: string) => [join(EXPORTS, 'whatsapp', file), '--time-zone', 'Europe/Berlin'];

/** Each export, with a question, the session and the words of its answer. */
const CASES: [string, () => Promise<string[]>, string, string, string][] = [
  [
    'ChatGPT',
    async () => [await zipFile('chatgpt.zip', fixtureFiles('chatgpt')), '--me', 'Ada'],
    'Which tram climbs to the castle?',
    'chatgpt-11111111-aaaa',
    'Tram 28',
  ],
  [
    'Claude',
    async () => [await zipFile('claude.zip', fixtureFiles('claude'))],
    'How long does sourdough rise?',
    'claude-c1aude-1',
    'sourdough',
  ],
  ['Slack', async () => [join(EXPORTS, 'slack')], 'What is the surprise?', 'slack-G01', 'telescope'],
  [
    'WhatsApp on an iPhone',
    async () => [
      await zipFile('WhatsApp Chat - Family.zip', fixtureFiles('whatsapp')),
      '--time-zone',
      'Europe/Berlin',
    ],
    'When is the picnic?',
    'whatsapp-Family',
    'Saturday',
  ],
  [
    'WhatsApp on Android',
    async () => whatsapp('WhatsApp Chat with Ben.txt'),
    'How is the fig tree?',
    'whatsapp-Ben',
    'fig tree',
  ],
  [
    'JSON Lines',
    async () => [
      textFile('a.jsonl', '{"role":"Ada","text":"The kayak is blue.","timestamp":"2026-01-01T00:00:00Z"}\n'),
      '--session',
      'lake',
    ],
    'Which colour has the kayak?',
    'lake',
    'blue',
  ],
];

it('takes each export in: dry, for good, found by a question, and again for nothing', async () => {
  const server = await startServer();
  const client = await connect(server);
  const importing = (args: string[]) =>
    runCommand(['import', ...args, '--user', 'ada'], environmentOf(server));
  let billed = 0;
  for (const [name, args, question, session, words] of CASES) {
    const given = await args();
    const dry = await importing([...given, '--dry-run']);
    expect((await client.today()).tokens_in, `${name}: a dry run bills nothing`).toBe(billed);
    const cost = tokensIn(dry.stdout, /^tokens +([\d,]+)/m);

    const first = await importing(given);
    expect(tokensIn(first.stdout, /([\d,]+) tokens? billed/), name).toBe(cost);
    billed += cost;
    expect((await client.today()).tokens_in, name).toBe(billed);

    const { hits } = await client.recall({
      q: question,
      scope: { user_id: 'ada', session_id: session },
      kinds: ['turn'],
      top_k: 3,
    });
    billed = (await client.today()).tokens_in;
    expect(hits.turns.map(({ text }) => text).join('\n'), name).toContain(words);

    expect((await importing(given)).stdout, name).toContain('0 tokens billed');
    expect((await client.today()).tokens_in, `${name}: the second time`).toBe(billed);
  }
  expect(await server.stop()).toBe(0);
});

const CONVERSATIONS = 400;
const manyConversations = (): Promise<string> =>
  zipFile('claude.zip', {
    'conversations.json': JSON.stringify(
      Array.from({ length: CONVERSATIONS }, (_, index) => ({
        uuid: `c${index}`,
        name: `Conversation ${index}`,
        chat_messages: ['human', 'assistant', 'human'].map((sender, place) => ({
          uuid: `m${place}`,
          sender,
          created_at: `2026-01-01T00:00:0${place}Z`,
          text: `Number ${index} of the ${place === 1 ? 'answers' : 'questions'} at place ${place}.`,
        })),
      })),
    ),
  });

const acknowledgedIn = (dataDir: string): number => {
  const folder = join(dataDir, 'imports');
  const [name] = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.json')) : [];
  return name ? (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { requests: number }).requests : 0;
};

/** Turns by the log: an export of events has each that was written. */
const turnsOnTheLog = async (server: Server): Promise<number> => {
  const { stdout } = await runCommand(['export', '--org', 'local'], environmentOf(server));
  return stdout.split('\n').filter(line => line.includes('"type":"turn.recorded"')).length;
};

describe('interrupted', () => {
  it('by kill -9, of the command and then of the server, it goes on: nothing twice, nothing missing', async () => {
    let server = await startServer();
    const zip = await manyConversations();
    const dry = await runCommand(['import', zip, '--dry-run'], environmentOf(server));
    const cost = tokensIn(dry.stdout, /^tokens +([\d,]+)/m);
    expect(dry.stdout).toContain(`turns          ${(3 * CONVERSATIONS).toLocaleString('en-US')}`);

    const child = spawn(process.execPath, [MAIN, 'import', zip], {
      cwd: ROOT,
      env: { ...cleanEnvironment(), ...environmentOf(server) },
      stdio: 'ignore',
    });
    await until(
      '20 requests are acknowledged',
      () => acknowledgedIn(server.dataDir) >= 20 || child.exitCode !== null,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    const afterFirst = acknowledgedIn(server.dataDir);
    expect(afterFirst).toBeGreaterThanOrEqual(20);
    expect(afterFirst).toBeLessThan(CONVERSATIONS);

    const second = runCommand(['import', zip], environmentOf(server));
    await until('20 more are acknowledged', () => acknowledgedIn(server.dataDir) >= afterFirst + 20);
    await server.kill();
    const broken = await second;
    expect(broken.stderr).toMatch(/resuming after \d+ turns that were stored before/);
    expect(broken.stderr).toContain('the same command resumes after');
    expect(broken.status).toBe(69);

    const { port } = new URL(server.url);
    server = await startServer({ dataDir: server.dataDir, environment: { TURNSTONE_PORT: port } });
    const third = await runCommand(['import', zip], environmentOf(server));
    expect(third.status).toBe(0);
    expect(third.stderr).toMatch(/resuming after/);
    expect((await (await connect(server)).today()).tokens_in).toBe(cost);
    expect(await turnsOnTheLog(server)).toBe(3 * CONVERSATIONS);
    await server.stop();
  });

  it('by the quota of the day, it goes on when the operator raises it', async () => {
    const server = await startServer({ environment: { TURNSTONE_QUOTA_TOKENS_IN: '1000' } });
    const zip = await manyConversations();
    const first = await runCommand(['import', zip], environmentOf(server));
    expect(first.status).toBe(1);
    expect(first.stderr).toMatch(/stopped with \d+ turns stored this time; the same command resumes after/);
    expect(first.stderr).toContain('turnstone orgs set-limits local --tokens-in N');
    await runCommand(['orgs', 'set-limits', 'local', '--tokens-in', '0'], environmentOf(server));
    const second = await runCommand(['import', zip], environmentOf(server));
    expect(second.status).toBe(0);
    expect(second.stderr).toContain('resuming after');
    expect(await turnsOnTheLog(server)).toBe(3 * CONVERSATIONS);
    await server.stop();
  });
});
