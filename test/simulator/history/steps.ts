/** The steps of a history: plain data, so that a failing one can be made shorter and run again. */

import type { Disk } from '../machine/fate.ts';
import { type Random, randomOf } from '../machine/random.ts';
import { type Lost, ORGS } from '../world/world.ts';

export interface Scope {
  org: string;
  user: string;
  session: string;
}

/** A call of a client. Turns, statements and titles are named by numbers, from which their words follow. */
export type Call =
  | { op: 'write'; scope: Scope; turns: readonly number[]; ttlMs?: number }
  /** Somebody lives at a place that no one else names. */
  | { op: 'say'; scope: Scope; said: number }
  | { op: 'retract'; org: string; of: number }
  | { op: 'erase'; org: string; user: string; session?: string }
  | { op: 'title'; scope: Scope; title: number }
  /** The user's own name. */
  | { op: 'name'; org: string; user: string; name: number }
  /** A statement, or what it was corrected to, is corrected to another. */
  | { op: 'correct'; org: string; of: number; to: number }
  /** Asks for the words of a turn. `receipt`: the number of the receipt that is kept of it. */
  | { op: 'recall'; org: string; user: string; of: number; receipt?: number }
  // Feedback on its hits isn't among the calls: it is stored as a title is.
  | { op: 'receipt'; of: number }
  | { op: 'list'; org: string; user: string }
  | { op: 'usage'; org: string }
  | { op: 'quota'; org: string; tokens: number }
  /** null: for ever. */
  | { op: 'retention'; org: string; days: number | null };

export type Event =
  /** The process runs on, or its clock alone jumps. */
  | { op: 'pass'; ms: number }
  | { op: 'jump'; ms: number }
  /** The process ends at its n-th call of a port from now, or once the next call has ended. */
  | { op: 'kill'; after: number; lost: Lost }
  | { op: 'disk'; part: Disk; calls: number }
  /** The projectors and the enricher stand still until they are let go. */
  | { op: 'hold' }
  | { op: 'go' }
  | { op: 'replay' }
  | { op: 'rollback' }
  /** All must be as the model has it. */
  | { op: 'look' };

export type Step = (Call | Event) & {
  /** Draws which of the calls under way overtakes which. */
  salt: number;
  /** Begins without waiting for the calls before it. */
  beside?: true;
};

export const USERS = ['ada', 'grace', 'linus'];
/** The first and the last are in one partition of the log, the second is in another. */
const SESSIONS = ['s1', 's2', 's5'];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Written {
  n: number;
  kind: 'turn' | 'said';
  scope: Scope;
}

/** The numbers that a history has used, so that it can name them again. */
interface Past {
  next: number;
  written: Written[];
  receipts: number[];
}

const scopeOf = ({ pick }: Random): Scope => ({
  org: pick(ORGS),
  user: pick(USERS),
  session: pick(SESSIONS),
});

const write = (random: Random, past: Past): Call => {
  const sent = past.written.filter(({ kind }) => kind === 'turn');
  const known = sent.length > 0 && random.chance(0.35) ? random.pick(sent) : undefined;
  const scope = known?.scope ?? scopeOf(random);
  const isSame = ({ scope: of }: Written): boolean =>
    of.org === scope.org && of.user === scope.user && of.session === scope.session;
  const turns: number[] = known ? [known.n] : [];
  for (let more = random.chance(0.3) ? random.int(4) : known ? 0 : 1; more > 0; more--) {
    const again = random.chance(0.2) ? sent.filter(isSame) : [];
    const n = again.length > 0 ? random.pick(again).n : past.next++;
    turns.push(n);
    if (again.length === 0) past.written.push({ n, kind: 'turn', scope });
  }
  if (turns.length === 0) turns.push(past.next++);
  for (const n of turns)
    if (!past.written.some(one => one.n === n)) past.written.push({ n, kind: 'turn', scope });
  if (random.chance(0.1)) turns.push(turns[0]!);
  const ttlMs = random.chance(0.12) ? random.pick([2_000, 20 * MINUTE, 3 * HOUR]) : undefined;
  return { op: 'write', scope, turns, ...(ttlMs !== undefined && { ttlMs }) };
};

const say = (random: Random, past: Past): Call => {
  const scope = scopeOf(random);
  const said = past.next++;
  past.written.push({ n: said, kind: 'said', scope });
  return { op: 'say', scope, said };
};

const onWritten = (random: Random, past: Past, make: (one: Written) => Call | Event): Call | Event =>
  past.written.length === 0 ? write(random, past) : make(random.pick(past.written));

