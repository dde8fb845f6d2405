import { unavailable } from '../../../core/errors.ts';
import { DEFAULT_OPTIONS } from '../../../core/ports/admission/admission.ts';
import type {
  Admission,
  AdmitRequest,
  Admitted,
  Logged,
  Remembered,
  Tokens,
  UsageReader,
} from '../../../core/ports.ts';
import { utcDay } from '../../../core/time.ts';
import type { DiskRoom } from '../disk-room.ts';
import type { ProjectionsReader } from '../index/read/projections-reader.ts';
import { type Attempt, makeAttempts, type RunningAttempt } from './attempts.ts';
import { type Counter, openBilledCounters } from './billed-counters.ts';
import { makeDecideInRound } from './decide-in-round.ts';
import { openKnownTurns } from './known-turns.ts';
import type { TailBound, Unsettled } from './unsettled.ts';

const WAIT_MS = 5_000;
/**
 * How far the projector may lag; the events it lacks are held in memory. Two seconds at 6,000 turns per
 * second, or of the largest writes.
 */
export const MOST_UNSETTLED: TailBound = { events: 12_000, bytes: 64 * 1024 * 1024 };
/** How long a write waits for the projector before it is refused: overload causes latency first. */
const WAIT_FOR_PROJECTOR_MS = 2_000;

/** The share of the disk's reserve that recalls leave alone. */
const RESERVED_FROM_RECALLS = 0.25;

const NONE: Tokens = { tokensIn: 0, tokensOut: 0 };

export interface EmbeddedAdmission extends Admission, UsageReader {
  forgetDaysBefore(day: string): void;
  isBilled(eventId: string): boolean;
  /** Reads all counters again, since the file that they came from was damaged. */
  reread(): void;
  /** Adds an event that was appended without `admit`: from now on it is known and billed. */
  learn(logged: Logged): void;
}

/** `full`: the disk has less than its reserve, and the call would store new data. */
type Decided = Admitted | { kind: 'held'; by: RunningAttempt } | { kind: 'full'; shortage: string };

/**
 * Opens admission for a single process with its own log. A turn is known if it is in the projections' file or
 * among the events that the file has not settled; it is claimed while an attempt of this process holds it. So
 * no claim can outlive its process, disagree with the log or expire, and nothing has to be written before the
 * append (docs/internals/decisions/engines/0003). The calls of a round are decided in one synchronous step:
 * two of them can't both find a turn fresh.
 */
