/** The formats of `turnstone import`, in the order of detection. Add a new one here. */

import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { chatgpt } from './assistants/chatgpt.ts';
import { claude } from './assistants/claude.ts';
import { isObject } from './assistants/conversation-files.ts';
import { gemini } from './assistants/gemini.ts';
import type { Archive } from './files/archive.ts';
import { jsonValues } from './files/json-values.ts';
import { jsonLines } from './json-lines.ts';
import { conversationItems } from './locomo.ts';
import { mbox } from './mail/mbox.ts';
import { cogx } from './memories/cogx.ts';
import { letta } from './memories/letta.ts';
import { isOfMem0, mem0Items } from './memories/mem0.ts';
import { zep } from './memories/zep.ts';
import { discord } from './messengers/discord.ts';
import { telegram } from './messengers/telegram.ts';
import { slack } from './slack/slack.ts';
import { fitted } from './turns/fit.ts';
import { type Faulty, type Found, importFault, type LeftOut, leftOut, type Said } from './turns/found.ts';
import type { Item } from './turns/item.ts';
import { scopeFaults } from './turns/turn-faults.ts';
import { chatName, findDateOrder, whatsapp } from './whatsapp/whatsapp.ts';
import type { DateOrder } from './whatsapp/whatsapp-dates.ts';

export interface ReadOptions {
  /** User and session of turns that don't name any; for a chat, `session` is its name. */
  user?: string;
  session?: string;
  timeZone?: string;
  dateOrder?: DateOrder;
  /** Also what programs wrote. */
  bots?: boolean;
}

export interface Format {
  /** The title shown to people. */
  title: string;
  /** Supported options other than `user`. */
  takes: ReadonlySet<keyof ReadOptions>;
  /** Set if the format has wall-clock times, which need a time zone and a date order. */
  hasWallTimes?: true;
  /** Whether an archive has this format; `first`: its first JSON value, undefined if there is none. */
  recognizes(archive: Archive, first: unknown): boolean | Promise<boolean>;
  /** Yields everything in the archive, in file order. Throws an `ImportFault` if it is damaged. */
  read(archive: Archive, options: ReadOptions): AsyncIterable<Found>;
}

/** Reports a conversation whose ids the service would reject, once: it would fail the whole request. */
async function* turnsOf(
  found: AsyncIterable<Said | LeftOut | Faulty>,
  options: ReadOptions,
): AsyncGenerator<Found> {
  let checked: string | undefined;
  let faults: string[] = [];
  for await (const one of found) {
    if (!('text' in one)) {
      yield one;
      continue;
    }
    const { session, user } = one.conversation;
    const scope = JSON.stringify([user, session]);
    if (scope !== checked) {
      checked = scope;
      faults = scopeFaults({ session_id: session, ...(user !== undefined && { user_id: user }) });
      if (faults.length > 0) yield { location: one.location, faults };
    }
    if (faults.length > 0) yield leftOut("messages of conversations that can't be stored");
    else
      for (const turn of fitted(one)) yield 'turn' in turn ? { ...turn, user: user ?? options.user } : turn;
  }
}

async function* ownTurns(
  items: AsyncIterable<Item> | Iterable<Item>,
  { user, session }: ReadOptions,
): AsyncGenerator<Found> {
  for await (const item of items) {
    if ('faults' in item) yield { location: item.location, faults: item.faults };
    else
      yield {
        location: item.location,
        turn: item.turn,
        user: item.user ?? user,
        session: item.session ?? session,
      };
  }
}

/** Reads a single file; in a folder or a zip file it would be ambiguous which one is meant. */
const onlyFile = ({ kind, entries, read }: Archive): AsyncIterable<Buffer> => {
  if (kind !== 'file') throw importFault('is not a file: name the file itself');
  return read(entries[0]!.path);
};

async function* locomoTurns(archive: Archive, options: ReadOptions): AsyncGenerator<Found> {
  let index = 0;
  for await (const sample of jsonValues(onlyFile(archive)))
    yield* ownTurns(conversationItems(sample, index++), options);
}

const NONE: ReadonlySet<keyof ReadOptions> = new Set();
const BOTS: ReadonlySet<keyof ReadOptions> = new Set(['bots']);
const isFile = ({ kind }: Archive): boolean => kind === 'file';

interface Reader {
  recognizes: Format['recognizes'];
  read(archive: Archive, withBots: boolean): AsyncIterable<Said | LeftOut | Faulty>;
}

/** A format of conversations, of which each names itself and its times. */
const ofConversations = (title: string, { recognizes, read }: Reader, takes = NONE): Format => ({
  title,
  takes,
  recognizes,
  read: (archive, options) => turnsOf(read(archive, options.bots ?? false), options),
});

export const FORMATS = {
  slack: ofConversations("Slack's export", slack, BOTS),
  chatgpt: ofConversations("ChatGPT's data export", chatgpt),
  claude: ofConversations("Claude's data export", claude),
  gemini: ofConversations('Gemini in Google Takeout', gemini),
  telegram: ofConversations("Telegram's export", telegram),
  discord: ofConversations("Discord's channels, by DiscordChatExporter", discord, BOTS),
  mbox: ofConversations('e-mail (mbox)', mbox, BOTS),
  'claude-code': ofConversations("Claude Code's transcripts", claudeCode),
  codex: ofConversations("Codex's sessions", codex),
  letta: ofConversations("Letta's agent files", letta),
  zep: ofConversations("Zep's or Graphiti's graph", zep),
  cogx: ofConversations("Cognee's exchange format (COGX)", cogx),
  mem0: {
    title: "mem0's memories",
    takes: NONE,
    recognizes: (archive, first) => isFile(archive) && isOfMem0(first),
    read: (archive, options) => ownTurns(mem0Items(onlyFile(archive)), options),
  },
  locomo: {
    title: 'LoCoMo',
    takes: NONE,
    recognizes: (archive, first) => isFile(archive) && isObject(first) && 'conversation' in first,
    read: locomoTurns,
  },
  jsonl: {
    title: 'JSON Lines',
    takes: new Set(['session']),
    recognizes: (archive, first) => isFile(archive) && isObject(first) && 'role' in first && 'text' in first,
    read: (archive, options) => ownTurns(jsonLines(onlyFile(archive)), options),
  },
  whatsapp: {
    title: "WhatsApp's export",
    takes: new Set(['session', 'dateOrder']),
    hasWallTimes: true,
    recognizes: archive => whatsapp.recognizes(archive),
    read: (archive, options) => {
      const { session, timeZone, dateOrder } = options;
      const title = session ?? chatName(archive);
      if (title === undefined || timeZone === undefined || dateOrder === undefined)
        throw new Error('the name, the time zone and the date order must be settled before reading');
      const conversation = { session: session ?? `whatsapp-${title}`, title };
      return turnsOf(whatsapp.read(archive, { conversation, timeZone, dateOrder }), options);
    },
  },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const formatNamed = (name: FormatName): Format => FORMATS[name];

/** Returns the facts about a file with wall-clock times that the file itself does not state. */
export const wallTimesOf = async (archive: Archive) => ({
  hasName: chatName(archive) !== undefined,
  ...(await findDateOrder(archive)),
});
