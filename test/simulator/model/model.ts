/**
 * The state to which a history must have led, in plain maps and without the product's code. After a call
 * whose outcome nobody was told, both are possible, until a look at a service at rest says which it was.
 */
import type { Scope } from './steps.ts';
import { Violation } from './violation.ts';
import { saidTokens, turnTokens } from './words.ts';

export type Sure = 'no' | 'maybe' | 'yes';
export type Kind = 'turn' | 'said' | 'title';

/** From a call's begin to its end, in numbers that only grow. */
export interface During {
  from: number;
  to: number;
}

export interface Item {
  n: number;
  kind: Kind;
  scope: Scope;
  tokens: number;
  stored: Sure;
  hidden: Sure;
  /** Whether it was erased since it was last stored. */
  erased: Sure;
  /** Whether its tokens are in the sums; `maybe` is in the slack. */
  billed: Sure;
  /** Unix milliseconds. */
  expiresAt: number | undefined;
  /** When the machine's clock has said `expired` at every look since, on the time that the machine runs. */
  expiredSince: number | undefined;
  isDestroyed: boolean;
  /** Whether it isn't known which of several writes has said when it expires. */
  isExpiryUnsure: boolean;
  writes: Write[];
}

export type Write = During & { expiresAt: number | undefined };

interface Sums {
  in: number;
  out: number;
  /** The most that may be billed beyond that. */
  slackIn: number;
  slackOut: number;
}

export interface Model {
  items: Map<number, Item>;
  /** A call begins, and says in the end how it ended. */
  begins(): During;
  ends(call: During): void;
  item(n: number, kind: Kind, scope: Scope): Item;
  acknowledged(items: readonly Item[], call: During, billed: number | undefined, expiresAt?: number): void;
  unknown(items: readonly Item[], call: During, expiresAt?: number): void;
  erased(of: Omit<Scope, 'session'> & { session?: string | undefined }, call: During, sure: Sure): void;
  retracted(item: Item, call: During, sure: Sure): void;
  recalled(org: string, usage: { tokens_in: number; tokens_out: number } | undefined): void;
  sums(org: string): Sums;
  /** Takes in a look at a service at rest; collapses what was not known. */
  seen(item: Item, isVisible: boolean): void;
  /** Billed as it is from now on. */
  summed(org: string, actual: { tokensIn: number; tokensOut: number }): void;
}

const tokensOf = (kind: Kind, n: number): number => {
  if (kind === 'title') return 0;
  return kind === 'turn' ? turnTokens(n) : saidTokens(n);
};

const overlap = (one: During, other: During): boolean => one.from <= other.to && other.from <= one.to;

/** More than the answer of a recall has. */
const MOST_OUT = 100_000;
const MOST_IN = 100;

