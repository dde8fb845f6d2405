import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, shown, textFile, zipFile } from '../../../../../support/files/exports.ts';

const activity = (title: string, time: string, answer?: string, more: object = {}) => ({
  header: 'Gemini Apps',
  title,
  time,
  products: ['Gemini Apps'],
  activityControls: ['Gemini Apps Activity'],
  ...(answer !== undefined && { safeHtmlItem: [{ html: answer }] }),
  ...more,
});

const PATH = 'Takeout/My Activity/Gemini Apps/MyActivity.json';
/** The latest first, as Google writes it. */
const ACTIVITIES = [
  activity('Gave feedback: Good response', '2026-01-05T12:01:00Z'),
  activity(
    'Prompted And in May?',
    '2026-01-05T10:20:00.500Z',
    '<p>They <b>swarm</b>.</p><ul><li>often</li></ul>',
  ),
  activity(
    'Prompted When do bees swarm? Attached 1 file.',
    '2026-01-05T10:00:00Z',
    '<p>In May &amp; June.</p>',
    {
      attachedFiles: ['bee.png'],
    },
  ),
  activity('Gefragt: Was kostet Honig?', '2026-01-04T10:00:00Z', '<p>Zehn Euro.</p>'),
  activity('Prompted Is anybody there?', '2026-01-03T10:00:00Z'),
  activity('Prompted late', 'yesterday', '<p>x</p>'),
  { ...activity('Watched a video', '2026-01-03T09:00:00Z'), header: 'YouTube', products: ['YouTube'] },
];

const EXPECTED = [
  'gemini-2026-01-05T10:00:00.000Z user 2026-01-05T10:00:00.000Z When do bees swarm?',
  'gemini-2026-01-05T10:00:00.000Z assistant 2026-01-05T10:00:00.001Z In May & June.',
  'gemini-2026-01-05T10:00:00.000Z user 2026-01-05T10:20:00.500Z And in May?',
  'gemini-2026-01-05T10:00:00.000Z assistant 2026-01-05T10:20:00.501Z They swarm.\n\n- often',
  'gemini-2026-01-04T10:00:00.000Z user 2026-01-04T10:00:00.000Z Gefragt: Was kostet Honig?',
  'gemini-2026-01-04T10:00:00.000Z assistant 2026-01-04T10:00:00.001Z Zehn Euro.',
  'gemini-2026-01-03T10:00:00.000Z user 2026-01-03T10:00:00.000Z Is anybody there?',
];

describe('the activity', () => {
  it('becomes conversations, which a pause ends', async () => {
    const file = textFile('MyActivity.json', JSON.stringify(ACTIVITIES));
    expect(await detectFormat(await openArchive(file))).toBe('gemini');
    const reading = await readExport(file, 'gemini');
    expect(shown(reading)).toEqual(EXPECTED);
    expect(reading.turns[0]!.title).toBe('When do bees swarm?');
    expect(reading.leftOut).toEqual({
      'activities that are no questions': 1,
      'activities of other products': 1,
    });
    expect(reading.faults).toEqual([['activity 6', 'has no readable time']]);
  });

  it('is found in a Takeout among that of other products, in either order', async () => {
    const zip = await zipFile('takeout.zip', {
      'Takeout/My Activity/Ads/MyActivity.json':
        '[{"header":"Ads","title":"Saw","time":"2026-01-01T00:00:00Z"}]',
      [PATH]: JSON.stringify(ACTIVITIES.toReversed()),
    });
    expect(await detectFormat(await openArchive(zip))).toBe('gemini');
    const sessions = async (path: string) =>
      Map.groupBy(shown(await readExport(path, 'gemini')), line => line.split(' ', 1)[0]);
    expect([...(await sessions(zip)).keys()].toSorted()).toEqual(
      [...new Set(EXPECTED.map(line => line.split(' ', 1)[0]))].toSorted(),
    );
  });

  it('as HTML, or of nothing, is told', async () => {
    const html = await zipFile('t.zip', { 'Takeout/My Activity/Gemini Apps/MyActivity.html': '<html>' });
    await expect(readExport(html, 'gemini')).rejects.toThrow('choose JSON for My Activity in Takeout');
    const cut = await zipFile('t.zip', { [PATH]: '[{"header":"Gemini Apps","title":"secret' });
    expect(await detectFormat(await openArchive(cut))).toBe('gemini');
    await expect(readExport(cut, 'gemini')).rejects.toThrow(
      /MyActivity\.json is not JSON in UTF-8, or was cut short$/,
    );
  });
});

describe('conversations of an account at work', () => {
  const document = {
    title: 'Bees',
    creation_time: '2026-01-05T10:00:00Z',
    last_modification_time: '2026-01-05T11:00:00Z',
    conversation_turns: [
      {
        user_turn: {
          prompt: 'When do bees swarm?',
          turn_index: 0,
          turn_last_modified: '2026-01-05T10:00:01Z',
        },
      },
      {
        system_turn: {
          turn_index: 1,
          turn_last_modified: '2026-01-05T10:00:05Z',
          text: [{ data: 'In May.' }, { cards: [{ content: 'Also in June.' }] }],
          images: ['a.png'],
          model_thoughts: [{ headline: 'hm' }],
        },
      },
      { user_turn: { prompt: 'gone', turn_index: 2, turn_deleted_time: '2026-01-06T00:00:00Z' } },
      {},
    ],
  };

  it('are a session each', async () => {
    const zip = await zipFile('t.zip', {
      'Takeout/Gemini in Workspace/Conversation History/conversation_1.txt': JSON.stringify(document),
      'Takeout/Gemini in Workspace/Conversation History/conversation_2.txt': '{"title":"x"}',
    });
    expect(await detectFormat(await openArchive(zip))).toBe('gemini');
    const reading = await readExport(zip, 'gemini');
    expect(shown(reading)).toEqual([
      'gemini-2026-01-05T10:00:00Z user 2026-01-05T10:00:01.000Z When do bees swarm?',
      'gemini-2026-01-05T10:00:00Z assistant 2026-01-05T10:00:05.000Z In May.\n\nAlso in June.',
    ]);
    expect(reading.turns[0]!.title).toBe('Bees');
    expect(reading.leftOut).toEqual({
      "the assistant's reasoning": 1,
      'pictures, recordings and files': 1,
      'messages that were deleted': 1,
      'messages without text': 1,
    });
    expect(reading.faults).toEqual([
      [expect.stringContaining('conversation_2.txt'), 'has no conversation_turns'],
    ]);
  });

  it('may be a file with another name', async () => {
    const file = textFile('bees.json', JSON.stringify(document));
    expect(await detectFormat(await openArchive(file))).toBe('gemini');
    expect((await readExport(file, 'gemini')).turns).toHaveLength(2);
  });
});
