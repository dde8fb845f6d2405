import type { FoundKey, Lookup } from './lookup.ts';

/** The most ids of one lookup. */
const MOST = 500;

/**
 * Returns a lookup that groups ids: those requested while a lookup runs share the next one, which begins
 * after all of these requests.
 */
export const makeSharedLookup = ({ byIds }: Pick<Lookup, 'byIds'>) => {
  type Asked = {
    id: string;
    resolve: (found: FoundKey | undefined) => void;
    reject: (error: unknown) => void;
  };
  const waiting: Asked[] = [];
  let isRunning = false;

  const run = async (): Promise<void> => {
    // Collects the ids requested in the same step.
    await Promise.resolve();
    while (waiting.length > 0) {
      const asked = waiting.splice(0, MOST);
      try {
        const found = await byIds([...new Set(asked.map(({ id }) => id))]);
        for (const { id, resolve } of asked) resolve(found.get(id));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    isRunning = false;
  };

  return (id: string): Promise<FoundKey | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      void run();
    });
};
