import { mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composition } from '../../../../../services/compose/compose.ts';
import { countTokens } from '../../../../../services/core/tokens/count.ts';
import { run } from '../../../../../services/surfaces/cli/cli.ts';
import { FORMATS } from '../../../../../services/surfaces/importers/formats.ts';
import { runCommand } from '../../../../support/command-line.ts';
import { EXPORTS, fixtureFiles, textFile, zipFile } from '../../../../support/exports.ts';
import { temporaryFolder } from '../../../../support/server.ts';
import { type Script, type StubService, startStub } from '../../../../support/stub-service.ts';

interface Body {
  scope: { org_id: string; user_id?: string; session_id?: string };
  turns: { role: string; text: string; timestamp: string }[];
}

let stub: StubService | undefined;
const folders = temporaryFolder();
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(folders, 'data-'));
});
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const environment = () => ({
  TURNSTONE_URL: stub?.url ?? 'http://127.0.0.1:1',
  TURNSTONE_API_KEY: 'key',
  TURNSTONE_DATA_DIR: dataDir,
});
const importing = (...args: string[]) => runCommand(['import', ...args], environment());
const bodies = (): Body[] =>
  stub!.seen.filter(({ path }) => path === '/ingestion/memory').map(({ body }) => body as Body);
const path = (name: string) => join(EXPORTS, name);
const ANDROID = path('whatsapp/WhatsApp Chat with Ben.txt');

const AMBIGUOUS = '01/02/2026, 10:00 - Ada: hello\n01/03/2026, 10:00 - Ben: hi\n';

