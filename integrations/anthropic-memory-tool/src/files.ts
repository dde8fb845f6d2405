/**
 * Files of a user. A file is a session, named by its path, of one turn: the path, a line end and the text.
 * Each edit is a new turn, and hides the one before it; a deletion erases the session.
 */
import type { Turn, Turnstone } from '@turnstone/client';

/** Maximum characters of a path and of a turn: the service's limits. */
const MOST_PATH = 256;
const MOST_TEXT = 65_536;
/** In the metadata of each turn that is a file's: a user's other sessions are no files. */
const MARK = 'memory_file';
const IS_FILE = { key: MARK, exists: true } as const;

export interface File {
  text: string;
  /** The turn that is its text, and others that an edit which was cut short did not hide. */
  turns: Turn[];
}

export interface Files {
  /** Resolves to the paths of all files. */
  paths(): Promise<string[]>;
  read(path: string): Promise<File | undefined>;
  /** Resolves to all files by their paths. */
  all(): Promise<Map<string, File>>;
  /** Writes a file. `old` is what it was, if it was there. */
  write(path: string, text: string, old?: File): Promise<void>;
  /** Destroys a file's words, of all its versions. */
  remove(path: string): Promise<void>;
}

/** Makes a file of its turns, in the order of their times. */
const fileOf = (path: string, turns: Turn[]): File => ({
  text: turns.at(-1)!.text.slice(path.length + 1),
  turns,
});

export const makeFiles = (turnstone: Turnstone, user: string): Files => {
  const turnsOf = async (session?: string): Promise<Map<string, Turn[]>> => {
    const found = new Map<string, Turn[]>();
    for await (const turn of turnstone.memory.turns({ user, session, filter: IS_FILE, pageSize: 200 })) {
      const path = turn.session_id;
      found.set(path, [...(found.get(path) ?? []), turn]);
    }
    return found;
  };

  return {
    paths: async () => {
      const paths: string[] = [];
      for await (const { session_id } of turnstone.memory.sessions({ user, filter: IS_FILE, pageSize: 200 }))
        paths.push(session_id);
      return paths;
    },

    read: async path => {
      const turns = (await turnsOf(path)).get(path);
      return turns && fileOf(path, turns);
    },

    all: async () => new Map([...(await turnsOf())].map(([path, turns]) => [path, fileOf(path, turns)])),

    write: async (path, written, old) => {
      // The path is the first line, so that a recall tells where a text is from.
      const text = `${path}\n${written}`.toWellFormed();
      if (path.length > MOST_PATH) throw new Error(`The path is longer than ${MOST_PATH} characters.`);
      if (text.length > MOST_TEXT)
        throw new Error(`The file would be longer than ${MOST_TEXT - path.length - 1} characters. Split it.`);
      // The newest version is the last by time, whatever this clock says.
      const before = Math.max(0, ...(old?.turns ?? []).map(({ timestamp }) => Date.parse(timestamp)));
      const turn = { role: 'assistant', text, timestamp: new Date(Math.max(Date.now(), before + 1)) };
      await turnstone.remember(turn, { user, session: path, metadata: { [MARK]: true } });
      for (const { id } of old?.turns ?? []) await turnstone.memory.deleteTurn(id);
    },

    remove: async path => {
      await turnstone.forget({ user, session: path });
    },
  };
};
