import { isSameKey } from './guard.ts';

/** The resources of a session; closing it also ends its streams. */
export interface Held {
  close(): Promise<void>;
}

interface Entry<Session> {
  session: Session;
  keyDigest: Buffer;
  /** Requests in progress, including streams. */
  open: number;
  /** Unix milliseconds. */
  lastSeen: number;
}

export interface Sessions<Session extends Held> {
  add(id: string, session: Session, keyDigest: Buffer): void;
  /** Returns the session; undefined also if it has another key, since this caller must not see it. */
  find(id: string, keyDigest: Buffer): Session | undefined;
  /** Marks the session as in use by a request. Returns a function to call when the request has ended. */
  used(id: string): () => void;
  remove(id: string): void;
  /** Closes sessions that have been unused for a while because their clients disappeared. */
  closeIdle(): Promise<void>;
  all(): Session[];
}

/**
 * Keeps the sessions of callers over HTTP: at most `most`, and at most `mostOfKey` per key. Beyond that, a
 * new session replaces the longest idle one, preferably of the same key. The client of the replaced session
 * gets a 404 and starts a new one, as the protocol specifies.
 */
export const makeSessions = <Session extends Held>({
  most,
  mostOfKey,
  idleMs,
  clock,
  onFault,
}: {
  most: number;
  mostOfKey: number;
  idleMs: number;
  clock: () => number;
  /** Called with the error of a session that fails to close in the background. */
  onFault: (error: unknown) => void;
}): Sessions<Session> => {
  const entries = new Map<string, Entry<Session>>();

  const close = async (id: string, { session }: Entry<Session>): Promise<void> => {
    entries.delete(id);
    await session.close().catch(onFault);
  };

  const makeRoom = (keyDigest: Buffer): void => {
    const own = [...entries].filter(([, entry]) => isSameKey(entry.keyDigest, keyDigest));
    if (entries.size < most && own.length < mostOfKey) return;
    const candidates = own.length > 0 ? own : [...entries];
    const longestIdle = candidates
      .filter(([, { open }]) => open === 0)
      .reduce<[string, Entry<Session>] | undefined>(
        (oldest, entry) => (oldest && oldest[1].lastSeen <= entry[1].lastSeen ? oldest : entry),
        undefined,
      );
    const [id, entry] = longestIdle ?? candidates[0]!;
    void close(id, entry);
  };

  return {
    add: (id, session, keyDigest) => {
      makeRoom(keyDigest);
      entries.set(id, { session, keyDigest, open: 0, lastSeen: clock() });
    },
    find: (id, keyDigest) => {
      const entry = entries.get(id);
      return entry && isSameKey(entry.keyDigest, keyDigest) ? entry.session : undefined;
    },
    used: id => {
      const entry = entries.get(id);
      if (!entry) return () => {};
      entry.open += 1;
      entry.lastSeen = clock();
      return () => {
        entry.open -= 1;
        entry.lastSeen = clock();
      };
    },
    remove: id => {
      entries.delete(id);
    },
    closeIdle: async () => {
      const now = clock();
      const idle = [...entries].filter(([, { open, lastSeen }]) => open === 0 && now - lastSeen >= idleMs);
      await Promise.all(idle.map(([id, entry]) => close(id, entry)));
    },
    all: () => [...entries.values()].map(({ session }) => session),
  };
};
