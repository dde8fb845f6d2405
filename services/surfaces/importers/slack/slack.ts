/** Slack's export: users.json, lists of channels, and a folder per channel with a file per day. */
import { buffer } from 'node:stream/consumers';
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import type { Archive } from '../files/archive.ts';
import type { Entry } from '../files/entry.ts';
import { type Faulty, importFault, isImportFault, type LeftOut, leftOut, type Said } from '../turns/found.ts';
import { blocksText } from './slack-blocks.ts';
import { type SlackNames, slackText } from './slack-text.ts';

/** The lists of public channels, private channels, group messages and direct messages. */
const LISTS = ['channels.json', 'groups.json', 'mpims.json', 'dms.json'];
/** Files directly below the export's folder: deeper ones belong to another export. */
const DAY = /^([^/]+)\/\d{4}-\d{2}-\d{2}\.json$/;
/** Maximum bytes of a file, which is read into memory: a day of the busiest channel has a few megabytes. */
const LONGEST_FILE = 256 * 1024 * 1024;

/** Subtypes of messages by people; all others are notices or listed below. */
const SPOKEN = new Set(['me_message', 'thread_broadcast', 'file_share', 'file_comment', 'reply_broadcast']);
const BOTS = new Set(['bot_message', 'bot_add', 'bot_remove', 'assistant_app_thread']);
const GONE = new Set(['tombstone', 'message_deleted']);

const listIn = async (archive: Archive, { path, size }: Entry): Promise<unknown[]> => {
  if (size > LONGEST_FILE) throw importFault(`${path} is longer than ${LONGEST_FILE / 1024 / 1024} MiB`);
  const bytes = await buffer(archive.read(path)).catch(error => {
    throw isImportFault(error) ? importFault(`${path} ${error.message}`, error) : error;
  });
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw importFault(`${path} is not JSON in UTF-8, or was cut short`, error);
  }
  if (!Array.isArray(value)) throw importFault(`${path} is not a list`);
  return value;
};

/** Reads a list; empty if the export doesn't contain it. */
const listNamed = async (archive: Archive, path: string): Promise<unknown[]> => {
  const entry = archive.entries.find(one => one.path === path);
  return entry ? listIn(archive, entry) : [];
};

const depthOf = (folder: string): number => folder.split('/').length;

/**
 * Returns the export's folder, '' or 'name/': the outermost one, because it may contain older exports.
 * Undefined if there is none.
 */
const rootOf = ({ kind, entries }: Archive): string | undefined => {
  if (kind === 'file') return undefined;
  const roots = new Set<string>();
  for (const { path } of entries) {
    const end = path.lastIndexOf('/') + 1;
    if (LISTS.includes(path.slice(end))) roots.add(path.slice(0, end));
  }
  const [first, second] = [...roots].sort((a, b) => depthOf(a) - depthOf(b));
  if (first !== undefined && second !== undefined && depthOf(first) === depthOf(second))
    throw importFault(
      `has two Slack exports, ${first.slice(0, -1)} and ${second.slice(0, -1)}: name one of them`,
    );
  return first;
};

const profileName = (profile: unknown): string | undefined =>
  isObject(profile) ? (textOf(profile.display_name) ?? textOf(profile.real_name)) : undefined;

interface Member {
  id: string;
  name: string;
  realName: string | undefined;
}

const memberOf = (user: Json): Member[] => {
  const id = textOf(user.id);
  const profile = isObject(user.profile) ? user.profile : {};
  const realName = textOf(profile.real_name) ?? textOf(user.real_name);
  const name = textOf(profile.display_name) ?? realName ?? textOf(user.name);
  return id !== undefined && name !== undefined ? [{ id, name, realName }] : [];
};

/** Case tells nobody apart: "Sam" and "sam" would be one person. */
const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/** The members whose name no other one of these has. */
const distinct = <T extends { name: string }>(members: readonly T[]): T[] =>
  [...Map.groupBy(members, ({ name }) => keyOf(name)).values()].flatMap(all => (all.length === 1 ? all : []));

/**
 * Returns user names by id. Members who share a display name are called by their real names, and those who
 * share these too by the name with the id.
 */
const userNames = (users: unknown[]): Map<string, string> => {
  const members = users.filter(isObject).flatMap(memberOf);
  const names = new Map(distinct(members).map(({ id, name }) => [id, name]));
  const taken = new Set([...names.values()].map(keyOf));
  const shared = members.filter(({ id }) => !names.has(id));
  const real = shared.flatMap(({ realName, ...one }) => (realName ? [{ ...one, name: realName }] : []));
  for (const { id, name } of distinct(real)) if (!taken.has(keyOf(name))) names.set(id, name);
  for (const { id, name, realName } of shared)
    if (!names.has(id)) names.set(id, `${realName ?? name} (${id})`);
  return names;
};

