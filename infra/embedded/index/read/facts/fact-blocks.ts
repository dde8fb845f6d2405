import { makeKeptAWhile } from '../../../../../core/caches/kept-a-while.ts';
import type { KnownFact, Scope } from '../../../../../core/ports.ts';
import { MOST_FACTS } from '../../../../../domain/facts/bounds.ts';
import { hasExpired } from '../../../../../domain/search/horizon.ts';
import type { ProjectionsReader } from '../projections-reader.ts';
import { FRAGMENT, fragmentOf, JOINED, TERMS, termsIn } from '../read-fragment.ts';
import { openHorizons } from '../search/answers-reader.ts';

/** Facts that stay open: some 15,000, which is all that some users have said of some hundred subjects. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Erased words are nowhere: also not here, for longer than this. */
const KEPT_MS = 60_000;
/** Bytes beside its texts: its objects, its ids and its place in a block. */
const BYTES_OF_A_FACT = 900;

/** A fact, and when it expires. */
interface Opened {
  fact: KnownFact;
  expiresAt: number | undefined;
  kept: number;
}

/** The facts of a key that stand last, the latest first, expired ones too. */
interface Block {
  /** The row's number and its event's address of each. */
  addresses: string;
  opened: ReadonlyMap<string, Opened>;
  facts: readonly KnownFact[];
  /** Whether the key has no others. */
  isWhole: boolean;
  /** When the first of them expires by itself. */
  expires: number;
  /** The state of the file in which the addresses were compared. */
  comparedAt: string;
}

const ADDRESS = "f.no || ' ' || f.log_partition || ' ' || f.offset";

const sizeOf = ({ facts }: Block): number =>
  facts.reduce(
    (sum, { text, fact: { value } }) => sum + BYTES_OF_A_FACT + 2 * (text.length + value.length),
    0,
  );

/**
 * Opens the facts of keys: each row is read and decoded once, since a key may have hundreds of which one is
 * shown, and the same keys are asked about again and again. An opened fact is the same object for as long as
 * its row is the same, so that what follows from it can be kept beside it.
 *
 * A file that nobody has written to since has the same facts. Otherwise the index is compared, which has the
 * addresses: a row that is replaced or moved gets another one, and no number is given twice.
 */
export const openFactBlocks = (reader: ProjectionsReader) => {
  const state = reader.prepare('SELECT reader_id() AS reader, data_version FROM pragma_data_version');
  const OF_KEY = 'f.partition = (SELECT no FROM scopes WHERE key = ?1) AND f.fact_key = ?2';
  const addressesOf = reader.prepare(
    `SELECT group_concat(${ADDRESS}) AS addresses FROM (SELECT f.no, f.log_partition, f.offset
       FROM main.fragments f WHERE ${OF_KEY} ORDER BY f.fact_stands DESC, f.no DESC LIMIT ${MOST_FACTS + 1}) f`,
  );
  const rowsOf = reader.prepare(
    `SELECT ${ADDRESS} AS address, f.recorded, f.expires, f.kept_from, ${TERMS}, ${FRAGMENT}
     FROM main.fragments f ${JOINED} WHERE ${OF_KEY} AND f.no IN (SELECT value FROM json_each(?3))`,
  );
  const horizonOf = openHorizons(reader);
  const blocks = makeKeptAWhile<Block>({ mostBytes: MOST_BYTES, unusedMs: KEPT_MS });

  const open = (scope: string, key: string, addresses: string, before: Block | undefined): Block => {
    const all = addresses === '' ? [] : addresses.split(',');
    const last = all.slice(0, MOST_FACTS);
    const missing = last.filter(address => !before?.opened.has(address));
    const read = new Map<string, Opened>();
    if (missing.length > 0) {
      const numbers = missing.map(address => Number.parseInt(address, 10));
      for (const row of rowsOf.all(scope, key, JSON.stringify(numbers)))
        read.set(String(row.address), openedOf(row));
    }
    const opened = new Map<string, Opened>();
    for (const address of last) {
      // A row that is gone by now is none.
      const one = before?.opened.get(address) ?? read.get(address);
      if (one) opened.set(address, one);
    }
    const facts = [...opened.values()].map(({ fact }) => fact);
    let expires = Number.POSITIVE_INFINITY;
    for (const { expiresAt = expires } of opened.values()) expires = Math.min(expires, expiresAt);
    return { addresses, opened, facts, isWhole: all.length <= MOST_FACTS, expires, comparedAt: '' };
  };

  const blockOf = (scope: string, key: string, now: string): Block => {
    const name = `${scope}\n${key}`;
    const before = blocks.need(name);
    if (before?.comparedAt === now) return before;
    const addresses = String(addressesOf.get(scope, key)?.addresses ?? '');
    const isSame = before?.addresses === addresses && readerIn(before.comparedAt) === readerIn(now);
    const block = isSame ? before : open(scope, key, addresses, sameFile(before, now));
    block.comparedAt = now;
    return isSame ? block : blocks.hold(name, block, sizeOf(block));
  };

  /**
   * Returns a function from a user's scope key and a fact key to the key's facts, the latest first. Undefined
   * where a key has so many that those of the scope may be others.
   */
  return ({ org, session, asOf = Number.MAX_SAFE_INTEGER }: Scope) => {
    const { reader: number, data_version } = state.get()!;
    const now = `${number} ${data_version}`;
    const horizon = horizonOf(org);
    const isSeen = (one: Opened): boolean =>
      one.fact.recordedAt <= asOf &&
      (session === undefined || one.fact.session === session) &&
      !hasExpired(horizon, one);
    const mayHide =
      asOf !== Number.MAX_SAFE_INTEGER || session !== undefined || horizon.keptAfter !== undefined;
    return (scope: string, key: string): readonly KnownFact[] | undefined => {
      const { opened, facts, isWhole, expires } = blockOf(scope, key, now);
      if (!mayHide && expires > horizon.now) return facts;
      const seen = [...opened.values()].filter(isSeen);
      if (seen.length === facts.length) return facts;
      return isWhole ? seen.map(({ fact }) => fact) : undefined;
    };
  };
};

const readerIn = (state: string): string => state.slice(0, state.indexOf(' '));

/** Another file has other numbers. */
const sameFile = (block: Block | undefined, now: string): Block | undefined =>
  block && readerIn(block.comparedAt) === readerIn(now) ? block : undefined;

const openedOf = (row: Readonly<Record<string, unknown>>): Opened => {
  const { expires, kept_from } = row;
  return {
    fact: { ...fragmentOf(row), recordedAt: Number(row.recorded), metadata: termsIn(row) } as KnownFact,
    expiresAt: expires === null ? undefined : Number(expires),
    kept: kept_from === null ? Number.NEGATIVE_INFINITY : Number(kept_from),
  };
};
