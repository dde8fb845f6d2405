/** Slack's export: users.json, lists of channels, and a folder per channel with a file per day. */
import { buffer } from 'node:stream/consumers';
import { isObject, textOf } from '../assistants/conversation-files.ts';
import type { Archive } from '../files/archive.ts';
import type { Entry } from '../files/entry.ts';
import { type Faulty, importFault, isImportFault, type LeftOut, type Said } from '../turns/found.ts';
import { userNames } from './slack-members.ts';
import { type Channel, makeDayReader } from './slack-messages.ts';

/** The lists of public channels, private channels, group messages and direct messages. */
const LISTS = ['channels.json', 'groups.json', 'mpims.json', 'dms.json'];
/** Files directly below the export's folder: deeper ones belong to another export. */
const DAY = /^([^/]+)\/\d{4}-\d{2}-\d{2}\.json$/;
/** Maximum bytes of a file, which is read into memory: a day of the busiest channel has a few megabytes. */
const LONGEST_FILE = 256 * 1024 * 1024;

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

export const slack = {
  recognizes: (archive: Archive): boolean => rootOf(archive) !== undefined,
  read: async function* (archive: Archive, withBots: boolean): AsyncGenerator<Said | LeftOut | Faulty> {
    const root = rootOf(archive);
    if (root === undefined) throw importFault(`has none of ${LISTS.join(', ')}: it is not a Slack export`);
    const users = userNames(await listNamed(archive, `${root}users.json`));
    const channels = await channelsOf(archive, root, users);
    const titles = new Map([...channels.values()].map(({ id, title }) => [id, title.replace(/^#/, '')]));
    const names = { userName: (id: string) => users.get(id), channelName: (id: string) => titles.get(id) };
    // The files of a folder are beside each other, since the entries are sorted.
    let open: { folder: string; read: ReturnType<typeof makeDayReader> } | undefined;
    for (const entry of archive.entries) {
      const { path } = entry;
      const [, folder] = (path.startsWith(root) && DAY.exec(path.slice(root.length))) || [];
      if (folder === undefined) continue;
      if (open?.folder !== folder) {
        const channel = channels.get(folder) ?? { id: folder, title: `#${folder}` };
        open = { folder, read: makeDayReader(channel, names, withBots) };
      }
      yield* open.read(await listIn(archive, entry), path);
    }
  },
};
