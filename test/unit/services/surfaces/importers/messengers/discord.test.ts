import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, shown, textFile, zipFile } from '../../../../../support/files/exports.ts';

const ADA = { id: '1', name: 'ada', nickname: 'Ada', isBot: false };
const message = (content: string, more: object = {}) => ({
  id: '9',
  type: 'Default',
  timestamp: '2026-01-05T10:30:00.5+01:00',
  content,
  author: ADA,
  attachments: [],
  embeds: [],
  stickers: [],
  ...more,
});
const channel = (messages: object[], more: object = {}) => ({
  guild: { id: '5', name: 'Club' },
  channel: { id: '6', type: 'GuildTextChat', name: 'general' },
  messages,
  ...more,
});

describe("Discord's channels", () => {
  it('are what people said', async () => {
    const file = textFile(
      'general.json',
      JSON.stringify(
        channel([
          message('I play chess.'),
          message('Me too.', { type: 'Reply', author: { id: '2', name: 'ben', nickname: null } }),
          message('Joined the server.', { type: 'GuildMemberJoin' }),
          message('Beep', { author: { id: '3', name: 'robot', isBot: true } }),
          message('', { attachments: [{ url: 'a.png' }] }),
          message('My board', { attachments: [{ url: 'b.png' }] }),
          message('When?', { timestamp: 'yesterday' }),
        ]),
        null,
        2,
      ),
    );
    expect(await detectFormat(await openArchive(file))).toBe('discord');
    const reading = await readExport(file, 'discord');
    expect(shown(reading)).toEqual([
      'discord-6 Ada 2026-01-05T09:30:00.500Z I play chess.',
      'discord-6 ben 2026-01-05T09:30:00.500Z Me too.',
      'discord-6 Ada 2026-01-05T09:30:00.500Z My board',
    ]);
    expect(reading.turns[0]!.title).toBe('Club #general');
    expect(reading.leftOut).toEqual({
      "Discord's own lines, as who joined, pins, calls": 1,
      'messages of bots': 1,
      'pictures, recordings and files': 2,
    });
    expect(reading.faults).toEqual([['message 7', 'has no time']]);
    const withBots = await readExport(file, 'discord', { bots: true });
    expect(withBots.turns.map(({ turn }) => turn.role)).toContain('robot');
    expect(withBots.leftOut['messages of bots']).toBeUndefined();
  });

  it('may be several, and direct messages', async () => {
    const direct = channel([message('hi')], {
      guild: { id: '0', name: 'Direct Messages' },
      channel: { id: '8', type: 'DirectTextChat', name: 'Ben' },
    });
    const zip = await zipFile('d.zip', {
      'a.json': JSON.stringify(direct),
      'b.json': JSON.stringify(channel([message('a')])),
      'c.json': '{}',
    });
    expect(await detectFormat(await openArchive(zip))).toBe('discord');
    const { turns, faults } = await readExport(zip, 'discord');
    expect(turns.map(({ session, title }) => [session, title])).toEqual([
      ['discord-8', 'Ben'],
      ['discord-6', 'Club #general'],
    ]);
    expect(faults).toEqual([['c.json, the file', 'is no channel of DiscordChatExporter']]);
  });

  it('tell which file is damaged', async () => {
    const zip = await zipFile('d.zip', { 'a.json': JSON.stringify(channel([])), 'b.json': '{"guild":' });
    await expect(readExport(zip, 'discord')).rejects.toThrow(/^b\.json is not JSON in UTF-8/);
  });
});