export const makeModel = (): Model => {
  const items = new Map<number, Item>();
  const erasures: (During & { org: string; user: string; session?: string | undefined })[] = [];
  const sums = new Map<string, Sums>();
  let number = 0;
  const sumsOf = (org: string): Sums => {
    const known = sums.get(org) ?? { in: 0, out: 0, slackIn: 0, slackOut: 0 };
    sums.set(org, known);
    return known;
  };
  const bill = (item: Item, billed: Sure): void => {
    const sum = sumsOf(item.scope.org);
    if (item.billed === 'maybe') sum.slackIn -= item.tokens;
    if (billed === 'yes') sum.in += item.tokens;
    if (billed === 'maybe') sum.slackIn += item.tokens;
    item.billed = billed;
  };
  const isErasedMeanwhile = ({ scope }: Item, call: During): boolean =>
    erasures.some(
      one =>
        one.org === scope.org &&
        one.user === scope.user &&
        (one.session ?? scope.session) === scope.session &&
        overlap(one, call),
    );
  /** Stored anew, after an erasure or for the first time. */
  const begin = (item: Item, expiresAt: number | undefined): void => {
    Object.assign(item, { hidden: 'no', erased: 'no', billed: 'no', expiresAt, expiredSince: undefined });
    item.isDestroyed = false;
    item.isExpiryUnsure = false;
  };

  return {
    items,
    begins: () => ({ from: ++number, to: Number.POSITIVE_INFINITY }),
    ends: call => {
      call.to = ++number;
    },
    item: (n, kind, scope) => {
      const known = items.get(n);
      if (known) return known;
      const item: Item = {
        n,
        kind,
        scope,
        tokens: tokensOf(kind, n),
        stored: 'no',
        hidden: 'no',
        erased: 'no',
        billed: 'no',
        expiresAt: undefined,
        expiredSince: undefined,
        isDestroyed: false,
        isExpiryUnsure: false,
        writes: [],
      };
      items.set(n, item);
      return item;
    },
    acknowledged: (written, call, billed, expiresAt) => {
      const fresh = written.filter(one => one.stored === 'no' || one.erased === 'yes');
      const unsure = written.filter(
        one =>
          !fresh.includes(one) &&
          (one.stored === 'maybe' ||
            one.erased === 'maybe' ||
            one.writes.some(w => w !== call && overlap(w, call))),
      );
      const sumOf = (of: readonly Item[]): number => of.reduce((sum, { tokens }) => sum + tokens, 0);
      const contested = written.some(
        one => one.writes.some(w => w !== call && overlap(w, call)) || isErasedMeanwhile(one, call),
      );
      const [least, most] = [sumOf(fresh), sumOf(fresh) + sumOf(unsure)];
      if (billed !== undefined && !contested && (billed < least || billed > most))
        throw new Violation(
          'stored once',
          `a write of ${written.map(({ n }) => n).join(', ')} reports ${billed} tokens, not ${least === most ? least : `${least} to ${most}`}`,
        );
      for (const one of fresh) {
        begin(one, expiresAt);
        one.stored = 'yes';
        bill(one, contested ? 'maybe' : 'yes');
      }
      for (const one of unsure) {
        const isNew = billed !== undefined && !contested && billed === most && most > least;
        const isKnown = billed !== undefined && !contested && billed === least;
        if (isNew) {
          // The former one is gone, and may have been billed.
          begin(one, expiresAt);
          bill(one, 'yes');
        } else if (!isKnown) {
          if (one.expiresAt !== expiresAt) one.isExpiryUnsure = true;
          one.expiresAt ??= expiresAt;
          const sum = sumsOf(one.scope.org);
          sum.slackIn += one.tokens;
        }
        if (one.stored === 'maybe' && one.billed === 'maybe' && isKnown) bill(one, 'yes');
        one.stored = 'yes';
        if (isKnown) one.erased = 'no';
        else if (!isNew && one.erased === 'maybe') one.erased = 'no';
      }
      for (const one of written) {
        if (isErasedMeanwhile(one, call)) one.erased = 'maybe';
        if (one.writes.some(write => write.expiresAt !== expiresAt && overlap(write, call)))
          one.isExpiryUnsure = true;
      }
    },
    unknown: (written, _call, expiresAt) => {
      for (const one of written) {
        if (one.stored === 'yes' && one.erased === 'no') continue;
        if (one.stored === 'no' || one.erased === 'yes') {
          begin(one, expiresAt);
          one.stored = 'maybe';
          bill(one, 'maybe');
        } else {
          sumsOf(one.scope.org).slackIn += one.tokens;
          if (one.expiresAt !== expiresAt) one.isExpiryUnsure = true;
        }
      }
    },
    erased: (of, call, sure) => {
      erasures.push({ ...of, ...call });
      for (const one of items.values()) {
        const { org, user, session } = one.scope;
        if (org !== of.org || user !== of.user || (of.session ?? session) !== session) continue;
        if (one.stored === 'no' || one.erased === 'yes') continue;
        const isSure = sure === 'yes' && !one.writes.some(write => overlap(write, call));
        if (isSure) one.erased = 'yes';
        else one.erased = 'maybe';
      }
    },
    retracted: (item, call, sure) => {
      if (item.stored === 'no' || item.hidden === 'yes') return;
      const isSure = sure === 'yes' && !isErasedMeanwhile(item, call) && item.erased === 'no';
      item.hidden = isSure ? 'yes' : 'maybe';
    },
    recalled: (org, usage) => {
      const sum = sumsOf(org);
      if (usage) {
        sum.in += usage.tokens_in;
        sum.out += usage.tokens_out;
      } else {
        sum.slackIn += MOST_IN;
        sum.slackOut += MOST_OUT;
      }
    },
    sums: sumsOf,
    seen: (item, isVisible) => {
      if (isVisible) {
        if (item.stored === 'maybe') {
          item.stored = 'yes';
          if (item.billed === 'maybe') bill(item, 'yes');
        }
        item.hidden = 'no';
        item.erased = 'no';
        return;
      }
      const open = (['stored', 'hidden', 'erased'] as const).filter(name => item[name] === 'maybe');
      // Its absence says something only where one reason alone is left.
      const hasReason = item.stored === 'no' || item.hidden === 'yes' || item.erased === 'yes';
      if (open.length !== 1 || hasReason) return;
      if (open[0] === 'stored') {
        item.stored = 'no';
        bill(item, 'no');
      } else item[open[0]!] = 'yes';
    },
    summed: (org, { tokensIn, tokensOut }) => {
      // Its tokens are in the sum from now on, or never will be.
      for (const item of items.values())
        if (item.scope.org === org && item.billed === 'maybe') item.billed = 'yes';
      sums.set(org, { in: tokensIn, out: tokensOut, slackIn: 0, slackOut: 0 });
    },
  };
};
