import { ServiceError } from '../../../core/errors.ts';
import { makeFairQueue } from '../../../core/fairness/fair-queue.ts';
import { makeShares } from '../../../core/fairness/shares.ts';
import { positionsIn } from '../../../core/log/positions.ts';
import type { EventLog, ExportChunk, ExportChunks, Positions } from '../../../core/ports.ts';
import type { Condition } from '../../../domain/filter/condition.ts';
import { type LivingPorts, makeLivingLines } from '../lists/living-lines.ts';
import type { HorizonOf } from '../lists/living-tail.ts';
import { EXPORTED } from './chunk.ts';
import { FORMAT, FORMAT_VERSION, type Header, type Trailer } from './export-format.ts';

/**
 * Chunks that are read at a time. The other exports wait; those of an organization with few of them wait the
 * shortest.
 */
const AT_A_TIME = 2;
/** Exports under way in a process, most of which wait for their clients. */
const MOST_OPEN = 16;
const RETRY_AFTER_SECONDS = 30;

export interface ExportPorts {
  log: Pick<EventLog, 'ends'>;
  exportChunks: ExportChunks;
  /** Offsets below which the organization has no events. */
  beganAt: (org: string) => Promise<Positions>;
  horizonOf: HorizonOf;
  listing: LivingPorts['listing'];
  /** Unix milliseconds. */
  clock: () => number;
}

/** Lines of the file, each a JSON object. */
export type Export = (org: string, signal: AbortSignal, filter?: Condition) => AsyncGenerator<string[]>;

/** An export ends with an error, so that a part can't be mistaken for the whole. */
const brokenOff =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    throw signal.aborted ? new ServiceError('unavailable', 'The export was broken off.') : error;
  };

/**
 * An organization's events as recorded, decrypted, from where the organization began up to the current end of
 * the log: topic by topic, partition by partition, in the log's order, including second copies. Erased,
 * hidden or expired events are exported only as what they billed. Events that hide others are read first,
 * since they come after what they hide; a title and corrections of names are exported as far as they still
 * stand. Throws `rate_limited` or `unavailable` when too many exports are
 * under way.
 */
export const makeExport = ({
  log,
  exportChunks,
  beganAt,
  horizonOf,
  listing,
  clock,
}: ExportPorts): Export => {
  const shares = makeShares(MOST_OPEN, 'exports', RETRY_AFTER_SECONDS);
  const turns = makeFairQueue({ slots: AT_A_TIME });
  return async function* (org, signal, filter) {
    const giveBack = shares.take(org);
    try {
      const to = positionsIn(await log.ends(), EXPORTED.topics);
      const began = await beganAt(org);
      const horizon = await horizonOf(org);
      const exported_at = new Date(clock()).toISOString();
      yield [
        JSON.stringify({
          format: FORMAT,
          version: FORMAT_VERSION,
          org_id: org,
          exported_at,
        } satisfies Header),
      ];
      const chunksOf = async function* (
        hidden: ReadonlySet<string> | undefined,
      ): AsyncGenerator<ExportChunk> {
        let from = began;
        for (let isLast = false; !isLast; ) {
          const chunk = await turns
            .run(org, () => exportChunks({ org, from, to, hidden, filter, horizon }), signal)
            .catch(brokenOff(signal));
          ({ next: from, isLast } = chunk);
          yield chunk;
        }
      };
      const hidden = new Set<string>();
      for await (const chunk of chunksOf(undefined)) for (const id of chunk.hidden) hidden.add(id);
      const count = { events: 0, billed: 0 };
      const living = makeLivingLines({ listing }, org);
      for await (const { lines: all, billed } of chunksOf(hidden)) {
        const lines = await living(all);
        count.events += lines.length;
        count.billed += billed.length;
        if (lines.length + billed.length > 0) yield [...lines, ...billed];
      }
      yield [JSON.stringify({ end: true, ...count } satisfies Trailer)];
    } finally {
      giveBack();
    }
  };
};
