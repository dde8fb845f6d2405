/** Receipts of recalls: what was answered, whose words are read anew, and the question. */
import type { Scope } from '../history/steps.ts';
import type { During, Item, Sure } from './item.ts';

export interface Receipt {
  /** Its number in the history. */
  n: number;
  id: string;
  org: string;
  user: string;
  /** The number in the question. */
  of: number;
  during: During;
  /** When it was answered, at the earliest and at the latest: Unix milliseconds. */
  recalled: { from: number; to: number };
  /** The life that each shown item had, by its number. */
  shown: ReadonlyMap<number, number>;
  /** Whether the user whom it searched was erased since. */
  erased: Sure;
}

export interface Receipts {
  get(n: number): Receipt | undefined;
  of(org: string): Receipt[];
  kept(receipt: Omit<Receipt, 'erased'>): void;
  erased(of: Omit<Scope, 'session'> & { session?: string | undefined }, call: During, sure: Sure): void;
}

export const makeReceipts = (): Receipts => {
  const receipts = new Map<number, Receipt>();
  const erasures: (During & { org: string; user: string })[] = [];
  const isDuring = (one: During, other: During): boolean => one.from <= other.to && other.from <= one.to;
  return {
    get: n => receipts.get(n),
    of: org => [...receipts.values()].filter(one => one.org === org),
    kept: receipt => {
      const isErasedMeanwhile = erasures.some(
        one => one.org === receipt.org && one.user === receipt.user && isDuring(one, receipt.during),
      );
      receipts.set(receipt.n, { ...receipt, erased: isErasedMeanwhile ? 'maybe' : 'no' });
    },
    // The question is sealed under a key of the user, which the erasure of a session leaves.
    erased: ({ org, user, session }, call, sure) => {
      if (session !== undefined) return;
      erasures.push({ org, user, ...call });
      for (const one of receipts.values()) {
        if (one.org !== org || one.user !== user || one.erased === 'yes') continue;
        one.erased = sure === 'yes' && !isDuring(one.during, call) ? 'yes' : 'maybe';
      }
    },
  };
};

/** The turns and statements whose words an answer has, with the lives that they have. */
export const livesOf = (items: ReadonlyMap<number, Item>, refs: ReadonlySet<number>): Map<number, number> =>
  new Map(
    [...items.values()].flatMap(({ n, kind, life }) =>
      refs.has(n) && (kind === 'turn' || kind === 'said') ? [[n, life]] : [],
    ),
  );
