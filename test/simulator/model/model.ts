/**
 * The state to which a history must have led, in plain maps and without the product's code. After a call
 * whose outcome nobody was told, both are possible, until a look at a service at rest says which it was.
 */
import type { Scope } from '../history/steps.ts';
import { Violation } from '../history/violation.ts';
import { saidTokens, turnTokens } from '../history/words.ts';
import { type During, type Item, type Kind, overlap, type Sure } from './item.ts';
import { makeLabels } from './labels.ts';
import { makeReceipts, type Receipts } from './receipts.ts';
import { makeRetentions, type Retentions } from './retentions.ts';

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
  /** A correction of a statement. */
  correction(n: number, of: Item): Item;
  acknowledged(items: readonly Item[], call: During, billed: number | undefined, expiresAt?: number): void;
  unknown(items: readonly Item[], call: During, expiresAt?: number): void;
  erased(of: Omit<Scope, 'session'> & { session?: string | undefined }, call: During, sure: Sure): void;
  retracted(item: Item, call: During, sure: Sure): void;
  /** A call may have hidden this correction with what it corrects, and with it the title of its session. */
  mayBeHidden(item: Item): void;
  /** A title, or a user's names. */
  labelled(item: Item, call: During, sure: Sure): void;
  /** Takes in which of these labels a session or a user at rest shows. */
  labelSeen(labels: readonly Item[], shown: number | undefined): void;
  retentions(org: string): Retentions;
  receipts: Receipts;
  recalled(org: string, usage: { tokens_in: number; tokens_out: number } | undefined): void;
  sums(org: string): Sums;
  /** Takes in a look at a service at rest; collapses what was not known. */
  seen(item: Item, isVisible: boolean): void;
  /** Billed as it is from now on. */
  summed(org: string, actual: { tokensIn: number; tokensOut: number }): void;
}

const tokensOf = (kind: Kind, n: number): number => {
  if (kind === 'title' || kind === 'name') return 0;
  return kind === 'turn' ? turnTokens(n) : saidTokens(n);
};

/** Whether one corrects the other, or a correction of it; `maybe`: nobody was told what it corrects. */
const correctsIn = ({ root, corrects }: Item, item: Item): Sure => {
  if (root === undefined || root !== (item.root ?? item)) return 'no';
  if (item.root === undefined) return 'yes';
  for (let at = corrects; at !== root; at = at.corrects) {
    if (at === undefined) return 'maybe';
    if (at === item) return 'yes';
  }
  return 'no';
};

/** More than the answer of a recall has. */
const MOST_OUT = 100_000;
const MOST_IN = 100;

export const makeModel = (): Model => {
  const items = new Map<number, Item>();
  const erasures: (During & { org: string; user: string; session?: string | undefined })[] = [];
  const sums = new Map<string, Sums>();
  const retentions = new Map<string, Retentions>();
  const receipts = makeReceipts();
  const labels = makeLabels(items);
  let number = 0;
  const retentionsOf = (org: string): Retentions => {
    const known = retentions.get(org) ?? makeRetentions();
    retentions.set(org, known);
    return known;
  };
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
  const begin = (item: Item, { since }: During, expiresAt: number | undefined): void => {
    Object.assign(item, { hidden: 'no', erased: 'no', billed: 'no', expiresAt, expiredSince: undefined });
    item.replaced = 'no';
    item.isDestroyed = false;
    item.isExpiryUnsure = false;
    item.life++;
    // A correction goes with what it corrects.
    item.recorded = item.root?.recorded ?? { from: since, to: Date.now() };
  };
  /** It may be this write that has recorded it. */
  const mayBegin = (item: Item, { since }: During): void => {
    if (item.root) return;
    const { from, to } = item.recorded;
    item.recorded = { from: Math.min(from, since), to: Math.max(to, Date.now()) };
  };
  const hide = (item: Item, call: During, sure: Sure): void => {
    if (item.stored === 'no' || item.hidden === 'yes') return;
    const isSure = sure === 'yes' && !isErasedMeanwhile(item, call) && item.erased === 'no';
    item.hidden = isSure ? 'yes' : 'maybe';
  };
  const model: Model = {
    items,
    receipts,
    retentions: retentionsOf,
    begins: () => ({ from: ++number, to: Number.POSITIVE_INFINITY, since: Date.now() }),
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
        replaced: 'no',
        mayBeTwice: false,
        life: 0,
        root: undefined,
        corrects: undefined,
        expiresAt: undefined,
        recorded: { from: 0, to: 0 },
        retentions: retentionsOf(scope.org),
        expiredSince: undefined,
        isDestroyed: false,
        isExpiryUnsure: false,
        writes: [],
      };
      items.set(n, item);
      return item;
    },
    correction: (n, of) => {
      const known = items.get(n);
      if (known) return known;
      const item = model.item(n, 'said', of.scope);
      item.root = of.root ?? of;
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
        begin(one, call, expiresAt);
        one.stored = 'yes';
        bill(one, contested ? 'maybe' : 'yes');
      }
      for (const one of unsure) {
        one.mayBeTwice ||= one.erased === 'maybe';
        const isNew = billed !== undefined && !contested && billed === most && most > least;
        const isKnown = billed !== undefined && !contested && billed === least;
        if (isNew) {
          // The former one is gone, and may have been billed.
          begin(one, call, expiresAt);
          bill(one, 'yes');
        } else if (!isKnown) {
          if (one.expiresAt !== expiresAt) one.isExpiryUnsure = true;
          one.expiresAt ??= expiresAt;
          mayBegin(one, call);
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
    unknown: (written, call, expiresAt) => {
      for (const one of written) {
        if (one.stored === 'yes' && one.erased === 'no') continue;
        if (one.stored === 'no' || one.erased === 'yes') {
          begin(one, call, expiresAt);
          one.stored = 'maybe';
          bill(one, 'maybe');
        } else {
          one.mayBeTwice ||= one.erased === 'maybe';
          sumsOf(one.scope.org).slackIn += one.tokens;
          if (one.expiresAt !== expiresAt) one.isExpiryUnsure = true;
          mayBegin(one, call);
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
      receipts.erased(of, call, sure);
    },
    retracted: (item, call, sure) => {
      hide(item, call, sure);
      for (const one of items.values()) {
        const follows = correctsIn(one, item);
        const isSure = follows === 'yes' && !one.writes.some(write => overlap(write, call));
        if (follows !== 'no') hide(one, call, isSure ? sure : 'maybe');
      }
      labels.withdrawn(item.scope, call, sure);
    },
    mayBeHidden: item => {
      if (item.stored !== 'no' && item.hidden === 'no') item.hidden = 'maybe';
      labels.withdrawn(item.scope, undefined, 'maybe');
    },
    labelled: labels.labelled,
    labelSeen: labels.seen,
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
      for (const item of items.values()) {
        if (item.scope.org !== org) continue;
        if (item.billed === 'maybe') item.billed = 'yes';
        item.mayBeTwice = false;
      }
      sums.set(org, { in: tokensIn, out: tokensOut, slackIn: 0, slackOut: 0 });
    },
  };
  return model;
};
