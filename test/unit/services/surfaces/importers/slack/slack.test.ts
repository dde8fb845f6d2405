import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slackText } from '../../../../../../services/surfaces/importers/slack/slack-text.ts';
import {
  EXPORTS,
  fixtureFiles,
  readExport,
  shown,
  textFile,
  zipFile,
} from '../../../../../support/files/exports.ts';

const THREAD = 'slack-C01-1772442060.123456';
const general = [
  'slack-C01 Ben (Ops) 2026-03-01T09:00:00.000Z The day before.',
  `${THREAD} Ada 2026-03-02T09:01:00.123Z The greenhouse opens on Monday, see the plan (https://example.com/plan) & ask @Ben [Ops] in #empty. @here <3`,
  `${THREAD} Ben (Ops) 2026-03-02T09:02:00.500Z Both of us`,
  `${THREAD} Ben (Ops) 2026-03-02T09:05:00.000Z I bring the tomatoes.`,
  'slack-C01 Cy of Acme 2026-03-02T09:06:45.000Z Hello from x@example.com, call +4912, @ops, 2 March',
];

it('reads channels, private ones, two and several people, each in the order of time', async () => {
  const reading = await readExport(join(EXPORTS, 'slack'), 'slack');
  expect(shown(reading)).toEqual([
    'slack-D01 Ben (Ops) 2026-03-03T09:01:00.000Z Between the two of us.',
    ...general,
    'slack-G02 Ada 2026-03-03T09:02:00.000Z Three of us.',
    'slack-G01 Ada 2026-03-03T09:00:00.000Z The surprise is a telescope.',
    'slack-unlisted Ada 2026-03-03T09:03:00.000Z Nobody lists me.',
  ]);
  expect([...new Set(reading.turns.map(({ title }) => title))]).toEqual([
    'Ada, Ben [Ops]',
    '#general',
    '#general: The greenhouse opens on Monday, see the plan (https://examp…',
    'Ada, Ben [Ops], U9',
    '#secret-plans',
    '#unlisted',
  ]);
  expect(reading.leftOut).toEqual({
    'notices of Slack, as who joined, left, pinned': 1,
    'entries that are no messages': 1,
    'messages of bots and apps': 2,
    'messages that were deleted': 1,
    'files and attachments without words': 1,
    'messages without text': 1,
  });
  expect(reading.faults).toEqual([['general/2026-03-02.json, message 10', 'has no readable ts']]);
});

it('reads the same from a zip file, also from one that was packed with its folder', async () => {
  const files = fixtureFiles('slack');
  const folder = await readExport(join(EXPORTS, 'slack'), 'slack');
  expect(shown(await readExport(await zipFile('s.zip', files), 'slack'))).toEqual(shown(folder));
  const inFolder = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`acme/${path}`, bytes]));
  expect(shown(await readExport(await zipFile('s.zip', inFolder), 'slack'))).toEqual(shown(folder));
});

const message = (user: string, text: string, more: object = {}) => ({
  type: 'message',
  ts: '1772442060.000000',
  user,
  text,
  ...more,
});

describe('several exports in one folder', () => {
  const day = (text: string) => JSON.stringify([message('U1', text)]);

  it('are the outermost one, without the days of another', async () => {
    const zip = await zipFile('s.zip', {
      'an-older-one/channels.json': '[{"id":"C1","name":"general"}]',
      'an-older-one/general/2026-03-02.json': day('old'),
      'channels.json': '[{"id":"C1","name":"general"}]',
      'dms.json': '[]',
      'general/2026-03-02.json': day('new'),
    });
    expect((await readExport(zip, 'slack')).turns.map(({ turn }) => turn.text)).toEqual(['new']);
  });

  it('are refused by their names where they stand side by side', async () => {
    const files = { 'january/channels.json': '[]', 'february/groups.json': '[]', 'february/dms.json': '[]' };
    await expect(readExport(await zipFile('s.zip', files), 'slack')).rejects.toThrow(
      'has two Slack exports, february and january: name one of them',
    );
  });
});

it('keeps members of one display name apart by their real names, and by their ids where these are one too', async () => {
  const member = (id: string, display_name: string, real_name?: string) => ({
    id,
    name: `handle.${id}`,
    profile: { display_name, real_name },
  });
  const users = [
    member('U1', 'Ada', 'Ada Lovelace'),
    member('U2', 'ada', 'Ada Byron'),
    member('U3', 'Ben', 'Ben Short'),
    member('U4', 'Sam', 'Sam Price'),
    member('U5', 'Sam', 'Sam Price'),
    member('U6', 'Sam'),
    member('U7', 'Max', 'Ben'),
    member('U8', 'Max', 'Max Ray'),
  ];
  const zip = await zipFile('s.zip', {
    'channels.json': '[{"id":"C1","name":"general"}]',
    'users.json': JSON.stringify(users),
    'general/2026-03-02.json': JSON.stringify(users.map(({ id }) => message(id, `ask <@U2>`))),
  });
  const { turns } = await readExport(zip, 'slack');
  expect(turns.map(({ turn }) => turn.role)).toEqual([
    'Ada Lovelace',
    'Ada Byron',
    'Ben',
    'Sam Price (U4)',
    'Sam Price (U5)',
    'Sam (U6)',
    'Ben (U7)',
    'Max Ray',
  ]);
  expect(turns[0]!.turn.text).toBe('ask @Ada Byron');
});

