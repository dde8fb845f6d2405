/**
 * Telegram Desktop's export as JSON (`result.json`): one chat, or a whole account with its list of chats.
 * Media are files beside it.
 */
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import type { Archive } from '../files/archive.ts';
import { jsonValues } from '../files/json-values.ts';
import { type Faulty, importFault, type LeftOut, leftOut, type Said } from '../turns/found.ts';
import { namesApart } from './names.ts';

const RESULT = /(^|\/)result\.json$/i;

const resultFile = ({ kind, entries }: Archive): string | undefined =>
  entries.find(({ path }) => kind === 'file' || RESULT.test(path))?.path;

/** The chats of the two forms; undefined for something else. */
const chatsOf = (value: unknown): unknown[] | undefined => {
  if (!isObject(value)) return undefined;
  if (isObject(value.chats)) return Array.isArray(value.chats.list) ? value.chats.list : undefined;
  const isChat = typeof value.type === 'string' && value.id !== undefined && Array.isArray(value.messages);
  return isChat ? [value] : undefined;
};

/** A text is a string, or pieces of one: links, bold words, mentions. */
const wordsOf = ({ text }: Json): string => {
  const pieces = Array.isArray(text) ? text : [text];
  return pieces.map(piece => String((isObject(piece) ? piece.text : piece) ?? '')).join('');
};

const MEDIA = ['photo', 'file', 'media_type', 'sticker_emoji'];
const OTHER = ['poll', 'location_information', 'contact_information', 'game_title'];
const hasAny = (message: Json, names: readonly string[]): boolean =>
  names.some(name => message[name] !== undefined);

/** An account that was deleted has no name. */
const senderOf = ({ from, from_id }: Json): { id: string; name: string } => {
  const id = String(from_id ?? from ?? 'unknown');
  return { id, name: textOf(from) ?? `deleted account (${id})` };
};

/** The speaker; of a message that was passed on, whose it was. Undefined: nobody knows. */
const speakerOf = (message: Json, names: ReadonlyMap<string, string>): string | undefined =>
  'forwarded_from' in message ? textOf(message.forwarded_from) : names.get(senderOf(message).id);

const secondsOf = ({ date_unixtime: seconds }: Json): number | undefined =>
  /^\d{1,12}$/.test(String(seconds)) ? Number(seconds) * 1_000 : undefined;

function* readMessage(
  message: Json,
  place: Pick<Said, 'location' | 'conversation'>,
  names: ReadonlyMap<string, string>,
): Generator<Said | LeftOut | Faulty> {
  if (message.type !== 'message') {
    yield leftOut("Telegram's own lines, as who joined, calls, pins");
    return;
  }
  const text = wordsOf(message);
  if (hasAny(message, MEDIA)) yield leftOut('pictures, recordings and files');
  if (hasAny(message, OTHER)) yield leftOut('polls, places and contacts');
  if (text === '' && hasAny(message, [...MEDIA, ...OTHER])) return;
  const role = speakerOf(message, names);
  const at = secondsOf(message);
  if (role === undefined) yield leftOut('forwarded messages of somebody unknown');
  else if (at === undefined)
    yield { location: place.location, faults: ['has no date_unixtime: export it with a newer Telegram'] };
  else yield { ...place, role, text, at };
}

function* readChat(chat: unknown, number: number): Generator<Said | LeftOut | Faulty> {
  if (!isObject(chat) || chat.id === undefined || !Array.isArray(chat.messages)) {
    yield { location: `chat ${number}`, faults: ['has no id or no messages'] };
    return;
  }
  const title =
    textOf(chat.name) ?? (chat.type === 'saved_messages' ? 'Saved messages' : `chat ${String(chat.id)}`);
  const conversation = { session: `telegram-${String(chat.id)}`, title };
  const messages = chat.messages.filter(isObject);
  const names = namesApart(messages.filter(({ type }) => type === 'message').map(senderOf));
  for (const message of messages) {
    const location = `chat ${number}, message ${String(message.id ?? '?')}`;
    yield* readMessage(message, { location, conversation }, names);
  }
}

export const telegram = {
  recognizes: async (archive: Archive, first: unknown): Promise<boolean> => {
    if (archive.kind === 'file') return chatsOf(first) !== undefined;
    const file = resultFile(archive);
    if (file === undefined) return false;
    // A whole account's file is large: its first members tell.
    for await (const chunk of archive.read(file))
      return /^\s*\{\s*"(?:about|name|personal_information|chats)"\s*:/.test(chunk.toString());
    return false;
  },
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    const file = resultFile(archive);
    if (file === undefined) throw importFault('has no result.json: export the chats as JSON');
    for await (const value of jsonValues(archive.read(file))) {
      const chats = chatsOf(value);
      if (!chats) throw importFault('is no chat and no list of chats of Telegram');
      for (const [index, chat] of chats.entries()) yield* readChat(chat, index + 1);
      return;
    }
  },
};