describe('a dry run', () => {
  it('says what is in the file and what it costs, and needs no server', async () => {
    expect(
      await importing(
        path('whatsapp/_chat.txt'),
        '--session',
        'family',
        '--time-zone',
        'Europe/Berlin',
        '--dry-run',
      ),
    ).toEqual({
      status: 0,
      stderr: '',
      stdout: [
        "format         WhatsApp's export",
        'conversations  1',
        'turns          9',
        'speakers       Ben (4), Ada (3), Cy (1), +49 170 1234567 (1)',
        'time           2026-03-28 08:01 UTC to 2026-10-25 02:00 UTC',
        'time zone      Europe/Berlin; dates read as day, month, year: no other order fits all dates',
        'tokens         71, less turns already stored',
        "left out       WhatsApp's own lines, as who joined, calls, settings: 2",
        '               pictures, recordings and files: 2',
        '               messages that were deleted: 1',
        '               messages without text: 1',
        'Nothing was sent.',
        '',
      ].join('\n'),
    });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('counts what is in the file twice once, and tells of changed names and parted texts', async () => {
    const line = (role: string, text: string) =>
      JSON.stringify({ role, text, timestamp: '2026-01-01T00:00:00Z' });
    const file = textFile(
      'a.jsonl',
      [line('Ada', 'kettle'), line('Ada', 'kettle'), line('Ben', 'tin')].join('\n'),
    );
    const { stdout } = await importing(file, '--dry-run');
    expect(stdout).toContain('turns          3, of which 1 repeat others and are stored once');
    const cost = countTokens('kettle') + countTokens('tin');
    expect(stdout).toContain(`tokens         ${cost}, less turns already stored`);
    expect((await importing(path('slack'), '--dry-run')).stdout).toContain(
      'changed        4 with a changed speaker name',
    );
  });
});

describe('wrong usage ends with 2 and names the flag', () => {
  it.each([
    [[ANDROID], /without a time zone: add the phone's, as --time-zone Europe\/Berlin/],
    [['AMBIGUOUS', '--time-zone', 'UTC'], /1\/2\/2026 can be dmy .* or mdy .* add one, as --date-order dmy/],
    [
      ['AMBIGUOUS', '--time-zone', 'UTC', '--date-order', 'ymd'],
      /no date in the file can be year, month, day: --date-order ymd is wrong/,
    ],
    [[path('whatsapp/_chat.txt'), '--time-zone', 'UTC'], /does not name the chat.*--session/],
    [[ANDROID, '--time-zone', 'Mars/Base'], /--time-zone must be/],
    [[path('slack'), '--me', 'Ada'], /--me has no meaning for Slack's export/],
    [[path('chatgpt'), '--time-zone', 'UTC'], /--time-zone has no meaning for ChatGPT's data export without/],
    [[path('claude'), '--date-order', 'dmy'], /--date-order has no meaning for Claude's data export/],
    [[path('claude'), '--org', 'acme'], /--org is for an export of events/],
    [
      [path('claude'), '--only', 'No such title'],
      /--only: no conversation has the title or the id No such title/,
    ],
    [['no-such-file', '--user', ''], /--user: user_id must/],
    [['no-such-file', '--user', 'u'.repeat(300)], /--user: user_id must have .*256/],
    [['no-such-file', '--me', ' '], /--me must be a name/],
    [['no-such-file', '--session', ''], /--session: session_id must/],
    [[path('claude'), '--since', '2026-02-30'], /--since: there is no such day/],
    [[path('claude'), '--until', 'yesterday'], /--until must be a day/],
    [[path('claude'), '--since', '2026-02-02', '--until', '2026-02-01'], /--until is before --since/],
    [
      ['EVENTS', '--user', 'ada', '--since', '2026-01-01'],
      /--user, --since: not available for an export of events, which is imported unchanged/,
    ],
  ])('%j', async (args, message) => {
    const files: Record<string, string> = {
      AMBIGUOUS: textFile('WhatsApp Chat with Ben.txt', AMBIGUOUS),
      EVENTS: textFile('e.jsonl', '{"format":"turnstone-export","version":1,"org_id":"local"}'),
    };
    const { status, stderr } = await importing(...args.map(arg => files[arg] ?? arg));
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});

it('asks at a terminal for what the file leaves open, again when it does not understand', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const answers = ['both', 'MDY', 'Mars/Base', 'Europe/Lisbon'];
  let asked = '';
  stderr.on('data', chunk => {
    asked += chunk;
    if (/\? $|\) $/.test(String(chunk))) stdin.write(`${answers.shift()}\n`);
  });
  const file = textFile('WhatsApp Chat with Ben.txt', AMBIGUOUS);
  const status = await run(['import', file, '--dry-run'], {
    stdin,
    stdout,
    stderr,
    environment: environment(),
    composition,
  });
  stdout.end();
  expect({ status, left: answers }).toEqual({ status: 0, left: [] });
  expect(asked).toContain('can be dmy (day, month, year) or mdy (month, day, year). Which?');
  expect(await text(stdout)).toContain('Europe/Lisbon; dates read as month, day, year: from your answer');
});

describe('a question that is not answered', () => {
  const asking = async (key: string | undefined) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    let told = '';
    stderr.on('data', chunk => {
      told += chunk;
      if (!String(chunk).includes('Which zone was the phone in?')) return;
      // The question is still being asked while its words are written.
      setImmediate(() => (key === undefined ? stdin.end() : stdin.write(key)));
    });
    const terminal = { stdin, stdout: new PassThrough(), stderr, environment: environment(), composition };
    return { status: await run(['import', ANDROID], terminal), told };
  };

  it('but by Ctrl-C ends with 130', async () => {
    const { status, told } = await asking('\x03');
    expect(told).toMatch(/\nturnstone: interrupted\n$/);
    expect(status).toBe(130);
  });

  it.each([
    ['by Ctrl-D', '\x04'],
    ['by the end of the input', undefined],
  ])('but %s ends as without a terminal', async (_, key) => {
    const { status, told } = await asking(key);
    expect(told).toMatch(/\nturnstone: the file has times without a time zone: add the phone's, as .*\n$/);
    expect(status).toBe(2);
  });
});

describe('what can not be read', () => {
  it('is told in one sentence with its file, never with its words', async () => {
    const damaged = textFile('c.json', '[{"chat_messages": [], "uuid": "a"}, {"secret words');
    expect(await importing(damaged)).toEqual({
      status: 1,
      stdout: '',
      stderr: `turnstone: ${damaged}: is not JSON in UTF-8 after conversation 1, or was cut short\n`,
    });
    expect((await importing('no-such-file')).stderr).toBe("turnstone: can't read no-such-file: ENOENT\n");
    const other = textFile('x.txt', 'my diary');
    expect((await importing(other)).stderr).toMatch(
      /^turnstone: .*x\.txt: has an unknown format.*--format\n$/,
    );
  });

  it.each(['x'.repeat(300), 'half \ud83d'])(
    'is a conversation with the id %j: it is told in a dry run too, and the others are stored',
    async id => {
      stub = await startStub();
      const conversation = (uuid: string) => ({
        uuid,
        chat_messages: ['one', 'two'].map(text => ({
          sender: 'human',
          text,
          created_at: '2026-01-01T00:00:00Z',
        })),
      });
      const file = textFile('c.json', JSON.stringify([conversation(id), conversation('good')]));
      const dry = await importing(file, '--dry-run');
      const { status, stdout, stderr } = await importing(file);
      expect([dry.status, status]).toEqual([1, 1]);
      for (const told of [dry.stderr, stderr])
        expect(told).toMatch(/^turnstone: 1 .*\n {2}conversation 1, message 1: session_id must .*\n$/);
      expect(dry.stdout).toContain("messages of conversations that can't be stored: 2");
      expect(stdout).toContain('2 turns stored in 1 request');
      expect(bodies().map(({ scope }) => scope.session_id)).toEqual(['claude-good']);
    },
  );

  it('is a place, and no turn', async () => {
    const file = textFile('c.json', '[{"uuid": "1"}]');
    expect((await importing(file, '--format', 'claude')).stderr).toBe(
      "turnstone: 1 place can't be read:\n  conversation 1: has no chat_messages\n",
    );
  });

  it('is named by its conversation, and the others are stored', async () => {
    stub = await startStub();
    const { status, stdout, stderr } = await importing(path('chatgpt'));
    expect(status).toBe(1);
    expect(stderr).toContain('conversations-001.json, conversation 3: has no id');
    expect(stdout).toContain('7 turns stored in 3 requests');
  });
});

it('sends a session a conversation, to the user that is named, within --since, --until and --only', async () => {
  stub = await startStub();
  const args = [
    '--user',
    'ada',
    '--me',
    'Ada',
    '--only',
    'trip to lisbon',
    '--only',
    'chatgpt-33333333-cccc',
  ];
  const { stdout } = await importing(path('chatgpt'), ...args, '--since', '2026-01-05');
  expect(bodies()).toEqual([
    {
      scope: { org_id: 'acme', user_id: 'ada', session_id: 'chatgpt-11111111-aaaa' },
      turns: [expect.objectContaining({ role: 'Ada' }), ...Array(3).fill(expect.anything())],
    },
  ]);
  expect(stdout).toContain('messages outside --since and --until: 2');
  expect(stdout).toContain('messages of other conversations: 1');
});

it('reads a day of --since in the time zone that was named', async () => {
  stub = await startStub();
  const day = ['--since', '2026-03-29', '--until', '2026-03-29', '--session', 'family'];
  await importing(path('whatsapp/_chat.txt'), '--time-zone', 'Pacific/Auckland', ...day);
  expect(bodies().flatMap(({ turns }) => turns.map(turn => turn.text))).toEqual([
    'In the hour that never was',
  ]);
});

describe('an import that is broken off', () => {
  /** Twelve conversations; a server that knows what it stored, and has room for so many requests. */
  const conversations = (): Record<string, string> => ({
    'conversations.json': JSON.stringify(
      Array.from({ length: 12 }, (_, index) => ({
        uuid: `c${index}`,
        name: `Conversation ${index}`,
        chat_messages: [
          { uuid: 'm', sender: 'human', text: `number ${index}`, created_at: '2026-01-01T00:00:00Z' },
        ],
      })),
    ),
  });
  const world = async (room: number) => {
    const stored = new Set<string>();
    const limit = { room, key: 'first', lost: 0, user: 'owner' };
    const script: Script = ({ path, body }) => {
      if (path === '/auth/token-exchange') {
        const claims = Buffer.from(JSON.stringify({ org_id: 'acme', user_id: limit.user }));
        return {
          status: 200,
          body: { access_token: `h.${claims.toString('base64url')}.s`, refresh_token: 'r' },
        };
      }
      if (path !== '/ingestion/memory') return undefined;
      const { scope, turns } = body as Body;
      const isKnown = stored.has(scope.session_id!);
      if (!isKnown && stored.size >= limit.room)
        return {
          status: 429,
          body: { message: 'Daily quota exceeded.', details: { error: 'quota_exceeded' } },
        };
      stored.add(scope.session_id!);
      if (limit.lost-- > 0) return 'drop';
      const usage = { tokens_in: isKnown ? 0 : turns.length, tokens_out: 0 };
      const job_id = `${limit.key} ${scope.session_id}`;
      return { status: 202, body: { job_id, active_fragment_ids: [], passive_job_id: null, usage } };
    };
    stub = await startStub(script);
    return { stored, limit, zip: await zipFile('claude.zip', conversations()) };
  };
  const sent = (): number => bodies().length;
  const kept = (): { requests: number } | undefined => {
    const folder = join(dataDir, 'imports');
    const [state] = readdirSync(folder).map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')));
    return state;
  };

  it('by a quota says how to go on, and goes on there, with nothing sent twice but the last request', async () => {
    const { stored, limit, zip } = await world(5);
    const first = await importing(zip);
    expect(first.status).toBe(1);
    expect(first.stderr).toContain('stopped with 5 turns stored this time; the same command resumes after');
    expect(first.stderr).toMatch(/Daily quota exceeded\.\n {2}an operator raises the caps with/);
    // Four are under way at a time: of those that stand behind one that was refused nothing is kept.
    const acknowledged = kept()!.requests;
    expect(acknowledged).toBeGreaterThanOrEqual(2);
    expect(acknowledged).toBeLessThanOrEqual(5);

    limit.room = 100;
    const before = sent();
    const second = await importing(zip);
    const rest = 12 - acknowledged;
    expect(second.stderr).toContain(`resuming after ${acknowledged} turns that were stored before`);
    expect(second.stdout).toContain(`${rest} turns stored in ${rest} requests, 7 tokens billed`);
    expect({ sent: sent() - before, stored: stored.size }).toEqual({ sent: rest + 1, stored: 12 });
    expect(kept()).toBeUndefined();

    // Again from the beginning: all is known.
    expect((await importing(zip)).stdout).toContain('12 turns stored in 12 requests, 0 tokens billed');
  });

  it('says where the next one goes on, also when that is broken off', async () => {
    const { limit, zip } = await world(5);
    const first = await importing(zip);
    limit.room = 8;
    const second = await importing(zip);
    limit.room = 100;
    const third = await importing(zip);
    const told = (stderr: string) => /resumes after the first (\d+) turns/.exec(stderr)?.[1];
    expect(second.stderr).toContain(`resuming after ${told(first.stderr)} turns`);
    expect(third.stderr).toContain(`resuming after ${told(second.stderr)} turns`);
  });

  it('where nothing can be kept says that the next one starts over', async () => {
    const { zip } = await world(5);
    writeFileSync(join(dataDir, 'imports'), '');
    expect((await importing(zip)).stderr).toContain('stored this time; the same command starts over, and');
  });

  it('starts over with --restart, for another user, and on a server that does not know the last request', async () => {
    const { stored, limit, zip } = await world(5);
    await importing(zip);
    limit.room = 100;
    const before = sent();
    expect((await importing(zip, '--user', 'other')).stdout).toContain('12 turns stored in 12 requests');
    expect(sent() - before).toBe(12);

    const again = await importing(zip, '--restart');
    expect(again.stdout).toContain('12 turns stored in 12 requests, 0 tokens billed');

    stored.clear();
    limit.room = 5;
    await importing(zip);
    stored.clear();
    limit.room = 100;
    const anew = await importing(zip);
    expect(anew.stderr).toBe('');
    // What the question cost is on the bill too.
    expect(anew.stdout).toContain('12 turns stored in 12 requests, 12 tokens billed');
    expect(stored.size).toBe(12);
  });

  it('leaves nothing out where a service that lost all is broken off too', async () => {
    const { stored, limit, zip } = await world(9);
    await importing(zip);
    expect(kept()!.requests).toBeGreaterThan(5);

    stored.clear();
    limit.room = 3;
    expect((await importing(zip)).status).toBe(1);
    // The question went to storage, and a few from the beginning.
    expect(stored.size).toBe(3);

    limit.room = 100;
    expect((await importing(zip)).status).toBe(0);
    expect(stored.size).toBe(12);
  });

  it('leaves nothing out where the question itself is broken off behind the store', async () => {
    const { stored, limit, zip } = await world(5);
    await importing(zip);
    stored.clear();
    limit.room = 100;
    limit.lost = 1;
    const broken = await importing(zip);
    expect(broken.status).toBe(69);
    expect(stored.size).toBe(1);
    expect((await importing(zip)).status).toBe(0);
    expect(stored.size).toBe(12);
  });

  it('leaves nothing out where another service happens to know the last request', async () => {
    const { stored, limit, zip } = await world(5);
    await importing(zip);
    limit.key = 'second';
    limit.room = 100;
    const last = `claude-c${kept()!.requests - 1}`;
    stored.clear();
    stored.add(last);
    expect((await importing(zip)).stderr).toBe('');
    expect(stored.size).toBe(12);
  });

  it('leaves nothing out where the same file gives other requests, as under another name', async () => {
    const chat = Array.from({ length: 1_200 }, (_, index) => `[12.03.26, 10:00:00] Ada: number ${index}\n`);
    const files = { '_chat.txt': chat.join('') };
    const args = ['--time-zone', 'UTC'];
    const ofBen = await zipFile('WhatsApp Chat - Ben.zip', files);
    let room = 2;
    // Knows everything: only the file itself tells.
    const answer = { job_id: 'j', active_fragment_ids: [], passive_job_id: null, usage: { tokens_in: 0 } };
    stub = await startStub(({ path }) => {
      if (path !== '/ingestion/memory') return undefined;
      return room-- > 0 ? { status: 202, body: answer } : { status: 429, body: { message: 'full' } };
    });
    expect((await importing(ofBen, ...args)).status).toBe(1);
    expect(kept()!.requests).toBe(2);
    room = 100;
    const ofCy = await importing(await zipFile('WhatsApp Chat - Cy.zip', files), ...args);
    expect(ofCy.stderr).toBe('');
    expect(ofCy.stdout).toContain('1,200 turns stored in 3 requests');
  });

  it("starts over for another user's key, whose turns go elsewhere", async () => {
    const { limit, zip } = await world(5);
    await importing(zip);
    limit.room = 100;
    limit.user = 'other';
    const { stderr, stdout } = await importing(zip);
    expect(stderr).toBe('');
    expect(stdout).toContain('12 turns stored in 12 requests');
  });

  it('forgets with --restart before anything is sent', async () => {
    const { stored, limit, zip } = await world(5);
    await importing(zip);
    limit.room = 0;
    const before = sent();
    stored.clear();
    expect((await importing(zip, '--restart')).status).toBe(1);
    expect(kept()).toBeUndefined();
    expect(sent()).toBeGreaterThan(before);
  });

  it('is forgotten after ninety days, where its file never came again', async () => {
    const { zip } = await world(100);
    const folder = join(dataDir, 'imports');
    mkdirSync(folder);
    const daysAgo = (name: string, days: number) => {
      writeFileSync(join(folder, name), '{}');
      utimesSync(join(folder, name), new Date(), new Date(Date.now() - days * 86_400_000));
    };
    daysAgo('old.json', 91);
    daysAgo('old.txt', 91);
    daysAgo('young.json', 89);
    expect((await importing(zip)).status).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['old.txt', 'young.json']);
  });

  it('is sent, with one warning, where nothing can be kept', async () => {
    const { zip } = await world(100);
    writeFileSync(join(dataDir, 'imports'), 'a file');
    const { status, stdout, stderr } = await importing(zip);
    expect(status).toBe(0);
    expect(stdout).toContain('12 turns stored');
    expect(stderr).toBe(
      `turnstone: can't store the import's progress in ${dataDir} (ENOTDIR): if interrupted, it starts over\n`,
    );
  });
});

it('offers every format that there is', async () => {
  const { status, stderr } = await importing('x', '--format', 'none');
  expect(status).toBe(2);
  expect(stderr).toContain(`Allowed choices are auto, ${[...Object.keys(FORMATS), 'events'].join(', ')}.`);
});

it('takes zip files as they were downloaded', async () => {
  stub = await startStub();
  for (const name of ['chatgpt', 'claude', 'slack']) {
    const zip = await zipFile(`${name}.zip`, fixtureFiles(name));
    expect((await importing(zip)).stdout).toMatch(/turns stored in/);
  }
});
