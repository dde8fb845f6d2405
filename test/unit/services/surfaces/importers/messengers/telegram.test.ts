import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, shown, textFile, zipFile } from '../../../../../support/files/exports.ts';

let id = 0;
const message = (text: unknown, more: object = {}) => ({
  id: ++id,
  type: 'message',
  date: '2026-01-05T10:30:00',
  date_unixtime: '1767605400',
  from: 'Ada',
  from_id: 'user1',
  text,
  ...more,
});
const chat = (messages: object[], more: object = {}) => ({
  name: 'Family',
  type: 'private_group',
  id: 77,
  messages,
  ...more,
});
const result = (value: unknown): string => textFile('result.json', JSON.stringify(value, null, 1));

describe("Telegram's export", () => {
  it('is a chat: texts in pieces, speakers, instants', async () => {
    const file = result(
      chat([
        message('I moved to Lyon.'),
        message([
          'See ',
          { type: 'link', text: 'example.org' },
          ' and ',
          { type: 'bold', text: 'hurry' },
          '.',
        ]),
        message('', { photo: 'photos/1.jpg', width: 1 }),
        message('The garden', { photo: 'photos/2.jpg' }),
        message('', { media_type: 'sticker', sticker_emoji: '🙂' }),
        message('', { poll: { question: 'When?' } }),
        { id: 90, type: 'service', action: 'invite_members', actor: 'Ada', date_unixtime: '1', text: '' },
        message('Rain tomorrow', { forwarded_from: 'Weather', from: 'Ben', from_id: 'user2' }),
        message('Who said it?', { forwarded_from: null }),
        message('Bye', { from: null, from_id: 'user3' }),
      ]),
    );
    expect(await detectFormat(await openArchive(file))).toBe('telegram');
    const reading = await readExport(file, 'telegram');
    const AT = '2026-01-05T09:30:00.000Z';
    expect(shown(reading)).toEqual([
      `telegram-77 Ada ${AT} I moved to Lyon.`,
      `telegram-77 Ada ${AT} See example.org and hurry.`,
      `telegram-77 Ada ${AT} The garden`,
      // Not what Ben says.
      `telegram-77 Weather ${AT} Rain tomorrow`,
      `telegram-77 deleted account (user3) ${AT} Bye`,
    ]);
    expect(reading.turns[0]!.title).toBe('Family');
    expect(reading.leftOut).toEqual({
      'pictures, recordings and files': 3,
      'polls, places and contacts': 1,
      "Telegram's own lines, as who joined, calls, pins": 1,
      'forwarded messages of somebody unknown': 1,
    });
    expect(reading.faults).toEqual([]);
  });

  it('tells people of one name apart, and nobody else', async () => {
    const { turns } = await readExport(
      result(
        chat([
          message('a'),
          message('b', { from: 'ada', from_id: 'user2' }),
          message('c', { from: 'Ben', from_id: 'user3' }),
        ]),
      ),
      'telegram',
    );
    expect(turns.map(({ turn }) => turn.role)).toEqual(['Ada (user1)', 'ada (user2)', 'Ben']);
  });

  it('is an account, in a folder too', async () => {
    const saved = chat([message('keys under the mat')], { name: undefined, type: 'saved_messages', id: 1 });
    const account = {
      about: 'Here is the data',
      chats: { about: '', list: [chat([message('a')]), saved, 5] },
    };
    const zip = await zipFile('DataExport.zip', { 'DataExport/result.json': JSON.stringify(account) });
    expect(await detectFormat(await openArchive(zip))).toBe('telegram');
    const { turns, faults } = await readExport(zip, 'telegram');
    expect(turns.map(({ session, title }) => [session, title])).toEqual([
      ['telegram-77', 'Family'],
      ['telegram-1', 'Saved messages'],
    ]);
    expect(faults).toEqual([['chat 3', 'has no id or no messages']]);
  });

  it('says what to do about times without a zone', async () => {
    const { faults } = await readExport(
      result(chat([message('a', { date_unixtime: undefined, id: 4 })])),
      'telegram',
    );
    expect(faults).toEqual([['chat 1, message 4', 'has no date_unixtime: export it with a newer Telegram']]);
  });

  it('refuses what is no export of Telegram', async () => {
    await expect(readExport(result({ a: 1 }), 'telegram')).rejects.toThrow('is no chat');
    await expect(readExport(await zipFile('x.zip', { 'a.json': '{}' }), 'telegram')).rejects.toThrow(
      'has no result.json',
    );
  });
});
