/** Lists by last activity: the newest turn first. */
import { ServiceError } from '../../../core/errors.ts';
import type { TailTurn } from '../../../core/ports.ts';
import { compareText } from '../../../domain/filter/compare-text.ts';

/** A user, or a session of one. */
interface Active {
  user: string;
  session?: string;
  /** Unix milliseconds of the last turn; null where none is kept. */
  lastAt: number | null;
}

/** A place in such a list. */
export interface RecentPlace {
  at: number;
  user: string;
  session?: string;
}

/** Stands at the end: before every instant that a turn may have. */
const NEVER = Number.MIN_SAFE_INTEGER;
/** So many are looked at, at most: the index lists by name, and only who has all knows the newest. */
const MOST_SORTED = 20_000;
/** Items that are read from the index at a time. */
const AT_ONCE = 1_000;

export const placeOf = ({ user, session, lastAt }: Active): RecentPlace => ({
  at: lastAt ?? NEVER,
  user,
  ...(session !== undefined && { session }),
});

const compare = (a: RecentPlace, b: RecentPlace): number =>
  b.at - a.at || compareText(a.user, b.user) || compareText(a.session ?? '', b.session ?? '');

const tooMany = (): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', {
    details: {
      errors: [
        {
          loc: ['query', 'sort'],
          type: 'too_many',
          message: `must be id: more than ${MOST_SORTED} can't be sorted by last_at; a user_id or a filter leaves fewer`,
        },
      ],
    },
  });

const nameOf = ({ user, session }: { user: string; session?: string }): string =>
  JSON.stringify(session === undefined ? [user] : [user, session]);

/**
 * Returns a function that gives an item the instant of its last turn, where the tail has a newer one than the
 * index. `by`: whose turns are its own.
 */
export const withTailActivity = <Item extends Active>(
  tail: readonly TailTurn[],
  by: 'user' | 'session',
): ((item: Item) => Item) => {
  const last = new Map<string, number>();
  for (const { user, session, timestamp, active } of tail) {
    if (!active) continue;
    const name = nameOf(by === 'user' ? { user } : { user, session });
    last.set(name, Math.max(timestamp, last.get(name) ?? NEVER));
  }
  return item => {
    const at = last.get(nameOf(item));
    return at === undefined || at <= (item.lastAt ?? NEVER) ? item : { ...item, lastAt: at };
  };
};

/**
 * Returns the first `most` items after a place. Reads all of them in the order of their names and keeps the
 * best, so that both engines list the same, whatever they can sort by. What gets a turn meanwhile moves to
 * the front. Throws `invalid` where there are too many.
 *
 * @param pageOf returns up to `limit` items by name, after a given one
 */
export const newest = async <Item extends Active>(
  pageOf: (after: Item | undefined, limit: number) => Promise<Item[]>,
  after: RecentPlace | undefined,
  most: number,
): Promise<Item[]> => {
  let best: { item: Item; place: RecentPlace }[] = [];
  let seen = 0;
  for (let last: Item | undefined; ; ) {
    const page = await pageOf(last, AT_ONCE);
    seen += page.length;
    if (seen > MOST_SORTED) throw tooMany();
    const placed = page.map(item => ({ item, place: placeOf(item) }));
    const behind = after ? placed.filter(({ place }) => compare(place, after) > 0) : placed;
    best = [...best, ...behind].sort((a, b) => compare(a.place, b.place)).slice(0, most);
    if (page.length < AT_ONCE) return best.map(({ item }) => item);
    last = page.at(-1);
  }
};
