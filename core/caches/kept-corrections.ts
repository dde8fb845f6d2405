/**
 * Corrections of users' names, kept as they were read. A recall and a list read all of a user's, up to a
 * thousand, of which hardly ever one is new: what is known is not parsed, normalised and judged again.
 */
import { MOST_CORRECTED_NAMES } from '../../domain/facts/bounds.ts';
import { makeLivingParts, namesSaidIn } from '../../domain/facts/names/living-names.ts';
import type { NameCorrection } from '../ports/recall/turn-details.ts';

/** Corrections that are fetched, and names that are looked up, before yielding. */
const AT_ONCE = 100;
const NAMES_AT_ONCE = 500;
/** Names that are kept, of all users together: some 20 MB. */
const MOST_KEPT = 100_000;
/** Erased words are nowhere: also not here, for longer than this. */
const KEPT_MS = 60_000;

/** A correction as it is stored. */
export interface StoredCorrection {
  id: string;
  /** Unix milliseconds. */
  recordedAt: number;
}

export interface CorrectionReads {
  /** The user's, with what is asked for: nothing is kept of another. Undefined: nothing is kept. */
  key: string | undefined;
  /** The last ones, the last one first. */
  stored: readonly StoredCorrection[];
  /** Returns their JSON, by id; without those that are gone by now. */
  said(ids: readonly string[]): ReadonlyMap<string, string>;
  /** Returns those of these normalised labels that a turn still says. */
  named(labels: readonly string[]): Promise<Iterable<string>>;
}

interface Parsed {
  correction: NameCorrection;
  /** Normalised labels that it takes from what was said. */
  names: readonly string[];
  /** How much it holds. */
  size: number;
}

interface Kept {
  parsed: ReadonlyMap<string, Parsed>;
  /** The ids of those that count, in the order of their recording, and which names are living. */
  order: string;
  named: ReadonlySet<string>;
  living: readonly NameCorrection[];
  size: number;
  usedAt: number;
}

export interface KeptCorrections {
  /**
   * Returns a user's corrections, as far as turns say the names, in the order of their recording: the same
   * array while nothing has changed.
   */
  read(reads: CorrectionReads): Promise<readonly NameCorrection[]>;
}

const sizeOf = ({ split, names, into_names, me = [], sessions = [] }: NameCorrection): number =>
  1 + split.length + names.length + into_names.length + me.length + sessions.length;

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other);

export const makeKeptCorrections = (
  makeYieldWhenDue: () => () => Promise<void>,
  clock: () => number = () => performance.now(),
): KeptCorrections => {
  const kept = new Map<string, Kept>();
  let size = 0;
  let forgets = false;

  const drop = (key: string): void => {
    size -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };
  const forget = (): void => {
    forgets = false;
    for (const [key, { usedAt }] of kept) if (clock() - usedAt >= KEPT_MS) drop(key);
    forgetLater();
  };
  const forgetLater = (): void => {
    if (kept.size === 0 || forgets) return;
    forgets = true;
    setTimeout(forget, KEPT_MS).unref();
  };
  const keep = (key: string, one: Kept): void => {
    drop(key);
    kept.set(key, one);
    size += one.size;
    for (const oldest of kept.keys()) {
      if (size <= MOST_KEPT || oldest === key) break;
      drop(oldest);
    }
    forgetLater();
  };

  /** The last corrections, the last one first, until they name as many as count. */
  const parse = async (
    { stored, said }: CorrectionReads,
    known: Kept['parsed'] | undefined,
    yieldWhenDue: () => Promise<void>,
  ): Promise<Map<string, Parsed>> => {
    const found = new Map<string, Parsed>();
    let total = 0;
    for (let at = 0; at < stored.length; at += AT_ONCE) {
      const some = stored.slice(at, at + AT_ONCE);
      const texts = said(some.map(({ id }) => id).filter(id => !known?.has(id)));
      for (const { id, recordedAt } of some) {
        const text = texts.get(id);
        const one = known?.get(id) ?? (text === undefined ? undefined : parsedOf(text, recordedAt));
        if (!one) continue;
        total += one.size;
        if (total > MOST_CORRECTED_NAMES && found.size > 0) return found;
        found.set(id, one);
        await yieldWhenDue();
      }
    }
    return found;
  };

  return {
    read: async reads => {
      const { key } = reads;
      const yieldWhenDue = makeYieldWhenDue();
      const before = key === undefined ? undefined : kept.get(key);
      const parsed = await parse(reads, before?.parsed, yieldWhenDue);
      const inOrder = [...parsed].reverse();
      const order = inOrder.map(([id]) => id).join(' ');
      const names = [...new Set(inOrder.flatMap(([, one]) => one.names))];
      const named = new Set<string>();
      for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
        for (const name of await reads.named(names.slice(at, at + NAMES_AT_ONCE))) named.add(name);
        await yieldWhenDue();
      }
      if (before && before.order === order && isSame(before.named, named)) {
        before.usedAt = clock();
        return before.living;
      }
      const living: NameCorrection[] = [];
      const partOf = makeLivingParts();
      for (const [, { correction }] of inOrder) {
        const part = partOf(correction, named);
        if (part) living.push(part);
        await yieldWhenDue();
      }
      if (key !== undefined) {
        const whole = inOrder.reduce((sum, [, one]) => sum + one.size, 0);
        if (whole === 0) drop(key);
        else keep(key, { parsed, order, named, living, size: whole, usedAt: clock() });
      }
      return living;
    },
  };
};

const parsedOf = (text: string, recordedAt: number): Parsed => {
  const correction: NameCorrection = { ...JSON.parse(text), recordedAt };
  return { correction, names: namesSaidIn(correction), size: sizeOf(correction) };
};