it('reads the words of blocks where a message has no text', async () => {
  const text = (text: string) => ({ type: 'text', text });
  const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
  const blocks = [
    { type: 'divider' },
    {
      type: 'rich_text',
      elements: [
        section(
          text('Ask '),
          { type: 'user', user_id: 'U1' },
          text(' in '),
          { type: 'channel', channel_id: 'C1' },
          text(' & '),
          { type: 'broadcast', range: 'here' },
          text(', see '),
          { type: 'link', url: 'https://example.com', text: 'the plan' },
          text(' '),
          { type: 'emoji', name: 'tada' },
          text('\n'),
        ),
        { type: 'rich_text_list', elements: [section(text('bread')), section(text('cheese'))] },
        { type: 'rich_text_quote', elements: [text('1 < 2')] },
      ],
    },
  ];
  const zip = await zipFile('s.zip', {
    'channels.json': '[{"id":"C1","name":"general"}]',
    'users.json': '[{"id":"U1","name":"ada"}]',
    'general/2026-03-02.json': JSON.stringify([
      message('U1', '', { blocks, files: [{}] }),
      message('U1', 'words', { blocks }),
      message('U1', '', { blocks: [{ type: 'rich_text', elements: 'no list' }, null] }),
    ]),
  });
  const { turns, leftOut } = await readExport(zip, 'slack');
  expect(turns.map(({ turn }) => turn.text)).toEqual([
    'Ask @ada in #general & @here, see the plan (https://example.com) :tada:\nbread\ncheese\n1 < 2',
    'words',
  ]);
  expect(leftOut).toEqual({ 'messages without text': 1 });
});

it('names the file of a day that is damaged, and says what is no export', async () => {
  const zip = await zipFile('s.zip', {
    'channels.json': '[]',
    'general/2026-03-02.json': '[{"text":"secret',
  });
  await expect(readExport(zip, 'slack')).rejects.toThrow(
    'general/2026-03-02.json is not JSON in UTF-8, or was cut short',
  );
  await expect(readExport(textFile('x.json', '[]'), 'slack')).rejects.toThrow('it is not a Slack export');
});

it.each([
  ['<@U1|old name> and <@U9|kept>', '@Ada and @kept'],
  ['<!channel> <!subteam^S9>', '@channel @subteam'],
  ['<https://x.example/?a=1&amp;b=2>', 'https://x.example/?a=1&b=2'],
  ['&amp;lt; is no entity twice over', '&lt; is no entity twice over'],
  ['1 &lt; 2 &gt; 0', '1 < 2 > 0'],
  ['<#C9>', '#C9'],
])('%s', (text, expected) => {
  const names = { userName: (id: string) => (id === 'U1' ? 'Ada' : undefined), channelName: () => undefined };
  expect(slackText(text, names)).toBe(expected);
});

