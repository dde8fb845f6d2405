import { type Searched, searchRuns, TURN } from '../../../projections/recall/run.ts';
import type { placeTail } from '../../../projections/recall/tail/entries.ts';
import type { Indexed } from '../../../projections/recall/tail/indexed.ts';
import type { Scope, StoredFragment } from '../../../services/core/ports.ts';
import { type Brought, type Fragment, MOST_SPEAKERS } from './candidates.ts';

type Tail = ReturnType<typeof placeTail>;

/** The scope's fragments that a recall has at hand, of the index and of the tail, each once. */
export interface AtHand {
  scope: Scope;
  brought: Brought;
  tail: Tail;
  /** Of the tail, what the index does not show. */
  unseen: Indexed[];
  /** Nothing of the scope is missing. */
  whole: boolean;
  searched: Searched[];
  entries: ReadonlyMap<number, Indexed>;
  speakers: string[];
  isTail(number: number): boolean;
  fragment(number: number): StoredFragment;
}

export const atHand = (brought: Brought, tail: Tail, scope: Scope): AtHand => {
  const whole = brought.total <= brought.fragments.length;
  const shown = whole ? new Set(brought.fragments.map(({ stored }) => stored.id)) : brought.shown;
  const unseen = tail.entries.filter(({ number }) => !shown.has(tail.fragment(number)!.id));
  const roles = whole
    ? brought.fragments.flatMap(({ entry }) => (entry.kind === TURN ? [entry.role] : []))
    : brought.counts.roles.buckets.map(({ key }) => key);
  const speakers = [...new Set(roles)].sort().slice(0, MOST_SPEAKERS);
  const waiting = unseen.filter(({ kind }) => kind === TURN).map(({ role }) => role);
  const all = [...new Set([...speakers, ...waiting])];
  return arrange({ scope, brought, tail, unseen, whole, speakers: all });
};

/** With more fragments of the index; those that are there already are passed over. */
export const withMore = (hand: AtHand, more: readonly Fragment[]): AtHand => {
  const known = new Set([...hand.entries.values()].map(({ id }) => id));
  const added = more.filter(({ entry }) => !known.has(entry.id));
  return arrange({ ...hand, brought: { ...hand.brought, fragments: [...hand.brought.fragments, ...added] } });
};

/** In the order of the log. */
const arrange = (hand: Omit<AtHand, 'searched' | 'entries' | 'isTail' | 'fragment'>): AtHand => {
  const { brought, tail, unseen, scope } = hand;
  const entries = [...brought.fragments.map(({ entry }) => entry), ...unseen].sort(
    (a, b) => a.number - b.number,
  );
  const ofTail = new Set(unseen.map(({ number }) => number));
  const stored = new Map(brought.fragments.map(each => [each.entry.number, each.stored]));
  return {
    ...hand,
    searched: searchRuns([], entries, { since: scope.since, until: scope.until }),
    entries: new Map(entries.map(entry => [entry.number, entry])),
    isTail: number => ofTail.has(number),
    fragment: number => (stored.get(number) ?? tail.fragment(number))!,
  };
};
