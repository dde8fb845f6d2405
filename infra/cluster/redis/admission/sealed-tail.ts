import type { KeyObject } from 'node:crypto';
import { makeYieldWhenDue } from '../../../../core/fairness/yield-when-due.ts';
import { seal, open as unseal } from '../../../../core/log/keys/sealing.ts';
import type { KeyStore, Remembered, TailTurn } from '../../../../core/ports.ts';

type Job = NonNullable<Remembered['job']>;

/** A turn or a job as Redis holds it. */
interface SealedEntry {
  /** The scripts use it to find the entries that an erasure drops (lua/erase.lua). */
  keyId: string;
  /** JSON of the whole entry, sealed under that key, in base64. */
  sealed: string;
}

export type SealedTail = ReturnType<typeof makeSealedTail>;

/**
 * Seals turns and jobs for Redis and opens them again. They are sealed under their session's key, like their
 * events in the log: neither Redis's memory nor its files contain a word in clear text, and destroying the
 * key destroys them.
 */
export const makeSealedTail = (keys: Pick<KeyStore, 'byId'>) => {
  /** In parallel: each key that this process hasn't opened yet is a round trip. */
  const keysOf = async (keyIds: Iterable<string>): Promise<Map<string, KeyObject | undefined>> =>
    new Map(await Promise.all([...new Set(keyIds)].map(async id => [id, await keys.byId(id)] as const)));

  const openAll = async <Entry extends object>(org: string, texts: readonly string[]): Promise<Entry[]> => {
    const stored = texts.map(text => JSON.parse(text) as SealedEntry);
    const opened = await keysOf(stored.map(({ keyId }) => keyId));
    const entries: Entry[] = [];
    const yieldWhenDue = makeYieldWhenDue();
    for (const one of stored) {
      const entry = openOne<Entry>(org, one, opened.get(one.keyId));
      if (entry) entries.push(entry);
      await yieldWhenDue();
    }
    return entries;
  };

  return {
    /** Returns those of these keys that are destroyed. */
    destroyedOf: async (keyIds: readonly string[]): Promise<Set<string>> => {
      const opened = await keysOf(keyIds);
      return new Set([...opened].filter(([, key]) => key === undefined).map(([id]) => id));
    },
    /**
     * Returns the entries sealed, in order; '' if the key is destroyed: the scripts bill such an entry and
     * don't add it.
     */
    seal: async (entries: readonly (TailTurn | Job)[]): Promise<string[]> => {
      const opened = await keysOf(entries.map(({ keyId }) => keyId));
      const sealed: string[] = [];
      const yieldWhenDue = makeYieldWhenDue();
      for (const entry of entries) {
        sealed.push(sealOne(entry, opened.get(entry.keyId)));
        await yieldWhenDue();
      }
      return sealed;
    },
    /** Leaves out turns whose key is destroyed. */
    openTurns: (org: string, texts: readonly string[]): Promise<TailTurn[]> => openAll<TailTurn>(org, texts),
    /** Returns the turns whose key has not been destroyed since they were opened. */
    stillReadable: async (turns: readonly TailTurn[]): Promise<TailTurn[]> => {
      const opened = await keysOf(turns.map(({ keyId }) => keyId));
      return turns.filter(({ keyId }) => opened.get(keyId) !== undefined);
    },
    openJob: async (org: string, text: string): Promise<Job | undefined> => {
      const [job] = await openAll<Job>(org, [text]);
      return job;
    },
  };
};

const sealOne = (entry: TailTurn | Job, key: KeyObject | undefined): string => {
  if (!key) return '';
  const { org, keyId } = entry;
  const sealed = seal(key, JSON.stringify(entry), boundTo(org, keyId)).toString('base64');
  return JSON.stringify({ keyId, sealed } satisfies SealedEntry);
};

const openOne = <Entry>(
  org: string,
  { keyId, sealed }: SealedEntry,
  key: KeyObject | undefined,
): Entry | undefined =>
  key && (JSON.parse(unseal(key, Buffer.from(sealed, 'base64'), boundTo(org, keyId)).toString()) as Entry);

/** Returns the associated data of an entry. */
const boundTo = (org: string, keyId: string): string => `tail\n${keyId}\n${org}`;