const correct = (random: Random, past: Past): Call => {
  const said = past.written.filter(({ kind }) => kind === 'said');
  if (said.length === 0) return say(random, past);
  const { n, scope } = random.pick(said);
  const to = past.next++;
  past.written.push({ n: to, kind: 'said', scope });
  return { op: 'correct', org: scope.org, of: n, to };
};

const recall = (random: Random, past: Past): Call | Event =>
  onWritten(random, past, ({ n, scope: { org, user } }) => {
    const asked = { op: 'recall' as const, org, user, of: n };
    if (!random.chance(0.4)) return asked;
    const receipt = past.next++;
    past.receipts.push(receipt);
    return { ...asked, receipt };
  });

const receipt = (random: Random, past: Past): Call | Event =>
  past.receipts.length === 0 ? recall(random, past) : { op: 'receipt', of: random.pick(past.receipts) };

/** Each kind with how often it happens, in parts of all of them. */
const KINDS: readonly [number, (random: Random, past: Past) => Call | Event][] = [
  [30, write],
  [7, say],
  [7, (r, past) => onWritten(r, past, ({ n, scope: { org } }) => ({ op: 'retract', org, of: n }))],
  [
    3,
    r => {
      const { org, user, session } = scopeOf(r);
      return r.chance(0.5) ? { op: 'erase', org, user } : { op: 'erase', org, user, session };
    },
  ],
  [3, (r, past) => ({ op: 'title', scope: scopeOf(r), title: past.next++ })],
  [2, (r, past) => ({ op: 'name', org: r.pick(ORGS), user: r.pick(USERS), name: past.next++ })],
  [4, correct],
  [9, recall],
  [4, receipt],
  [7, r => ({ op: 'list', org: r.pick(ORGS), user: r.pick(USERS) })],
  [6, r => ({ op: 'usage', org: r.pick(ORGS) })],
  [1, r => ({ op: 'quota', org: r.pick(ORGS), tokens: r.pick([200, 2_000, 1_000_000]) })],
  [1, r => ({ op: 'retention', org: r.pick(ORGS), days: r.pick([1, 20, 40, null]) })],
  [10, r => ({ op: 'pass', ms: r.pick([10, 200, 1_000, 5_000, 30_000]) })],
  // As long as a quarantine, and as what waits for calls that still have a key in hand.
  [0.5, () => ({ op: 'pass', ms: 8 * MINUTE })],
  [0.1, () => ({ op: 'pass', ms: 40 * MINUTE })],
  [
    2,
    r => ({
      op: 'jump',
      ms: r.pick([-26 * HOUR, -HOUR, -1_000, 1_000, 25 * MINUTE, 4 * HOUR, 26 * HOUR, 30 * 24 * HOUR]),
    }),
  ],
  [
    2.5,
    r => ({
      op: 'kill',
      after: 1 + r.int(40),
      lost: r.pick<Lost>(['nothing', 'nothing', 'unsynced', 'projections']),
    }),
  ],
  [3, r => ({ op: 'disk', part: r.pick<Disk>(['log', 'store', 'reads']), calls: 1 + r.int(3) })],
  [3, () => ({ op: 'hold' })],
  [5, () => ({ op: 'go' })],
  [0.3, () => ({ op: 'replay' })],
  [0.3, () => ({ op: 'rollback' })],
  [0.8, () => ({ op: 'look' })],
];
const ALL = KINDS.reduce((sum, [share]) => sum + share, 0);

const kindAt = (at: number): (typeof KINDS)[number][1] => {
  let sum = 0;
  for (const [share, make] of KINDS) {
    sum += share;
    if (at < sum) return make;
  }
  return write;
};

/** Calls that may begin before the calls before them have ended. */
const BESIDE = new Set<string>([
  'write',
  'say',
  'retract',
  'erase',
  'title',
  'name',
  'correct',
  'recall',
  'receipt',
  'list',
  'usage',
] satisfies Call['op'][]);

export const isCall = (step: Call | Event): step is Call =>
  BESIDE.has(step.op) || step.op === 'quota' || step.op === 'retention';

/** The history of a seed: the same steps whenever it is asked for. It ends with a look. */
export const stepsOf = (seed: number, count: number): Step[] => {
  const random = randomOf(seed);
  const past: Past = { next: 1, written: [], receipts: [] };
  const steps = Array.from({ length: count - 1 }, (): Step => {
    const step = kindAt(random.next() * ALL)(random, past);
    const salt = random.int(2 ** 31);
    return BESIDE.has(step.op) && random.chance(0.25) ? { ...step, salt, beside: true } : { ...step, salt };
  });
  return [...steps, { op: 'look', salt: 0 }];
};

/** One line for a person: what would be written to repeat it. */
export const lineOf = (step: Step): string => JSON.stringify(step);
