import { matchesScope } from '../../../projections/recall/tail/matches-scope.ts';
import type { Logged, Positions, Remembered, Scope, TailTurn, Tokens } from '../../../services/core/ports.ts';

/** Longer than any append takes. */
const REMEMBERED_MS = 3_600_000;

type Users = Map<string, Map<string, TailTurn>>;

/** What the log holds and the projections' file may not have settled yet, in memory. */
export interface Unprojected {
  add(entry: Logged): void;
  /** Drops what the projector has settled. */
  projected(positions: Positions): void;
  turn(id: string): TailTurn | undefined;
  turns(scope: Scope): TailTurn[];
  job(id: string): Remembered['job'];
  /** Drops what was sealed under these keys, now or when it is added later; what it bills stays. */
  erase(org: string, user: string, keyIds: readonly string[]): void;
  /** Tokens by day of the events from `positions` on. */
  tokens(org: string, from: string, to: string, positions: Positions): Map<string, Tokens>;
  size(): number;
  /** Waits until fewer than `size` events are held; false when they still are not after `ms`. */
  below(size: number, ms: number): Promise<boolean>;
}

/** A queue for each partition of each topic, in the order of offsets, with lookups by id and by scope. */
export const makeUnprojected = (): Unprojected => {
  const queues = new Map<string, Logged[]>();
  const turns = new Map<string, TailTurn>();
  const jobs = new Map<string, NonNullable<Remembered['job']>>();
  const scopes = new Map<string, Users>();
  /** The projector may be faster than the acknowledgement: what it has settled already is not added. */
  let settled: Positions = {};
  let waiting: (() => void)[] = [];
  /** Destroyed keys, and when they were destroyed: an append under one may still be on its way. */
  const erased = new Map<string, number>();
  const size = (): number => {
    let sum = 0;
    for (const queue of queues.values()) sum += queue.length;
    return sum;
  };

  const forget = ({ turn, job }: Logged): void => {
    if (turn) {
      turns.delete(turn.id);
      const users = scopes.get(turn.org);
      const partition = users?.get(turn.user);
      partition?.delete(turn.id);
      if (partition?.size === 0) users!.delete(turn.user);
      if (users?.size === 0) scopes.delete(turn.org);
    }
    if (job) jobs.delete(job.id);
  };
  const erase = (entry: Logged): void => {
    forget(entry);
    delete entry.turn;
    delete entry.job;
  };

  return {
    add: entry => {
      const name = `${entry.topic}/${entry.partition}`;
      if (entry.offset < (settled[name] ?? 0)) return;
      let queue = queues.get(name);
      if (!queue) {
        queue = [];
        queues.set(name, queue);
      }
      queue.push(entry);
      const keyId = (entry.turn ?? entry.job)?.keyId;
      if (keyId !== undefined && erased.has(keyId)) {
        erase(entry);
        return;
      }
      const { turn, job } = entry;
      if (job) jobs.set(job.id, job);
      if (!turn) return;
      turns.set(turn.id, turn);
      let users = scopes.get(turn.org);
      if (!users) {
        users = new Map();
        scopes.set(turn.org, users);
      }
      const partition = users.get(turn.user);
      if (partition) partition.set(turn.id, turn);
      else users.set(turn.user, new Map([[turn.id, turn]]));
    },
    projected: positions => {
      settled = positions;
      for (const [name, queue] of queues) {
        const position = positions[name] ?? 0;
        const end = queue.findIndex(entry => entry.offset >= position);
        for (const entry of queue.splice(0, end < 0 ? queue.length : end)) forget(entry);
      }
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    turn: id => turns.get(id),
    turns: scope => {
      const users = scopes.get(scope.org);
      const found: TailTurn[] = [];
      for (const partition of scope.user === undefined ? (users?.values() ?? []) : [users?.get(scope.user)]) {
        for (const turn of partition?.values() ?? []) if (matchesScope(scope, turn)) found.push(turn);
      }
      return found;
    },
    job: id => jobs.get(id),
    erase: (org, user, keyIds) => {
      const now = performance.now();
      for (const [keyId, since] of erased) if (now - since > REMEMBERED_MS) erased.delete(keyId);
      for (const keyId of keyIds) erased.set(keyId, now);
      for (const queue of queues.values()) {
        for (const entry of queue) {
          const held = entry.turn ?? entry.job;
          if (entry.org === org && held?.user === user && erased.has(held.keyId)) erase(entry);
        }
      }
    },
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
    below: async (most, ms) => {
      for (const late = performance.now() + ms; size() >= most; ) {
        const left = late - performance.now();
        if (left <= 0) return false;
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, left);
          waiting.push(() => {
            clearTimeout(timer);
            resolve();
          });
        });
      }
      return true;
    },
  };
};