interface Channel {
  id: string;
  title: string;
}

/** Returns the channels by folder name, which for direct messages is the id. */
const channelsOf = async (
  archive: Archive,
  root: string,
  users: Map<string, string>,
): Promise<Map<string, Channel>> => {
  const channels = new Map<string, Channel>();
  for (const list of LISTS)
    for (const channel of (await listNamed(archive, root + list)).filter(isObject)) {
      const id = textOf(channel.id);
      if (id === undefined) continue;
      const members = Array.isArray(channel.members) ? channel.members.map(String) : [];
      const isOpen = list === 'channels.json' || list === 'groups.json';
      const name = textOf(channel.name);
      const people = members.map(member => users.get(member) ?? member).join(', ');
      channels.set(isOpen || list === 'mpims.json' ? (name ?? id) : id, {
        id,
        title: isOpen ? `#${name ?? id}` : people || id,
      });
    }
  return channels;
};

/** Converts `1546300800.000200`, seconds and microseconds, to whole milliseconds. */
const milliseconds = (ts: unknown): number => {
  const [, seconds, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,9}))?$/.exec(String(ts)) ?? [];
  return seconds === undefined
    ? Number.NaN
    : Number(seconds) * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3));
};

const reasonAgainst = ({
  subtype,
  type,
  hidden,
  bot_id,
  user,
  text,
  files,
  attachments,
}: Json): string | undefined => {
  const kind = textOf(subtype);
  if (type !== 'message') return 'entries that are no messages';
  if (GONE.has(kind ?? '')) return 'messages that were deleted';
  if (BOTS.has(kind ?? '') || (textOf(bot_id) !== undefined && kind === undefined))
    return 'messages of bots and apps';
  if (hidden === true || (kind !== undefined && !SPOKEN.has(kind)))
    return 'notices of Slack, as who joined, left, pinned';
  if (textOf(user) === undefined) return 'messages without a user';
  const holds = [files, attachments].some(list => Array.isArray(list) && list.length > 0);
  return textOf(text) === undefined && holds ? 'files and attachments without words' : undefined;
};

function* readDay(
  messages: unknown[],
  path: string,
  { id, title }: Channel,
  names: SlackNames,
): Generator<Said | LeftOut | Faulty> {
  const inOrder = messages
    .map((message, index) => ({ message: isObject(message) ? message : {}, number: index + 1 }))
    // Replies in threads may be listed before earlier messages.
    .sort((a, b) => milliseconds(a.message.ts) - milliseconds(b.message.ts) || a.number - b.number);
  for (const { message, number } of inOrder) {
    const location = `${path}, message ${number}`;
    const text = textOf(message.text) ?? blocksText(message.blocks);
    const reason = reasonAgainst({ ...message, text });
    if (reason !== undefined) {
      yield leftOut(reason);
      continue;
    }
    const at = milliseconds(message.ts);
    if (Number.isNaN(at)) {
      yield { location, faults: ['has no readable ts'] };
      continue;
    }
    const user = String(message.user);
    yield {
      location,
      conversation: { session: `slack-${id}`, title },
      // Only the message itself has the name of a user from another workspace.
      role: names.userName(user) ?? profileName(message.user_profile) ?? textOf(message.username) ?? user,
      text: slackText(text, names),
      at,
    };
  }
}

export const slack = {
  recognizes: (archive: Archive): boolean => rootOf(archive) !== undefined,
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    const root = rootOf(archive);
    if (root === undefined) throw importFault(`has none of ${LISTS.join(', ')}: it is not a Slack export`);
    const users = userNames(await listNamed(archive, `${root}users.json`));
    const channels = await channelsOf(archive, root, users);
    const titles = new Map([...channels.values()].map(({ id, title }) => [id, title.replace(/^#/, '')]));
    const names = { userName: (id: string) => users.get(id), channelName: (id: string) => titles.get(id) };
    for (const entry of archive.entries) {
      const { path } = entry;
      const [, folder] = (path.startsWith(root) && DAY.exec(path.slice(root.length))) || [];
      if (folder === undefined) continue;
      const channel = channels.get(folder) ?? { id: folder, title: `#${folder}` };
      yield* readDay(await listIn(archive, entry), path, channel, names);
    }
  },
};
