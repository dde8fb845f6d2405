import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../../../../../core/tokens/count.ts';
import { composition } from '../../../../../../services/compose/compose.ts';
import { run } from '../../../../../../services/surfaces/cli/cli.ts';
import { FORMATS } from '../../../../../../services/surfaces/importers/formats.ts';
import { EXPORTS, fixtureFiles, textFile, zipFile } from '../../../../../support/files/exports.ts';
import { importsOnStub } from '../../../../../support/files/importing.ts';

const { bodies, dataDir, environment, importing, startService } = importsOnStub();
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
    expect(readdirSync(dataDir())).toEqual([]);
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
    [[path('slack'), '--me', 'Nobody'], /--me: nobody in the file is called Nobody; there are /],
    [[path('chatgpt'), '--time-zone', 'UTC'], /--time-zone does not apply to ChatGPT's data export, unless/],
    [[path('claude'), '--date-order', 'dmy'], /--date-order does not apply to Claude's data export/],
    [[path('claude'), '--bots'], /--bots does not apply to Claude's data export/],
    [['EVENTS', '--bots'], /--bots: not available for an export of events/],
    [[path('claude'), '--org', 'acme'], /--org applies to an export of events only/],
    [
      [path('claude'), '--only', 'No such title'],
      /--only: no conversation has the title or the id No such title/,
    ],
    [['no-such-file', '--user', ''], /--user <id>.*must have 1 to 256 characters/],
    [['no-such-file', '--user', 'u'.repeat(300)], /--user <id>.*must have 1 to 256 characters/],
    [['no-such-file', '--me', ' '], /--me must be a name/],
    [['no-such-file', '--session', ''], /--session <id>.*must have 1 to 256 characters/],
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
      await startService();
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
    await startService();
    const { status, stdout, stderr } = await importing(path('chatgpt'));
    expect(status).toBe(1);
    expect(stderr).toContain('conversations-001.json, conversation 3: has no id');
    expect(stdout).toContain('9 turns stored in 4 requests');
  });
});

it('sends a session a conversation, to the user that is named, within --since, --until and --only', async () => {
  await startService();
  const args = ['--user', 'ada', '--only', 'trip to lisbon', '--only', 'chatgpt-33333333-cccc'];
  const { stdout } = await importing(path('chatgpt'), ...args, '--since', '2026-01-05');
  expect(bodies()).toEqual([
    {
      scope: { org_id: 'any', user_id: 'ada', session_id: 'chatgpt-11111111-aaaa' },
      turns: [expect.objectContaining({ role: 'user' }), ...Array(3).fill(expect.anything())],
      options: { session_title: 'Trip to Lisbon' },
    },
  ]);
  expect(stdout).toContain('messages outside --since and --until: 2');
  expect(stdout).toContain('messages of other conversations: 3');
});

describe('--me', () => {
  /** A service whose user has these names; `named`: the lists of names that were put. */
  const serviceOf = async (names: string[]) => {
    const named: [path: string, names: string[]][] = [];
    await startService(({ method, path, body }) => {
      if (path === '/me') return { status: 200, body: { org_id: 'acme', user_id: 'own er' } };
      if (!path.startsWith('/memory/users/')) return undefined;
      if (method === 'PUT') named.push([path, (body as { names: string[] }).names]);
      return { status: 200, body: { user_id: 'x', names, suggested_names: [] } };
    });
    return named;
  };

  it.each([
    ['chatgpt', [], [], 'user', '/memory/users/own%20er'],
    ['slack', ['--user', 'ada'], ['Ada L.'], 'Ada', '/memory/users/ada'],
  ])(
    'adds the name to the user after %s, whose turns keep the names of the export',
    async (format, args, names, role, at) => {
      const named = await serviceOf(names);
      const { stdout } = await importing(path(format), ...args, '--me', 'Ada');
      expect(named).toEqual([[at, [...names, 'Ada']]]);
      expect(stdout).toContain('Ada is the user ');
      expect(bodies().flatMap(({ turns }) => turns.map(turn => turn.role))).toContain(role);
    },
  );

  it('puts nothing where the name is set, nor in a dry run', async () => {
    const named = await serviceOf(['ada']);
    await importing(path('chatgpt'), '--me', 'Ada');
    await importing(path('chatgpt'), '--me', 'Bea', '--dry-run');
    expect(named).toEqual([]);
  });

  it('is refused for the turns of several users', async () => {
    const line = (user_id: string) =>
      JSON.stringify({ role: 'user', text: 'x', timestamp: '2026-01-01T00:00:00Z', user_id });
    const file = textFile('two.jsonl', `${line('a')}\n${line('b')}\n`);
    const { status, stderr } = await importing(file, '--me', 'Ada');
    expect([status, stderr]).toEqual([2, expect.stringContaining('several users')]);
  });
});

it('reads a day of --since in the time zone that was named', async () => {
  await startService();
  const day = ['--since', '2026-03-29', '--until', '2026-03-29', '--session', 'family'];
  await importing(path('whatsapp/_chat.txt'), '--time-zone', 'Pacific/Auckland', ...day);
  expect(bodies().flatMap(({ turns }) => turns.map(turn => turn.text))).toEqual([
    'In the hour that never was',
  ]);
});

it('offers every format that there is', async () => {
  const { status, stderr } = await importing('x', '--format', 'none');
  expect(status).toBe(2);
  expect(stderr).toContain(`Allowed choices are auto, ${[...Object.keys(FORMATS), 'events'].join(', ')}.`);
});

it('takes zip files as they were downloaded', async () => {
  await startService();
  for (const name of ['chatgpt', 'claude', 'slack']) {
    const zip = await zipFile(`${name}.zip`, fixtureFiles(name));
    expect((await importing(zip)).stdout).toMatch(/turns stored in/);
  }
});
