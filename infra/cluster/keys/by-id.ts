import type { FoundKey, Lookup } from './lookup.ts';

/** Ids that are looked up together. */
const MOST = 500;

/**
 * Looks ids up together: those that are asked for while a lookup runs share the next one, which begins after all of them were
 * asked for.
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
    // Whoever asks in the same step is one of them.
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