describe('mrkdwn', () => {
  it.each([
    ['*bold*, _italic_ and ~struck~', 'bold, italic and struck'],
    ['*_both_* and ~*_all three_*~', 'both and all three'],
    ['*see <https://x.example|the plan>* now', 'see the plan (https://x.example) now'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    ['a*b*c stays, * so does this *', 'a*b*c stays, * so does this *'],
    ['`a*b*c` and ```\nlet _x_ = 1;\n``` behind', 'a*b*c and let _x_ = 1; behind'],
    ['`<https://x.example|x.example>` &amp; `a &lt; b`', 'x.example (https://x.example) & a < b'],
    ['*two\nlines*', '*two\nlines*'],
    [':wave::skin-tone-3: hello', ':wave: hello'],
    ['&gt; quoted', '> quoted'],
  ])('%j', (text, expected) => {
    const names = { userName: () => undefined, channelName: () => undefined };
    expect(slackText(text, names)).toBe(expected);
  });
});

describe('a thread', () => {
  const at = (ts: string, user: string, text: string, more: object = {}) => ({
    type: 'message',
    ts,
    user,
    text,
    ...more,
  });
  const users = '[{"id":"U1","name":"ada"},{"id":"U2","name":"ben"}]';

  it('goes on over days, beside the channel, and is selected with it', async () => {
    const thread_ts = '1772442060.000100';
    const zip = await zipFile('s.zip', {
      'channels.json': '[{"id":"C1","name":"general"}]',
      'users.json': users,
      'general/2026-03-02.json': JSON.stringify([
        at(thread_ts, 'U1', 'Who has *the key*?\nIt is red.', { thread_ts, reply_count: 2 }),
        at('1772442061.000000', 'U2', 'Lunch?'),
      ]),
      'general/2026-03-04.json': JSON.stringify([
        at('1772614860.000000', 'U2', 'I do.', { thread_ts, parent_user_id: 'U1' }),
        at('1772614861.000000', 'U2', 'Also to the channel', {
          thread_ts,
          subtype: 'thread_broadcast',
        }),
      ]),
    });
    const { turns } = await readExport(zip, 'slack');
    expect(turns.map(({ session, title, within, turn }) => [session, title, within, turn.text])).toEqual([
      [
        'slack-C1-1772442060.000100',
        '#general: Who has the key?',
        { session: 'slack-C1', title: '#general' },
        'Who has the key?\nIt is red.',
      ],
      ['slack-C1', '#general', undefined, 'Lunch?'],
      ...['I do.', 'Also to the channel'].map(text => [
        'slack-C1-1772442060.000100',
        '#general: Who has the key?',
        { session: 'slack-C1', title: '#general' },
        text,
      ]),
    ]);
  });

  it('without the message that began it is titled by its first reply', async () => {
    const zip = await zipFile('s.zip', {
      'channels.json': '[{"id":"C1","name":"general"}]',
      'users.json': users,
      'general/2026-03-04.json': JSON.stringify([
        at('1772614860.000000', 'U2', 'I do.', { thread_ts: '1772442060.000100' }),
        at('1772614861.000000', 'U2', 'A thread of no time', { thread_ts: 'soon' }),
      ]),
    });
    const { turns } = await readExport(zip, 'slack');
    expect(turns.map(({ session, title }) => [session, title])).toEqual([
      ['slack-C1-1772442060.000100', '#general: I do.'],
      ['slack-C1', '#general'],
    ]);
  });
});

describe('messages of programs', () => {
  const bot = (ts: string, more: object) => ({ type: 'message', ts, text: '', ...more });
  const files = {
    'channels.json': '[{"id":"C1","name":"general"}]',
    'users.json': '[{"id":"U1","name":"ada"},{"id":"UB","name":"deployer","is_bot":true}]',
    'general/2026-03-02.json': JSON.stringify([
      message('U1', 'by hand'),
      bot('1772442061.0', {
        subtype: 'bot_message',
        bot_id: 'B1',
        username: 'CI',
        text: '*Deployed* <https://x.example|v2>',
      }),
      bot('1772442062.0', {
        bot_id: 'B2',
        user: 'UB',
        bot_profile: { name: 'Deployer' },
        text: 'Rolled back.',
      }),
      bot('1772442063.0', {
        subtype: 'bot_message',
        bot_id: 'B1',
        attachments: [
          { pretext: 'Alert', title: 'Disk', fields: [{ title: 'Host', value: 'db1' }], fallback: 'x' },
          { fallback: 'only this' },
        ],
      }),
      bot('1772442064.0', {
        bot_id: 'B3',
        user: 'UB',
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Report & more' } },
          {
            type: 'section',
            text: { type: 'mrkdwn', text: '*12* builds' },
            fields: [{ type: 'mrkdwn', text: 'ok: 11' }],
          },
          { type: 'context', elements: [{ type: 'image' }, { type: 'mrkdwn', text: 'by _CI_' }] },
          { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' } }] },
        ],
      }),
      bot('1772442065.0', { user: 'USLACKBOT', text: 'Reminder: water the fig.' }),
      bot('1772442066.0', { subtype: 'bot_add', user: 'U1', text: 'added an integration' }),
    ]),
  };

  it('are left out, and counted', async () => {
    const { turns, leftOut } = await readExport(await zipFile('s.zip', files), 'slack');
    expect(turns.map(({ turn }) => turn.text)).toEqual(['by hand']);
    expect(leftOut).toEqual({ 'messages of bots and apps': 6 });
  });

  it('are stored with --bots, by the name that they have in the message', async () => {
    const { turns, leftOut } = await readExport(await zipFile('s.zip', files), 'slack', { bots: true });
    expect(turns.map(({ turn }) => [turn.role, turn.text])).toEqual([
      ['ada', 'by hand'],
      ['CI', 'Deployed v2 (https://x.example)'],
      ['Deployer', 'Rolled back.'],
      ['B1', 'Alert\nDisk\nHost: db1\nonly this'],
      ['deployer', 'Report & more\n12 builds\nok: 11\nby CI'],
      ['USLACKBOT', 'Reminder: water the fig.'],
    ]);
    expect(leftOut).toEqual({ 'notices of Slack, as who joined, left, pinned': 1 });
  });
});
