import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../core/errors.ts';
import { encodeEvent } from '../../core/log/encode.ts';
import { hasReached, offsetIn, positionsIn } from '../../core/log/positions.ts';
import { pagesOf, readPages } from '../../core/log/read.ts';
import type { SweptSession, SweptSessions } from '../../core/ports/projection/projection-store.ts';
import type { EventLog, KeyStore, NewRecord, Positions } from '../../core/ports.ts';
import { repeat } from '../../core/timing/repeat.ts';
import { scopeDigest } from '../../domain/identity/identity.ts';
import type { MemoryExpired } from '../../schemas/events/curation/expiry.ts';
import { parseEnvelope } from '../../schemas/events/envelope.ts';
import type { ExpiryShare, ShareOfRound } from './expiry-share.ts';

/**
 * How often a process looks for sessions in which everything has expired. No answer shows their data any
 * more.
 */
const EVERY_MS = 60_000;
/**
 * How long a call may still append what it seals with a key that was replaced meanwhile: a call begins its
 * append within 30 s, and every attempt of that has ended some two minutes later.
 */
const QUIET_MS = 15 * 60_000;
/** Sessions of a round. */
const MOST = 10_000;
/** Each waits for the log, and for other processes to notice. */
const AT_ONCE = 20;
/** Ids of turns in an event. */
const MOST_TURNS = 5_000;
/** Bytes of an append, of which a session with millions of turns needs several. */
const MOST_BYTES = 1 << 20;
const BETWEEN_LOOKS_MS = 200;
const TOPICS = ['turns', 'observations'] as const;

export interface ExpiredKeysPorts {
  swept: SweptSessions;
  keys: Pick<KeyStore, 'replace' | 'destroyKeys'>;
  log: Pick<EventLog, 'append' | 'ends' | 'read' | 'partitionOf'>;
  /** How far what `swept` looks at holds the log. */
  positions: () => Promise<Positions>;
  /** Unix milliseconds. */
  clock: () => number;
  /** The instant by which what has expired may be destroyed (Unix milliseconds); undefined: none for now. */
  upTo: () => Promise<number | undefined>;
  /** How many sessions of an organization may go a day. */
  share: ExpiryShare;
  /** Returns 32 random hexadecimal digits. */
  newId?: () => string;
  quietMs?: number;
}

interface Replaced {
  swept: SweptSession;
  /** The session's former keys. */
  former: string[];
}

/**
 * One round: look → keep a place in the share → a new key → wait → look once more → count → append →
 * destroy. Each session of which all has expired gets a new key, which seals whatever is said from now on.
 * Once no call can have the former ones in hand, all that they sealed is in the log; if all of it has
 * expired, an event says so, and every reader of it destroys these keys, even if this process ends here. A
 * process that ends before that leaves a session with one key more, and the next round begins with it again.
 * Any number of processes may do it at once.
 *
 * @returns how many sessions have lost their keys. Throws a fault of one of them once the others have been
 * seen to
 */
