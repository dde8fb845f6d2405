import { ApiError } from '../error.ts';

interface Page<T> {
  items: T[];
  cursor: string | null;
}
type Load<T> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>;

/** The service sorts some thousands by last activity, and says so where there are more. */
const isTooMany = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 422 && JSON.stringify(error.details).includes('"too_many"');

/** Marks the cursors of pages by name: no cursor of the service has a space. */
const BY_NAME = 'by name ';

/** Loads pages by last activity, or by name where there are too many for that. */
export const recentFirst = <T>(
  load: (sort: 'id' | 'last_at', ...rest: Parameters<Load<T>>) => Promise<Page<T>>,
): Load<T> => {
  const byName: Load<T> = async (cursor, signal) => {
    const page = await load('id', cursor, signal);
    return { ...page, cursor: page.cursor === null ? null : BY_NAME + page.cursor };
  };
  return async (cursor, signal) => {
    if (cursor?.startsWith(BY_NAME)) return byName(cursor.slice(BY_NAME.length), signal);
    try {
      return await load('last_at', cursor, signal);
    } catch (error) {
      // Only a first page is refused.
      if (cursor !== undefined || !isTooMany(error)) throw error;
      return byName(undefined, signal);
    }
  };
};
