import { join } from 'node:path';
import { expect, it } from 'vitest';
import { slackText } from '../../../services/importers/slack-text.ts';
import { EXPORTS, fixtureFiles, readExport, shown, textFile, zipFile } from '../../support/exports.ts';

const general = [
  'slack-C01 Ben (Ops) 2026-03-01T09:00:00.000Z The day before.',
  'slack-C01 Ada 2026-03-02T09:01:00.123Z The greenhouse opens on Monday, see the plan (https://example.com/plan) & ask @Ben [Ops] in #empty. @here <3',
  'slack-C01 Ben (Ops) 2026-03-02T09:02:00.500Z Both of us',
  'slack-C01 Ben (Ops) 2026-03-02T09:05:00.000Z I bring the tomatoes.',
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
  expect(reading.faults).toEqual([['general/2026-03-02.json, message 10', 'has no ts that can be read']]);
});

it('reads the same from a zip file, also from one that was packed with its folder', async () => {
  const files = fixtureFiles('slack');
  const folder = await readExport(join(EXPORTS, 'slack'), 'slack');
  expect(shown(await readExport(await zipFile('s.zip', files), 'slack'))).toEqual(shown(folder));
  const inFolder = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`acme/${path}`, bytes]));
  expect(shown(await readExport(await zipFile('s.zip', inFolder), 'slack'))).toEqual(shown(folder));
});

it('names the file of a day that is damaged, and says what is no export', async () => {
  const zip = await zipFile('s.zip', {
    'channels.json': '[]',
    'general/2026-03-02.json': '[{"text":"secret',
  });
  await expect(readExport(zip, 'slack')).rejects.toThrow(
    'general/2026-03-02.json is not JSON in UTF-8, or was cut short',
  );
  await expect(readExport(textFile('x.json', '[]'), 'slack')).rejects.toThrow('it is no export of Slack');
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
