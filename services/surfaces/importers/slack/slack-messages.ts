/** The messages of a day of a channel: who said what in which thread, and why others are left out. */
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import { type Conversation, type Faulty, type LeftOut, leftOut, type Said } from '../turns/found.ts';
import { titleFrom } from '../turns/title.ts';
import { attachmentsText, blocksText } from './slack-blocks.ts';
import { profileName } from './slack-members.ts';
import { type SlackNames, slackText } from './slack-text.ts';

/** Subtypes of messages by people; all others are notices or listed below. */
const SPOKEN = new Set(['me_message', 'thread_broadcast', 'file_share', 'file_comment', 'reply_broadcast']);
/** Subtypes of messages by programs, and of notices of them. */
const BOTS = new Set(['bot_message', 'assistant_app_thread']);
const ABOUT_BOTS = new Set(['bot_add', 'bot_remove']);
const GONE = new Set(['tombstone', 'message_deleted']);
const SLACKBOT = 'USLACKBOT';

/** Converts `1546300800.000200`, seconds and microseconds, to whole milliseconds. */
const milliseconds = (ts: unknown): number => {
  const [, seconds, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,9}))?$/.exec(String(ts)) ?? [];
  return seconds === undefined
    ? Number.NaN
    : Number(seconds) * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3));
};

const isOfBot = ({ subtype, bot_id, user }: Json): boolean => {
  const kind = textOf(subtype);
  return (
    BOTS.has(kind ?? '') ||
    user === SLACKBOT ||
    (textOf(bot_id) !== undefined && (kind === undefined || SPOKEN.has(kind)))
  );
};

/** The words in Slack's markup; '' without any. People attach links, whose previews they did not write. */
const wordsOf = (message: Json): string =>
  (textOf(message.text) ?? blocksText(message.blocks)) ||
  (isOfBot(message) ? attachmentsText(message.attachments) : '');

const reasonAgainst = (message: Json, words: string, withBots: boolean): string | undefined => {
  const { subtype, type, hidden, user, files, attachments } = message;
  const kind = textOf(subtype) ?? '';
  if (type !== 'message') return 'entries that are no messages';
  if (GONE.has(kind)) return 'messages that were deleted';
  const isSpoken = kind === '' || SPOKEN.has(kind) || (withBots && BOTS.has(kind));
  if (!withBots && (isOfBot(message) || ABOUT_BOTS.has(kind))) return 'messages of bots and apps';
  if (hidden === true || !isSpoken) return 'notices of Slack, as who joined, left, pinned';
  if (textOf(user) === undefined && !isOfBot(message)) return 'messages without a user';
  const holds = [files, attachments].some(list => Array.isArray(list) && list.length > 0);
  return words === '' && holds ? 'files and attachments without words' : undefined;
};

/** Returns who speaks. A program may give itself another name than it has, for a message. */
const speakerOf = (message: Json, { userName }: SlackNames): string => {
  const { user, username, user_profile, bot_profile, bot_id } = message;
  const member = textOf(user) === undefined ? undefined : userName(String(user));
  if (isOfBot(message)) {
    const own = isObject(bot_profile) ? textOf(bot_profile.name) : undefined;
    return textOf(username) ?? own ?? member ?? String(bot_id ?? user ?? 'bot');
  }
  // Only the message itself has the name of a user from another workspace.
  return member ?? profileName(user_profile) ?? textOf(username) ?? String(user);
};

export interface Channel {
  id: string;
  title: string;
}

/**
 * Reads the days of a channel, one after the other. A thread is a session of its own, which begins with the
 * message that it answers: read among all others of the channel, a reply would have lost what it replies to.
 */
export const makeDayReader = ({ id, title }: Channel, names: SlackNames, withBots: boolean) => {
  const channel = { session: `slack-${id}`, title };
  /** By the time of the message that began it; its title is of its first message here. */
  const threads = new Map<string, Conversation>();

  const conversationOf = ({ thread_ts }: Json, text: string): Conversation => {
    const began = textOf(thread_ts);
    if (began === undefined || Number.isNaN(milliseconds(began))) return channel;
    const known = threads.get(began);
    if (known) return known;
    const thread = {
      session: `${channel.session}-${began}`,
      title: `${title}: ${titleFrom(text)}`,
      within: channel,
    };
    threads.set(began, thread);
    return thread;
  };

  function* readMessage(message: Json, location: string): Generator<Said | LeftOut | Faulty> {
    const words = wordsOf(message);
    const reason = reasonAgainst(message, words, withBots);
    const at = milliseconds(message.ts);
    const text = slackText(words, names);
    if (reason !== undefined) yield leftOut(reason);
    else if (Number.isNaN(at)) yield { location, faults: ['has no readable ts'] };
    else
      yield {
        location,
        conversation: conversationOf(message, text),
        role: speakerOf(message, names),
        text,
        at,
      };
  }

  return function* (messages: unknown[], path: string): Generator<Said | LeftOut | Faulty> {
    const inOrder = messages
      .map((message, index) => ({ message: isObject(message) ? message : {}, number: index + 1 }))
      // Replies in threads may be listed before earlier messages.
      .sort((a, b) => milliseconds(a.message.ts) - milliseconds(b.message.ts) || a.number - b.number);
    for (const { message, number } of inOrder) yield* readMessage(message, `${path}, message ${number}`);
  };
};
