import { afterEach, describe, expect, it } from 'vitest';
import { type Script, type StubService, startStub } from '../../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../../support/processes/command-line.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

const command = async (script: Script, ...args: string[]) => {
  stub = await startStub(script);
  return runCommand(args, { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_key' });
};

const STATED = {
  id: 'obs_2',
  user_id: 'ada',
  session_id: 'monday',
  turn_id: null,
  source: 'client',
  text: 'Ada lives\u001b[2J in Porto.',
  timestamp: '2026-01-05T09:30:00.000Z',
  subject: { id: 'ent_1', label: 'Ada' },
  attribute: 'home',
  value: 'Porto',
  valid_from: '2026-06-01T00:00:00.000Z',
  ended: false,
  corrects: 'obs_1',
  usage: { tokens_in: 10, tokens_out: 0 },
};
const answering =
  (body: object, status = 200): Script =>
  ({ path }) =>
    path.startsWith('/memory/') ? { status, body } : undefined;
const sent = () =>
  stub!.seen.filter(({ path }) => path.startsWith('/memory')).map(one => [one.method, one.path, one.body]);

describe('turnstone correct', () => {
  it('sends what is named, a day as its beginning, and prints what it says now', async () => {
    const args = '--value Porto --since 2026-06-01 --subject Ada --attribute home --text'.split(' ');
    const ended = await command(answering(STATED), 'correct', 'obs_1', ...args, 'Ada lives in Porto.');
    expect(ended).toEqual({
      status: 0,
      stdout:
        'corrected: obs_2\n  Ada lives [2J in Porto.\n  home of Ada: Porto · since 2026-06-01 · ada / monday\n',
      stderr: '',
    });
    expect(sent()).toEqual([
      [
        'PATCH',
        '/memory/observations/obs_1',
        {
          value: 'Porto',
          text: 'Ada lives in Porto.',
          subject: 'Ada',
          attribute: 'home',
          valid_from: '2026-06-01T00:00:00.000Z',
        },
      ],
    ]);
  });

  it('sends nothing that is not named, and prints the answer with --json', async () => {
    const { stdout } = await command(answering(STATED), 'correct', 'obs_1', '--value', 'Porto', '--json');
    expect(JSON.parse(stdout)).toEqual(STATED);
    expect(sent()).toEqual([['PATCH', '/memory/observations/obs_1', { value: 'Porto' }]]);
  });

  it('is sent again after a 503, and says what was said before', async () => {
    const answers = [
      { status: 503, body: {} },
      { status: 200, body: { ...STATED, usage: { tokens_in: 0 } } },
    ];
    const script: Script = ({ method }) => (method === 'PATCH' ? answers.shift() : undefined);
    const { status, stdout } = await command(script, 'correct', 'obs_1', '--value', 'Porto');
    expect([status, stdout.split('\n')[0]]).toEqual([0, 'said before: obs_2']);
    expect(sent()).toHaveLength(2);
  });

  it.each([
    [
      'trn_1',
      /not the id of an observation or fact \(obs_…\): trn_1; what was said in a turn is not corrected/,
    ],
    ['obs_1\u001b[2J', /\(obs_…\): obs_1 \[2J; nothing was corrected/],
    ['', /\(obs_…\): \(empty\); nothing was corrected/],
  ])('takes no id of something else: %j', async (id, told) => {
    const { status, stderr } = await command(answering(STATED), 'correct', id, '--value', 'Porto');
    expect([status, stderr]).toEqual([2, expect.stringMatching(told)]);
    expect(stub!.paths()).toEqual([]);
  });

  it('wants an id and something to correct', async () => {
    expect((await command(answering(STATED), 'correct')).status).toBe(2);
    const { status, stderr } = await command(answering(STATED), 'correct', 'obs_1', '--json');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/say what to correct: --value/)]);
    expect((await command(answering(STATED), 'correct', 'obs_1', '--value', '')).status).toBe(2);
    expect((await command(answering(STATED), 'correct', 'obs_1', '--since', 'June')).status).toBe(2);
    expect(stub!.paths()).toEqual([]);
  });

  it('ends with 1 for what does not exist, and 77 for a key that may not', async () => {
    const missing = answering({ message: 'There is no such observation.' }, 404);
    expect(await command(missing, 'correct', 'obs_9', '--value', 'a')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'turnstone: there is no such observation: obs_9\n',
    });
    const refusing = answering({ message: 'The credential lacks the role memory:write.' }, 403);
    const { status, stderr } = await command(refusing, 'correct', 'obs_9', '--value', 'a');
    expect([status, stderr]).toEqual([77, expect.stringContaining('lacks the role memory:write')]);
  });

  it('names every wrong member', async () => {
    const errors = [{ loc: ['body', 'value'], type: 'incomplete', message: 'is missing' }];
    const wrong = answering({ message: 'The request breaks a rule.', details: { errors } }, 422);
    const { status, stderr } = await command(wrong, 'correct', 'obs_1', '--text', 'Ada lives in Rome.');
    expect([status, stderr]).toEqual([1, expect.stringContaining('body.value: is missing')]);
  });
});

