import type { StoredFragment } from '../../../../core/ports.ts';
import type { Extent } from '../../../../domain/language/times/asked-times.ts';
import { extentOf, type Searched, searchRuns, TURN } from '../../../../domain/search/segments/run.ts';
import type { NumberedTail } from '../../../../projections/recall/tail/entries.ts';
import type { Indexed } from '../../../../projections/recall/tail/indexed.ts';
import type { SeenScope } from '../scope-clauses.ts';
import { type Fetched, type Fragment, MOST_SPEAKERS, type TurnCounts } from './candidates.ts';

/** The fragments of a scope that a recall works on, each once, whether from the index or the tail. */
export interface WorkingSet {
  scope: SeenScope;
  fetched: Fetched;
  tail: NumberedTail;
  /** Entries of the tail that the index has not settled. */
  unsettled: Indexed[];
  /** The set contains the entire scope. */
  whole: boolean;
  searched: Searched[];
  entries: ReadonlyMap<number, Indexed>;
  speakers: string[];
  extent(): Extent | undefined;
  isTail(number: number): boolean;
  fragment(number: number): StoredFragment;
}

export const workingSetOf = (fetched: Fetched, tail: NumberedTail, scope: SeenScope): WorkingSet => {
  const whole = fetched.total <= fetched.fragments.length;
  const settled = whole ? new Set(fetched.fragments.map(({ stored }) => stored.id)) : fetched.settled;
  const unsettled = tail.entries.filter(({ number }) => !settled.has(tail.fragment(number)!.id));
  const roles = whole
    ? fetched.fragments.flatMap(({ entry }) => (entry.kind === TURN ? [entry.role] : []))
    : fetched.counts.roles.buckets.map(({ key }) => key);
  const speakers = [...new Set(roles)].sort().slice(0, MOST_SPEAKERS);
  const ofTail = unsettled.filter(({ kind }) => kind === TURN).map(({ role }) => role);
  const all = [...new Set([...speakers, ...ofTail])];
  return arrange({ scope, fetched, tail, unsettled, whole, speakers: all });
};

/** Adds fragments of the index that are not in the set yet. */
export const withMore = (set: WorkingSet, more: readonly Fragment[]): WorkingSet => {
  const known = new Set([...set.entries.values()].map(({ id }) => id));
  const added = more.filter(({ entry }) => !known.has(entry.id));
  return arrange({ ...set, fetched: { ...set.fetched, fragments: [...set.fetched.fragments, ...added] } });
};

/** Sorts the entries by their position in the log. */
const arrange = (
  set: Omit<WorkingSet, 'searched' | 'entries' | 'extent' | 'isTail' | 'fragment'>,
): WorkingSet => {
  const { fetched, tail, unsettled, scope } = set;
  const entries = [...fetched.fragments.map(({ entry }) => entry), ...unsettled].sort(
    (a, b) => a.number - b.number,
  );
  const ofTail = new Set(unsettled.map(({ number }) => number));
  const stored = new Map(fetched.fragments.map(each => [each.entry.number, each.stored]));
  const searched = searchRuns([], entries, { since: scope.since, until: scope.until });
  return {
    ...set,
    searched,
    extent: () => joined(extentOf(searched), set.whole ? undefined : extentOfCounts(fetched.counts)),
    entries: new Map(entries.map(entry => [entry.number, entry])),
    isTail: number => ofTail.has(number),
    fragment: number => (stored.get(number) ?? tail.fragment(number))!,
  };
};

const extentOfCounts = ({ first, last }: Pick<TurnCounts, 'first' | 'last'>): Extent | undefined =>
  first.value === null || last.value === null ? undefined : { first: first.value, last: last.value };

const joined = (one: Extent | undefined, other: Extent | undefined): Extent | undefined =>
  one && other
    ? { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) }
    : (one ?? other);
