/** WhatsApp's text export of one chat: a zip file with `_chat.txt`, or a text file named after the chat. */
import type { Archive } from '../files/archive.ts';
import { type Line, linesOf } from '../files/lines.ts';
import {
  type Conversation,
  type Faulty,
  importFault,
  type LeftOut,
  leftOut,
  type Said,
} from '../turns/found.ts';
import { makeInstants } from './local-time.ts';
import { type DateOrder, dateIn, type FoundOrder, makeOrderFinder } from './whatsapp-dates.ts';
import { chatNameIn } from './whatsapp-file-names.ts';
import { type Header, headerOf } from './whatsapp-lines.ts';
import { OWN_LINES, spokenWords } from './whatsapp-words.ts';

/** Longer than any message: a file without line breaks must not exhaust memory. */
const LONGEST_LINE = 8 * 1024 * 1024;
const LONGEST_MESSAGE = 16 * 1024 * 1024;
/** The number of lines that are read to detect the format. */
const FIRST_LINES = 20;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const textFile = ({ kind, entries }: Archive): string | undefined => {
  if (kind === 'file') return entries[0]!.path;
  const texts = entries.map(({ path }) => path).filter(path => path.toLowerCase().endsWith('.txt'));
  const named =
    texts.find(path => /(^|\/)_chat\.txt$/i.test(path)) ?? texts.find(path => /whatsapp/i.test(path));
  return named ?? (texts.length === 1 ? texts[0] : undefined);
};

/** The chat's name, taken from the file name; undefined for an extracted `_chat.txt`. */
export const chatName = (archive: Archive): string | undefined => {
  const file = (textFile(archive) ?? '').split('/').at(-1)!;
  const [own] = [file, archive.name]
    .map(name =>
      chatNameIn(
        name
          // Some file systems decompose letters.
          .normalize('NFC')
          .replace(/\.(zip|txt)$/i, '')
          // The number that browsers append to repeated downloads.
          .replace(/ ?\(\d{1,3}\)$/, '')
          .trim(),
      ),
    )
    .filter(name => name !== '' && name !== '_chat');
  return own;
};

const lineText = ({ number, bytes }: Line): string => {
  if (!bytes) throw importFault(`line ${number} is longer than ${LONGEST_LINE} bytes`);
  try {
    // `linesOf` removes only \n.
    return utf8.decode(bytes).replace(/\r$/, '');
  } catch (error) {
    throw importFault(`line ${number} is not valid UTF-8`, error);
  }
};

async function* linesIn(archive: Archive): AsyncGenerator<{ number: number; text: string }> {
  const file = textFile(archive);
  if (file === undefined)
    throw importFault('has no _chat.txt, or several text files: name the text file itself');
  for await (const line of linesOf(archive.read(file), LONGEST_LINE))
    yield { number: line.number, text: lineText(line) };
}

/** The date order, determined from all dates; `fitsAny`: whether a given order fits at least one line. */
export const findDateOrder = async (
  archive: Archive,
): Promise<{ dates: FoundOrder; fitsAny: (order: DateOrder) => boolean }> => {
  const finder = makeOrderFinder();
  let hasAny = false;
  for await (const { number, text } of linesIn(archive)) {
    const header = headerOf(text);
    if (header === undefined) continue;
    hasAny = true;
    finder.add(header, number);
  }
  if (!hasAny) throw importFault("has no line in the format of WhatsApp's export");
  return { dates: finder.found(), fitsAny: finder.fitsAny };
};

interface Open {
  header: Header;
  number: number;
  lines: string[];
  size: number;
}

export interface ChatFileOptions {
  conversation: Conversation;
  timeZone: string;
  dateOrder: DateOrder;
}

/**
 * Reads who speaks where no space is behind the names of a file: `Ada:this: that` is of Ada, who has spoken
 * before, and not of somebody called `Ada:this`.
 */
const makeSpeakers = () => {
  const known = new Set<string>();
  return (header: Header): Header => {
    const { speaker } = header;
    if (speaker === undefined) return header;
    const end = speaker.indexOf(':');
    const name = speaker.slice(0, end);
    if (end > 0 && known.has(name))
      return { ...header, speaker: name, text: `${speaker.slice(end + 1)}: ${header.text}` };
    known.add(speaker);
    return header;
  };
};

/** Joins the lines of a message; one whose date is invalid in this order continues the previous message. */
async function* messagesIn(archive: Archive, order: DateOrder): AsyncGenerator<Open | LeftOut> {
  let open: Open | undefined;
  const spokenBy = makeSpeakers();
  for await (const { number, text } of linesIn(archive)) {
    const found = headerOf(text);
    if (found !== undefined && dateIn(order, found.date) !== undefined) {
      if (open) yield open;
      const header = spokenBy(found);
      open = { header, number, lines: [header.text], size: text.length };
    } else if (open) {
      open.size += text.length + 1;
      if (open.size > LONGEST_MESSAGE)
        throw importFault(`the message in line ${open.number} is longer than ${LONGEST_MESSAGE} characters`);
      open.lines.push(text);
    } else if (text.trim() !== '') yield leftOut('lines before the first message');
  }
  if (open) yield open;
}

async function* read(archive: Archive, options: ChatFileOptions): AsyncGenerator<Said | LeftOut | Faulty> {
  const instantOf = makeInstants(options.timeZone);
  for await (const message of messagesIn(archive, options.dateOrder)) {
    if ('leftOut' in message) {
      yield message;
      continue;
    }
    const { header, number, lines } = message;
    if (header.speaker === undefined) {
      yield leftOut(OWN_LINES);
      continue;
    }
    const words = spokenWords(lines.join('\n'));
    if ('reason' in words) {
      yield leftOut(words.reason);
      continue;
    }
    const { hour, minute, second } = header;
    const date = dateIn(options.dateOrder, header.date)!;
    yield {
      location: number,
      conversation: options.conversation,
      role: header.speaker,
      text: words.text,
      at: instantOf({ ...date, hour, minute, second }),
    };
  }
}

/** Whether one of the first lines begins a message. */
const looksLikeChat = async (archive: Archive): Promise<boolean> => {
  if (textFile(archive) === undefined) return false;
  try {
    for await (const { number, text } of linesIn(archive)) {
      if (headerOf(text) !== undefined) return true;
      if (number >= FIRST_LINES) return false;
    }
  } catch {
    // It is not a text file.
  }
  return false;
};

export const whatsapp = { recognizes: looksLikeChat, read };
