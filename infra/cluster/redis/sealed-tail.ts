import { seal, open as unseal } from '../../../services/core/log/sealing.ts';
import type { KeyStore, Remembered, TailTurn } from '../../../services/core/ports.ts';
import { makeYieldWhenDue } from '../../../services/core/yield-when-due.ts';

type Job = NonNullable<Remembered['job']>;

/** A turn or a job as Redis holds it. Without a version: as releases before 2 wrote it, in plaintext. */
interface SealedEntry {
  version: 2;
  /** The scripts find by it what an erasure drops (lua/erase.lua). */
  keyId: string;
  /** JSON of the whole entry, sealed under that key, in base64. */
  sealed: string;
}

export type SealedTail = ReturnType<typeof makeSealedTail>;

/**
 * Turns and jobs on their way into Redis and out of it. They are sealed under their session's key, like their events in the
 * log: neither the memory of Redis nor its files contain a word, and whoever destroys the key destroys them.
 */
export const makeSealedTail = (keys: Pick<KeyStore, 'byId'>) => {
  const openOne = async <Entry>(org: string, text: string): Promise<Entry | undefined> => {
    const stored = JSON.parse(text) as SealedEntry | (Entry & { version?: undefined });
    if (stored.version === undefined) return stored as Entry;
    const { keyId, sealed } = stored as SealedEntry;
    const key = await keys.byId(keyId);
    if (!key) return undefined;
    return JSON.parse(unseal(key, Buffer.from(sealed, 'base64'), boundTo(org, keyId)).toString()) as Entry;
  };

  return {
    /** In the entries' order; '' for one whose key is destroyed, which the scripts bill and don't add. */
    seal: async (entries: readonly (TailTurn | Job)[]): Promise<string[]> => {
      const sealed: string[] = [];
      const yieldWhenDue = makeYieldWhenDue();
      for (const entry of entries) {
        const { org, keyId } = entry;
        const key = await keys.byId(keyId);
        const text = key && seal(key, JSON.stringify(entry), boundTo(org, keyId)).toString('base64');
        sealed.push(text ? JSON.stringify({ version: 2, keyId, sealed: text } satisfies SealedEntry) : '');
        await yieldWhenDue();
      }
      return sealed;
    },
    /** Leaves out turns whose key is destroyed. */
    openTurns: async (org: string, texts: readonly string[]): Promise<TailTurn[]> => {
      const turns: TailTurn[] = [];
      const yieldWhenDue = makeYieldWhenDue();
      for (const text of texts) {
        const turn = await openOne<TailTurn>(org, text);
        if (turn) turns.push(turn);
        await yieldWhenDue();
      }
      return turns;
    },
    openJob: (org: string, text: string): Promise<Job | undefined> => openOne<Job>(org, text),
  };
};

/** The associated data of an entry. */
const boundTo = (org: string, keyId: string): string => `tail\n${keyId}\n${org}`;
