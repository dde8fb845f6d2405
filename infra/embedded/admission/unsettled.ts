import { partitionName } from '../../../core/log/positions.ts';
import type { Logged, Positions, Remembered, Scope, TailTurn, Tokens } from '../../../core/ports.ts';
import { tailTurnBytes, withoutObservation } from '../../../projections/recall/tail/tail-turn.ts';
import { makeLookups } from './tail-lookups.ts';
import { makeTailRoom } from './tail-room.ts';
import { makeTailShares, type TailBound } from './tail-shares.ts';

/** How long an erased user is remembered: longer than any append takes. */
const REMEMBERED_MS = 3_600_000;

export type { TailBound };

/** Events in the log that the projections' file may not have settled yet, kept in memory. */
export interface Unsettled {
  add(entry: Logged): void;
  /** Drops the events that the projector has settled. */
  settle(positions: Positions): void;
  turn(id: string): TailTurn | undefined;
  turns(scope: Scope): TailTurn[];
  job(id: string): Remembered['job'];
  /** Drops the user's content under destroyed keys, also if it is added later; the billed tokens stay. */
  erase(org: string, user: string): void;
  /** Drops a turn's content; the billed tokens stay. */
  drop(turnId: string): void;
  /** Sums tokens by day of the events at or after `positions`. */
  tokens(org: string, from: string, to: string, positions: Positions): Map<string, Tokens>;
  size(): number;
  /** Returns roughly the memory that the events take. */
  bytes(): number;
  /**
   * Waits until less than this is held and, for an organization that shares the tail with others, less than
   * half of it is its own; resolves to false if that takes longer than `ms`. Where the tail is more than half
   * full, an organization's writes come in at a pace; `events`: how many one has.
   */
  below(bound: TailBound, ms: number, org?: string, events?: number): Promise<boolean>;
}

/**
 * Keeps a queue per partition of each topic, in offset order, with lookups by id and by scope.
 *
 * @param isDestroyed returns whether a sealing key is destroyed
 */
export const makeUnsettled = (isDestroyed: (keyId: string) => boolean): Unsettled => {
  const queues = new Map<string, Logged[]>();
  const lookups = makeLookups();
  const erased = makeErasedUsers();
  /** Settled events are not added: the projector may be faster than the acknowledgement. */
  let settled: Positions = {};
  const size = (): number => {
    let sum = 0;
    for (const queue of queues.values()) sum += queue.length;
    return sum;
  };
  let bytes = 0;
  const shares = makeTailShares();
  const count = (entry: Logged, sign: 1 | -1): void => {
    const own = sign * bytesOf(entry);
    bytes += own;
    shares.count(entry.org, { events: sign, bytes: own });
  };
  const dropWords = (entry: Logged): void => {
    count(entry, -1);
    withoutWords(entry);
    count(entry, 1);
  };
  const room = makeTailRoom((most, org) =>
    Math.max(size() / most.events, bytes / most.bytes, shares.fill(org, most)),
  );

  /** Returns the turn's copies: a retry may have appended it twice. */
  const copiesOf = (turnId: string): Logged[] => {
    const turn = lookups.turn(turnId);
    const queue = turn && queues.get(partitionName({ topic: 'turns', partition: turn.partition }));
    return queue?.filter(entry => entry.turn?.id === turnId) ?? [];
  };
  const drop = (turnId: string): void => {
    for (const entry of copiesOf(turnId)) {
      lookups.drop(entry);
      dropWords(entry);
    }
  };
  /** Hides a turn or an observation in log order: a retraction comes after the data that it hides. */
  const hide = ({ turnId, observationId }: NonNullable<Logged['hides']>): void => {
    if (observationId === undefined) drop(turnId);
    else
      for (const entry of copiesOf(turnId)) {
        count(entry, -1);
        entry.turn = withoutObservation(entry.turn!, observationId);
        count(entry, 1);
        lookups.add(entry);
      }
  };

  return {
    add: entry => {
      const name = partitionName(entry);
      if (entry.offset < (settled[name] ?? 0)) return;
      const queue = queues.get(name) ?? [];
      queues.set(name, queue);
      queue.push(entry);
      count(entry, 1);
      const held = entry.turn ?? entry.job;
      // Its append was in flight when the user was erased.
      if (held && erased.has(held) && isDestroyed(held.keyId)) dropWords(entry);
      else lookups.add(entry);
      if (entry.hides) hide(entry.hides);
    },
    settle: positions => {
      settled = positions;
      const before = size();
      for (const [name, queue] of queues) {
        const position = positions[name] ?? 0;
        const end = queue.findIndex(entry => entry.offset >= position);
        for (const entry of queue.splice(0, end < 0 ? queue.length : end)) {
          lookups.drop(entry);
          count(entry, -1);
        }
      }
      room.settled(before - size(), size());
    },
    turn: lookups.turn,
    turns: lookups.turns,
    job: lookups.job,
    erase: (org, user) => {
      erased.add({ org, user });
      const isErased = remembered(isDestroyed);
      for (const queue of queues.values()) {
        for (const entry of queue) {
          const held = entry.turn ?? entry.job;
          if (entry.org !== org || held?.user !== user || !isErased(held.keyId)) continue;
          lookups.drop(entry);
          dropWords(entry);
        }
      }
    },
    drop,
    tokens: (org, from, to, positions) => {
      const days = new Map<string, Tokens>();
      for (const [name, queue] of queues) {
        const position = positions[name] ?? 0;
        for (const entry of queue) {
          if (entry.offset < position || entry.org !== org || entry.day < from || entry.day > to) continue;
          const { tokensIn, tokensOut } = days.get(entry.day) ?? { tokensIn: 0, tokensOut: 0 };
          days.set(entry.day, {
            tokensIn: tokensIn + entry.tokens.tokensIn,
            tokensOut: tokensOut + entry.tokens.tokensOut,
          });
        }
      }
      return days;
    },
    size,
    bytes: () => bytes,
    below: (most, ms, org, events = 1) => {
      if (org !== undefined) shares.asks(org);
      return room.below(most, ms, org, events);
    },
  };
};

/** The bytes of an entry without words: its object and its slot in the queue. */
const ENTRY_BYTES = 512;
const ID_BYTES = 64;

const bytesOf = ({ turn, job }: Logged): number =>
  ENTRY_BYTES + (job ? job.turnIds.length * ID_BYTES : 0) + (turn ? tailTurnBytes(turn) : 0);

/** Removes an erased entry's content and keeps its billed tokens. */
const withoutWords = (entry: Logged): void => {
  delete entry.turn;
  delete entry.job;
};

type User = Pick<TailTurn, 'org' | 'user'>;

/** Remembers erased users: an append under one of their former keys may still be in flight. */
const makeErasedUsers = () => {
  const erasedAt = new Map<string, number>();
  const nameOf = ({ org, user }: User): string => JSON.stringify([org, user]);
  return {
    add: (user: User): void => {
      const now = performance.now();
      for (const [name, at] of erasedAt) if (now - at > REMEMBERED_MS) erasedAt.delete(name);
      erasedAt.set(nameOf(user), now);
    },
    has: (user: User): boolean => erasedAt.size > 0 && erasedAt.has(nameOf(user)),
  };
};

/** Returns a function that asks once for each value. */
const remembered = (ask: (value: string) => boolean): ((value: string) => boolean) => {
  const answers = new Map<string, boolean>();
  return value => {
    const known = answers.get(value);
    if (known !== undefined) return known;
    const answer = ask(value);
    answers.set(value, answer);
    return answer;
  };
};
