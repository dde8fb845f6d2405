import { unavailable } from '../../../services/core/errors.ts';
import type {
  Admission,
  AdmitRequest,
  Logged,
  Positions,
  Tokens,
  UsageReader,
} from '../../../services/core/ports.ts';
import { positionsOf, READ_POSITIONS } from '../index/positions.ts';
import { bytesOfId } from '../index/projections-database.ts';
import type { ProjectionsReader } from '../index/projections-reader.ts';
import type { Unprojected } from './unprojected.ts';

const WAIT_MS = 5_000;
/** Events that the projector may be behind: they are held in memory. Two seconds at 6,000 turns a second. */
export const MOST_UNPROJECTED = 12_000;
/** A write waits this long for the projector before it is refused: overload becomes latency first. */
const WAIT_FOR_PROJECTOR_MS = 2_000;

const NONE: Tokens = { tokensIn: 0, tokensOut: 0 };

interface Attempt {
  org: string;
  day: string;
  claims: Map<string, number>;
  tokensIn: number;
  /** Resolves when the attempt is over, whatever its outcome. */
  over: Promise<void>;
  end: () => void;
}

export interface EmbeddedAdmission extends Admission, UsageReader {
  forgetDaysBefore(day: string): void;
  isBilled(eventId: string): boolean;
  /** Adds an event that was appended without `admit`: known and billed from now on. */
  learn(logged: Logged): void;
}

/**
 * Admission of one process over its own log. A turn is known when it is in the projections' file or among the events
 * that the file has not settled; it is claimed while an attempt of this process holds it. So no claim can outlive its
 * process, disagree with the log or expire, and nothing has to be written before the append (docs/adr/0003).
 * `admit` decides in one synchronous step over one read transaction: two calls can't both find a turn fresh.
 */
