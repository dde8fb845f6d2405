import { isSameKey } from './guard.ts';

/** What a session is served by; closing it also ends its streams. */
export interface Held {
  close(): Promise<void>;
}

interface Entry<Session> {
  session: Session;
  keyDigest: Buffer;
  /** Requests that are being answered, streams among them. */
  open: number;
  /** Unix milliseconds. */
  lastSeen: number;
}

export interface Sessions<Session extends Held> {
  add(id: string, session: Session, keyDigest: Buffer): void;
  /** Undefined also for a session of another key: to its caller there is none. */
  find(id: string, keyDigest: Buffer): Session | undefined;
  /** While the request is open its session is not idle. Returns what to call when it has ended. */
  used(id: string): () => void;
  remove(id: string): void;
  /** Closes those that nobody has used for a while: clients that went without a word. */
  closeIdle(): Promise<void>;
  all(): Session[];
}

/**
 * The sessions of callers over HTTP. There are at most `most`, and of a key at most `mostOfKey`: a new one then takes the
 * place of the one that has been idle for longest, of the same key if it has any. Whose client that was, answered 404,
 * begins anew as the protocol tells it to.
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
  /** What a session throws that is closed while nobody waits for it. */
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