export const openAdmission = (
  reader: ProjectionsReader,
  unsettled: Unsettled,
  /** Returns the most that may wait for the projector. */
  mostUnsettled: () => TailBound = () => MOST_UNSETTLED,
  shortage: DiskRoom['shortage'] = () => undefined,
): EmbeddedAdmission => {
  const known = openKnownTurns(reader, unsettled);
  const counters = openBilledCounters(reader, unsettled);
  const attempts = makeAttempts();

  /**
   * Claims the fresh turns and reserves their tokens, or changes nothing. `activeOf`: the known turns, with
   * whether they have a fragment.
   */
  const decide = (request: AdmitRequest, activeOf: ReadonlyMap<string, boolean>): Decided => {
    const by = attempts.holder(request);
    if (by) return { kind: 'held', by };
    const { org, recordedAt, recall, metadataTokens = 0, options = DEFAULT_OPTIONS } = request;
    const fresh = new Map<string, number>();
    const inactive = new Set<string>();
    for (const { id, tokens } of request.claims) {
      const active = activeOf.get(id);
      if (active === undefined) fresh.set(id, fresh.size === 0 ? tokens + metadataTokens : tokens);
      else if (!active) inactive.add(id);
    }
    const day = utcDay(recordedAt);
    const counter = counters.of(org, day);
    const tokensIn = request.tokensIn + [...fresh.values()].reduce((sum, tokens) => sum + tokens, 0);
    const refused = refusal(request, tokensIn, counter);
    if (refused) return refused;
    // Retries of known turns store nothing. Recalls continue, since people need them most then, but their
    // bills leave the last of the reserve to what takes data away.
    const full = fresh.size > 0 ? shortage() : recall && shortage(RESERVED_FROM_RECALLS);
    if (full !== undefined) return { kind: 'full', shortage: full };
    counter.reserved += tokensIn;
    return {
      kind: 'admitted',
      attempt: attempts.begin({ org, day, claims: fresh, tokensIn }),
      fresh: new Map([...fresh].map(([turn, tokens]) => [turn, { ...options, recordedAt, tokens }])),
      inactive,
      tail: recall && recall.asOf === undefined ? unsettled.turns(recall) : [],
    };
  };

  const decideInRound = makeDecideInRound(known, decide);

  const end = (id: string): void => {
    const ended = attempts.end(id);
    if (ended) counters.of(ended.org, ended.day).reserved -= ended.tokensIn;
  };

  return {
    admit: async request => {
      const events = request.claims.length + 1;
      const hasRoom = () => unsettled.below(mostUnsettled(), WAIT_FOR_PROJECTOR_MS, request.org, events);
      if (!request.recall && !(await hasRoom())) {
        throw unavailable('The projections are too far behind to take more turns.', undefined, 2);
      }
      const deadline = performance.now() + WAIT_MS;
      for (;;) {
        const decided = await decideInRound(request);
        if (decided.kind === 'full')
          throw unavailable('The disk is nearly full: nothing new is stored.', decided.shortage, 5);
        if (decided.kind !== 'held') return decided;
        await attempts.waitFor(decided.by, deadline);
      }
    },

    remember: async (id, remembered) => {
      const attempt = attempts.get(id);
      if (!attempt) return new Map();
      const counter = counters.of(attempt.org, attempt.day);
      for (const event of eventsOf(id, attempt, remembered)) {
        unsettled.add(event);
        bill(counter, event.tokens);
      }
      end(id);
      return new Map(remembered.turns.map(turn => [turn.id, attempt.claims.get(turn.id) ?? 0]));
    },

    release: async id => {
      end(id);
    },
    // The writer answers every append, unless it ends, and the process with it. Records that it stored are in
    // this process's own log, so the next attempt finds them in the projections.
    leave: async id => {
      end(id);
    },
    tail: async scope => unsettled.turns(scope),
    waiting: async (org, user, turnIds) =>
      turnIds.flatMap(id => {
        const turn = unsettled.turn(id);
        return turn?.org === org && turn.user === user ? [turn] : [];
      }),
    erase: async (org, user) => unsettled.erase(org, user),
    drop: async (_org, _user, turnId) => unsettled.drop(turnId),
    job: async (org, id) => {
      const job = unsettled.job(id);
      return job?.org === org ? job : undefined;
    },
    billed: async (org, from, to) => counters.billed(org, from, to),
    daily: async (org, from, to) => counters.daily(org, from, to),
    isBilled: known.isBilled,
    reread: counters.reread,
    learn: logged => {
      unsettled.add(logged);
      // A counter that was not read yet will include the event when it is read.
      const counter = counters.known(logged.org, logged.day);
      if (counter && !attempts.isClaimed(logged.id)) bill(counter, logged.tokens);
    },
    forgetDaysBefore: counters.forgetDaysBefore,
  };
};

/**
 * Returns the refusal for the cap that the call would exceed. Reserved tokens count against it, but are not
 * reported as used.
 */
const refusal = (
  { caps, recall }: AdmitRequest,
  tokensIn: number,
  counter: Counter,
): Extract<Admitted, { kind: 'refused' }> | undefined => {
  const used = counter.tokensIn + counter.reserved;
  if (caps.tokensIn > 0 && tokensIn > 0 && used + tokensIn > caps.tokensIn) {
    return { kind: 'refused', cap: 'tokens_in_daily', used: counter.tokensIn, limit: caps.tokensIn };
  }
  if (recall && caps.tokensOut > 0 && counter.tokensOut >= caps.tokensOut) {
    return { kind: 'refused', cap: 'tokens_out_daily', used: counter.tokensOut, limit: caps.tokensOut };
  }
  return undefined;
};

const bill = (counter: Counter, { tokensIn, tokensOut }: Tokens): void => {
  counter.tokensIn += tokensIn;
  counter.tokensOut += tokensOut;
};

/**
 * Returns the events that an append wrote to the log. A write's own event precedes its turns there, and the
 * queues keep log order.
 */
const eventsOf = (
  attempt: string,
  { org, day, claims }: Attempt,
  { job, turns, recall }: Remembered,
): Logged[] => {
  const common = { attempt, org, day };
  const events: Logged[] = [];
  if (job) {
    const { id, partition, offset } = job;
    events.push({ ...common, id, topic: 'turns', partition, offset, tokens: NONE, job });
  }
  for (const turn of turns) {
    const { id, partition, offset } = turn;
    const tokens = { tokensIn: claims.get(id) ?? 0, tokensOut: 0 };
    events.push({ ...common, id, topic: 'turns', partition, offset, tokens, turn });
  }
  if (recall) {
    const { id, partition, offset, ...tokens } = recall;
    events.push({ ...common, id, topic: 'usage', partition, offset, tokens });
  }
  return events;
};