describe('turnstone say', () => {
  it('says a sentence, undated so that saying it again stores nothing', async () => {
    const { subject, attribute, value, valid_from, ...sentence } = STATED;
    const ended = await command(answering(sentence, 201), 'say', 'Ada is a customer.');
    expect(ended).toEqual({
      status: 0,
      stdout: 'said: obs_2\n  Ada lives [2J in Porto.\n  ada / monday\n',
      stderr: '',
    });
    const body = { scope: { org_id: 'any' }, text: 'Ada is a customer.' };
    expect(sent()).toEqual([['POST', '/memory/observations', body]]);
  });

  it('passes every option on', async () => {
    const options =
      '--user ada --session crm --subject Ada --attribute home --value Porto --since 2026-06-01 --ended --at 2026-06-02T09:00:00Z --json';
    const { stdout } = await command(
      answering(STATED, 201),
      'say',
      'Ada lives in Porto.',
      ...options.split(' '),
    );
    expect(JSON.parse(stdout)).toEqual(STATED);
    expect(sent()[0]![2]).toEqual({
      scope: { org_id: 'any', user_id: 'ada', session_id: 'crm' },
      text: 'Ada lives in Porto.',
      subject: 'Ada',
      attribute: 'home',
      value: 'Porto',
      valid_from: '2026-06-01T00:00:00.000Z',
      ended: true,
      timestamp: '2026-06-02T09:00:00Z',
    });
  });

  it('is sent again after a 503, and says what was said before', async () => {
    const answers = [
      { status: 503, body: {} },
      { status: 201, body: { ...STATED, usage: { tokens_in: 0 } } },
    ];
    const script: Script = ({ path }) => (path.startsWith('/memory') ? answers.shift() : undefined);
    const { status, stdout } = await command(script, 'say', 'Ada lives in Porto.');
    expect([status, stdout.split('\n')[0]]).toEqual([0, 'said before: obs_2']);
    expect(sent()).toHaveLength(2);
  });

  it('wants a sentence, and refuses what it can tell is wrong', async () => {
    expect((await command(answering(STATED), 'say')).status).toBe(2);
    for (const args of [[''], ['a', '--attribute', 'Home Town'], ['a', '--at', 'noon'], ['a', '--user', '']])
      expect((await command(answering(STATED), 'say', ...args)).status, args.join(' ')).toBe(2);
    expect(stub!.paths()).toEqual([]);
  });

  it('ends with 1 where what was hidden is said again', async () => {
    const { status, stderr } = await command(
      answering({ message: 'It was hidden for good.' }, 409),
      'say',
      'a',
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('hidden for good')]);
  });
});
