/**
 * Channels of Discord as DiscordChatExporter writes them (JSON): a file a channel, or several parts of one.
 * Discord's own data package has only what one person wrote.
 */
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import type { Archive } from '../files/archive.ts';
import { jsonValues } from '../files/json-values.ts';
import {
  type Conversation,
  type Faulty,
  importFault,
  isImportFault,
  type LeftOut,
  leftOut,
  type Said,
} from '../turns/found.ts';
import { namesApart } from './names.ts';

interface Channel extends Json {
  guild: Json;
  channel: Json;
  messages: unknown[];
}

const isChannel = (value: unknown): value is Channel =>
  isObject(value) && isObject(value.guild) && isObject(value.channel) && Array.isArray(value.messages);

const files = ({ kind, entries }: Archive): string[] =>
  entries.filter(({ path }) => kind === 'file' || /\.json$/i.test(path)).map(({ path }) => path);

/** Messages of people; all other types are notices: who joined, what was pinned, calls. */
const SPOKEN = new Set<unknown>(['Default', 'Reply']);
const SHOWN = ['attachments', 'embeds', 'stickers'];

/** Direct messages are in a guild with this id. */
const NO_GUILD = '0';

const conversationOf = ({ guild, channel }: Channel): Conversation | undefined => {
  const id = textOf(channel.id);
  if (id === undefined) return undefined;
  const name = textOf(channel.name) ?? id;
  const server = textOf(guild.name);
  const title = guild.id === NO_GUILD || server === undefined ? name : `${server} #${name}`;
  return { session: `discord-${id}`, title };
};

const authorOf = ({ author }: Json): { id: string; name: string } => {
  const { id, nickname, name } = isObject(author) ? author : ({} as Json);
  return { id: String(id ?? name ?? 'unknown'), name: textOf(nickname) ?? textOf(name) ?? 'unknown' };
};

function* readMessage(
  message: Json,
  place: Pick<Said, 'location' | 'conversation'>,
  names: ReadonlyMap<string, string>,
  withBots: boolean,
): Generator<Said | LeftOut | Faulty> {
  if (!SPOKEN.has(message.type)) {
    yield leftOut("Discord's own lines, as who joined, pins, calls");
    return;
  }
  if (!withBots && isObject(message.author) && message.author.isBot === true) {
    yield leftOut('messages of bots');
    return;
  }
  const shown = SHOWN.flatMap(name => (Array.isArray(message[name]) ? (message[name] as unknown[]) : []));
  if (shown.length > 0) yield leftOut('pictures, recordings and files', shown.length);
  const text = textOf(message.content) ?? '';
  if (text === '' && shown.length > 0) return;
  const at = typeof message.timestamp === 'string' ? parseInstant(message.timestamp) : undefined;
  if (at === undefined) yield { location: place.location, faults: ['has no time'] };
  else yield { ...place, role: names.get(authorOf(message).id)!, text, at };
}

function* readChannel(value: Channel, where: string, withBots: boolean): Generator<Said | LeftOut | Faulty> {
  const conversation = conversationOf(value);
  if (!conversation) {
    yield { location: `${where}the channel`, faults: ['has no id'] };
    return;
  }
  const messages = value.messages.filter(isObject);
  const names = namesApart(messages.map(authorOf));
  for (const [index, message] of messages.entries()) {
    const location = `${where}message ${index + 1}`;
    yield* readMessage(message, { location, conversation }, names, withBots);
  }
}

export const discord = {
  recognizes: async (archive: Archive, first: unknown): Promise<boolean> => {
    if (archive.kind === 'file') return isChannel(first);
    const [file] = files(archive);
    if (file === undefined) return false;
    for await (const chunk of archive.read(file)) return /^\s*\{\s*"guild"\s*:/.test(chunk.toString());
    return false;
  },
  read: async function* (archive: Archive, withBots: boolean): AsyncGenerator<Said | LeftOut | Faulty> {
    for (const file of files(archive)) {
      const where = archive.kind === 'file' ? '' : `${file}, `;
      try {
        for await (const value of jsonValues(archive.read(file))) {
          if (isChannel(value)) yield* readChannel(value, where, withBots);
          else yield { location: `${where}the file`, faults: ['is no channel of DiscordChatExporter'] };
        }
      } catch (error) {
        if (isImportFault(error) && archive.kind !== 'file')
          throw importFault(`${file} ${error.message}`, error);
        throw error;
      }
    }
  },
};
