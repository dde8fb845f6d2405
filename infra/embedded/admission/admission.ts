import { unavailable } from '../../../services/core/errors.ts';
import type { Admission, Logged, Tokens, UsageReader } from '../../../services/core/ports.ts';
import { utcDay } from '../../../services/core/time.ts';
import { bytesOfId } from '../index/projections-database.ts';
import type { ProjectionsReader } from '../index/projections-reader.ts';
import { makeAttempts } from './attempts.ts';
import { openBilledCounters } from './billed-counters.ts';
import type { Unprojected } from './unprojected.ts';

const WAIT_MS = 5_000;
/** Events that the projector may be behind: they are held in memory. Two seconds at 6,000 turns a second. */
export const MOST_UNPROJECTED = 12_000;
/** A write waits this long for the projector before it is refused: overload becomes latency first. */
const WAIT_FOR_PROJECTOR_MS = 2_000;

const NONE: Tokens = { tokensIn: 0, tokensOut: 0 };

export interface EmbeddedAdmission extends Admission, UsageReader {
  forgetDaysBefore(day: string): void;
  isBilled(eventId: string): boolean;
  /** Adds an event that was appended without `admit`: known and billed from now on. */
  learn(logged: Logged): void;
}

/**
 * Admission of one process over its own log. A turn is known when it is in the projections' file or among the
 * events that the file has not settled; it is claimed while an attempt of this process holds it. So no claim
 * can outlive its process, disagree with the log or expire, and nothing has to be written before the append
 * (docs/adr/0003). `admit` decides in one synchronous step over one read transaction: two calls can't both
 * find a turn fresh.
 */
export const openAdmission = (
  reader: ProjectionsReader,
  unprojected: Unprojected,
  /** Events that may wait for the projector. */
  mostUnprojected: () => number = () => MOST_UNPROJECTED,
): EmbeddedAdmission => {
  const findFragment = reader.prepare('SELECT kind FROM fragments WHERE id = ?');
  const billedRow = reader.prepare('SELECT 1 FROM usage_rows WHERE id = ?');
  const counters = openBilledCounters(reader, unprojected);
  const attempts = makeAttempts();

  const end = (id: string): void => {
    const ended = attempts.end(id);
    if (ended) counters.of(ended.org, ended.day).reserved -= ended.tokensIn;
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

  return {
    admit: async request => {
      if (!request.recall && !(await unprojected.below(mostUnprojected(), WAIT_FOR_PROJECTOR_MS))) {
        throw unavailable('The projections are too far behind to take more turns.', undefined, 2);
      }
      const deadline = performance.now() + WAIT_MS;
      for (let other = attempts.holder(request); other; other = attempts.holder(request))
        await attempts.waitFor(other, deadline);
      // Nothing is awaited from the last look at the claims on, or another call could claim the same turns.

      const fresh = new Map<string, number>();
      const inactive = new Set<string>();
      for (const { id, tokens } of request.claims) {
        const active = knownActive(id);
        if (active === undefined) fresh.set(id, tokens);
        else if (!active) inactive.add(id);
      }
      const { org, recordedAt, caps } = request;
      const day = utcDay(recordedAt);
      const counter = counters.of(org, day);
      const tokensIn = request.tokensIn + [...fresh.values()].reduce((sum, tokens) => sum + tokens, 0);
      const used = counter.tokensIn + counter.reserved;
      if (caps.tokensIn > 0 && tokensIn > 0 && used + tokensIn > caps.tokensIn) {
        return { kind: 'refused', cap: 'tokens_in_daily', used: counter.tokensIn, limit: caps.tokensIn };
      }
      if (request.recall && caps.tokensOut > 0 && counter.tokensOut >= caps.tokensOut) {
        return { kind: 'refused', cap: 'tokens_out_daily', used: counter.tokensOut, limit: caps.tokensOut };
      }
      const id = attempts.begin({ org, day, claims: fresh, tokensIn });
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
      const counter = counters.of(org, day);
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
    billed: async (org, from, to) => counters.billed(org, from, to),
    daily: async (org, from, to) => counters.daily(org, from, to),
    isBilled: eventId =>
      (eventId.startsWith('trn_') && findFragment.get(bytesOfId(eventId)!) !== undefined) ||
      billedRow.get(eventId) !== undefined,
    learn: logged => {
      const { id, org, day, tokens } = logged;
      unprojected.add(logged);
      // A counter that was not read yet will include the event.
      const counter = counters.known(org, day);
      if (!counter || attempts.isClaimed(id)) return;
      counter.tokensIn += tokens.tokensIn;
      counter.tokensOut += tokens.tokensOut;
    },
    forgetDaysBefore: counters.forgetDaysBefore,
  };
};