export const makeDestroyExpired = (ports: ExpiredKeysPorts) => {
  const { swept, keys, log, positions, clock, upTo, share, quietMs = QUIET_MS } = ports;
  const { newId = () => randomBytes(16).toString('hex') } = ports;

  const replaceKeys = async (
    { signal, faults }: Round,
    past: number,
    { full, keep }: ShareOfRound,
  ): Promise<Replaced[]> => {
    const replaced: Replaced[] = [];
    await inTurn(await swept.take(MOST, 2 * quietMs, full), { signal, faults }, async one => {
      const isOver = await swept.isOver(one, past);
      // It is found again.
      if (isOver && !(await keep(one.org))) return;
      const former = isOver ? await keys.replace(one.org, one.user, one.session) : [];
      if (former.length > 0) replaced.push({ swept: one, former });
      else await swept.done(one);
    });
    return replaced;
  };

  /** Resolves with the log's ends once all below them is applied. */
  const applied = async (signal: AbortSignal): Promise<Positions> => {
    const ends = positionsIn(await log.ends(), TOPICS);
    while (!hasReached(await positions(), ends)) await pause(BETWEEN_LOOKS_MS, undefined, { signal });
    return ends;
  };

  /**
   * The event in each of the session's partitions. What one can't list precedes it, in events that end
   * nothing: whoever dies among them has listed turns as known that are.
   */
  const recordsOf = async ({ swept: one, former }: Replaced, ends: Positions): Promise<NewRecord[]> => {
    const { org, user, session } = one;
    // As its records have it (records.ts of ingest).
    const partition = log.partitionOf(JSON.stringify([org, user, session]));
    const id = `exp_${newId()}`;
    const correlation_id = crypto.randomUUID();
    const records: NewRecord[] = [];
    for (const topic of TOPICS) {
      const before = offsetIn(ends, { topic, partition });
      const known = topic === 'turns' ? await swept.turnIds(one, before) : [];
      for (let at = 0; at === 0 || at < known.length; at += MOST_TURNS) {
        const data: MemoryExpired = {
          owner: scopeDigest([org, user]),
          session: scopeDigest([org, user, session]),
          ...(at + MOST_TURNS < known.length ? { key_ids: [], before: 0 } : { key_ids: former, before }),
          turn_ids: known.slice(at, at + MOST_TURNS),
        };
        const event = {
          id: `${id}/${records.length}`,
          type: 'memory.expired',
          org_id: org,
          recorded_at: new Date(clock()).toISOString(),
          correlation_id,
          data,
        };
        records.push({ topic, partition, key: '', value: encodeEvent(event), headers: { correlation_id } });
      }
    }
    return records;
  };

  return async (signal: AbortSignal): Promise<number> => {
    const faults: unknown[] = [];
    const past = await upTo();
    if (past === undefined) return 0;
    const round = await share.begin(past);
    const replaced = await replaceKeys({ signal, faults }, past, round);
    if (replaced.length === 0) return countWithout(faults, 0);
    await pause(quietMs, undefined, { signal, ref: false });
    const ends = await applied(signal);
    const kept = await keysOfDeadLetters(log);
    let count = 0;
    await inTurn(replaced, { signal, faults }, async one => {
      if (!one.former.some(id => kept.has(id)) && (await swept.isOver(one.swept, past))) {
        // It is found again.
        if (!(await round.take(one.swept.org))) return;
        const bytes = { most: MOST_BYTES, of: ({ value }: NewRecord) => value.length };
        for (const records of pagesOf(await recordsOf(one, ends), bytes)) await log.append(records);
        await keys.destroyKeys(one.former, 'former');
        count++;
      }
      await swept.done(one.swept);
    });
    return countWithout(faults, count);
  };
};

interface Round {
  signal: AbortSignal;
  /** The errors so far. */
  faults: unknown[];
}

/**
 * Works on a few at once. A failure doesn't stop the others, unless a whole batch fails because an engine
 * can't be reached.
 */
const inTurn = async <T>(
  of: readonly T[],
  { signal, faults }: Round,
  work: (one: T) => Promise<void>,
): Promise<void> => {
  for (let at = 0; at < of.length && !signal.aborted; at += AT_ONCE) {
    const outcomes = await Promise.allSettled(of.slice(at, at + AT_ONCE).map(work));
    const failed = outcomes.filter(one => one.status === 'rejected');
    faults.push(...failed.map(({ reason }) => reason));
    if (failed.length === outcomes.length && failed.every(({ reason }) => isOutage(reason))) return;
  }
};

const isOutage = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';

/** Throws the first fault, if there is one. */
const countWithout = ([fault]: readonly unknown[], count: number): number => {
  if (fault !== undefined) throw fault;
  return count;
};

/**
 * The keys of records that were set aside: no read model says whether they have expired, and they may be
 * requeued.
 */
const keysOfDeadLetters = async (log: Pick<EventLog, 'read' | 'ends'>): Promise<Set<string>> => {
  const topics = ['dead-letters'] as const;
  const ids = new Set<string>();
  const to = positionsIn(await log.ends(), topics);
  for await (const { records } of readPages(log, { topics, to }))
    for (const { value } of records)
      try {
        const { key_id } = parseEnvelope(value) as { key_id?: unknown };
        if (typeof key_id === 'string') ids.add(key_id);
      } catch {
        // It names no key.
      }
  return ids;
};

/** Destroys keys of expired sessions in the background. */
export const startExpiredKeys = (
  ports: ExpiredKeysPorts,
  {
    everyMs = EVERY_MS,
    onDestroyed = () => {},
    onHeld,
  }: {
    everyMs?: number;
    onDestroyed?: (count: number) => void;
    /** Called after each round with the sessions that have to wait, by organization. */
    onHeld: (held: ReadonlyMap<string, number>) => void;
  },
  onFault: (error: unknown) => void,
): { close(): Promise<void> } => {
  const destroyExpired = makeDestroyExpired(ports);
  let isFailing = false;
  return repeat(async signal => {
    try {
      const count = await destroyExpired(signal);
      isFailing = false;
      if (count > 0) onDestroyed(count);
    } catch (error) {
      // Once an outage, however long. What was taken is given again.
      if (!isFailing && !signal.aborted) onFault(error);
      isFailing = true;
    }
    onHeld(ports.share.held());
  }, everyMs);
};