export const openAdmission = (
  reader: ProjectionsReader,
  unprojected: Unprojected,
  /** Events that may wait for the projector. */
  mostUnprojected: () => number = () => MOST_UNPROJECTED,
): EmbeddedAdmission => {
  const findFragment = reader.prepare('SELECT kind FROM fragments WHERE id = ?');
  const days = reader.prepare(
    'SELECT day, tokens_in AS tokensIn, tokens_out AS tokensOut FROM usage_days WHERE org = ? AND day BETWEEN ? AND ?',
  );
  const billedRow = reader.prepare('SELECT 1 FROM usage_rows WHERE id = ?');
  const readPositions = reader.prepare(READ_POSITIONS);

  const claimed = new Map<string, Attempt>();
  const attempts = new Map<string, Attempt>();
  /** Billed tokens by organization and day: read once, then updated by every `remember` of this process. */
  const billed = new Map<string, Tokens & { reserved: number }>();
  let number = 0;

  const snapshot = <T>(read: (positions: Positions) => T): T => {
    reader.exec('BEGIN');
    try {
      return read(positionsOf(readPositions.all()));
    } finally {
      reader.exec('COMMIT');
    }
  };

  const readDaily = (org: string, from: string, to: string): Map<string, Tokens> =>
    snapshot(positions => {
      const daily = unprojected.tokens(org, from, to, positions);
      for (const { day, tokensIn, tokensOut } of days.all(org, from, to)) {
        const rest = daily.get(String(day)) ?? NONE;
        daily.set(String(day), {
          tokensIn: Number(tokensIn) + rest.tokensIn,
          tokensOut: Number(tokensOut) + rest.tokensOut,
        });
      }
      return daily;
    });

  const readBilled = (org: string, from: string, to: string): Tokens => {
    const sum = { ...NONE };
    for (const { tokensIn, tokensOut } of readDaily(org, from, to).values()) {
      sum.tokensIn += tokensIn;
      sum.tokensOut += tokensOut;
    }
    return sum;
  };

  const counterOf = (org: string, day: string) => {
    const name = `${day}\n${org}`;
    let counter = billed.get(name);
    if (!counter) {
      counter = { ...readBilled(org, day, day), reserved: 0 };
      billed.set(name, counter);
    }
    return counter;
  };

  const end = (id: string): Attempt | undefined => {
    const attempt = attempts.get(id);
    if (!attempt) return undefined;
    attempts.delete(id);
    for (const claim of attempt.claims.keys()) claimed.delete(claim);
    counterOf(attempt.org, attempt.day).reserved -= attempt.tokensIn;
    attempt.end();
    return attempt;
  };

  /** The attempt that holds one of the claims; undefined when none does. */
  const holder = (request: AdmitRequest): Attempt | undefined => {
    for (const { id } of request.claims) {
      const attempt = claimed.get(id);
      if (attempt) return attempt;
    }
    return undefined;
  };

  /** Whether a known turn has a fragment; undefined when the turn isn't known. */
  const knownActive = (id: string): boolean | undefined => {
    const recent = unprojected.turn(id);
    if (recent) return recent.active;
    const row = findFragment.get(bytesOfId(id)!);
    // An erased turn stays known: a client may still write under its key.
    if (!row) return billedRow.get(id) ? false : undefined;
    return Number(row.kind) === 0;
  };

  const waitFor = async (attempt: Attempt, deadline: number): Promise<void> => {
    const timer = { id: undefined as NodeJS.Timeout | undefined };
    const late = new Promise<never>((_, reject) => {
      timer.id = setTimeout(
        () => reject(unavailable('Another request is still writing the same turns.')),
        Math.max(deadline - performance.now(), 0),
      );
    });
    await Promise.race([attempt.over, late]).finally(() => clearTimeout(timer.id));
  };

  return {
    admit: async request => {
      if (!request.recall && !(await unprojected.below(mostUnprojected(), WAIT_FOR_PROJECTOR_MS))) {
        throw unavailable('The projections are too far behind to take more turns.', undefined, 2);
      }
      const deadline = performance.now() + WAIT_MS;
      for (let other = holder(request); other; other = holder(request)) await waitFor(other, deadline);

      const fresh = new Map<string, number>();
      const inactive = new Set<string>();
      for (const { id, tokens } of request.claims) {
        const active = knownActive(id);
        if (active === undefined) fresh.set(id, tokens);
        else if (!active) inactive.add(id);
      }
      const { org, recordedAt, caps } = request;
      const day = new Date(recordedAt).toISOString().slice(0, 10);
      const counter = counterOf(org, day);
      const tokensIn = request.tokensIn + [...fresh.values()].reduce((sum, tokens) => sum + tokens, 0);
      const used = counter.tokensIn + counter.reserved;
      if (caps.tokensIn > 0 && tokensIn > 0 && used + tokensIn > caps.tokensIn) {
        return { kind: 'refused', cap: 'tokens_in_daily', used: counter.tokensIn, limit: caps.tokensIn };
      }
      if (request.recall && caps.tokensOut > 0 && counter.tokensOut >= caps.tokensOut) {
        return { kind: 'refused', cap: 'tokens_out_daily', used: counter.tokensOut, limit: caps.tokensOut };
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const attempt: Attempt = { org, day, claims: fresh, tokensIn, over: promise, end: resolve };
      const id = String(++number);
      attempts.set(id, attempt);
      for (const id of fresh.keys()) claimed.set(id, attempt);
      counter.reserved += tokensIn;
      return {
        kind: 'admitted',
        attempt: id,
        fresh: new Map([...fresh.keys()].map(turn => [turn, recordedAt])),
        inactive,
        tail: request.recall && request.recall.asOf === undefined ? unprojected.turns(request.recall) : [],
      };
    },

    remember: async (id, { turns, job, recall }) => {
      const attempt = attempts.get(id);
      if (!attempt) return new Set();
      const { org, day, claims } = attempt;
      const common = { attempt: id, org, day };
      const counter = counterOf(org, day);
      // A write's own event precedes its turns in the log, and the queues keep the log's order.
      if (job) {
        const { partition, offset } = job;
        unprojected.add({ ...common, id: job.id, topic: 'turns', partition, offset, tokens: NONE, job });
      }
      for (const turn of turns) {
        const tokens = { tokensIn: claims.get(turn.id) ?? 0, tokensOut: 0 };
        const { partition, offset } = turn;
        unprojected.add({ ...common, id: turn.id, topic: 'turns', partition, offset, tokens, turn });
        counter.tokensIn += tokens.tokensIn;
      }
      if (recall) {
        const { id: event, partition, offset, ...tokens } = recall;
        unprojected.add({ ...common, id: event, topic: 'usage', partition, offset, tokens });
        counter.tokensIn += tokens.tokensIn;
        counter.tokensOut += tokens.tokensOut;
      }
      end(id);
      return new Set(turns.map(turn => turn.id));
    },

    release: async id => {
      end(id);
    },
    tail: async scope => unprojected.turns(scope),
    erase: async (org, user, keyIds) => unprojected.erase(org, user, keyIds),
    job: async (org, id) => {
      const job = unprojected.job(id);
      return job?.org === org ? job : undefined;
    },
    billed: async (org, from, to) => readBilled(org, from, to),
    daily: async (org, from, to) => readDaily(org, from, to),
    isBilled: eventId =>
      (eventId.startsWith('trn_') && findFragment.get(bytesOfId(eventId)!) !== undefined) ||
      billedRow.get(eventId) !== undefined,
    learn: logged => {
      const { id, org, day, tokens } = logged;
      unprojected.add(logged);
      // A counter that was not read yet will include the event.
      const counter = billed.get(`${day}\n${org}`);
      if (!counter || claimed.has(id)) return;
      counter.tokensIn += tokens.tokensIn;
      counter.tokensOut += tokens.tokensOut;
    },
    forgetDaysBefore: day => {
      for (const [name, { reserved }] of billed) if (name < day && reserved === 0) billed.delete(name);
    },
  };
};
