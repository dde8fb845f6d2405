import { ServiceError } from '../../../core/errors.ts';
import type { ReplayMessage } from '../../../core/operator/replay-messages.ts';
import type { Generations, Replay, ReplayOutcome } from '../../../core/ports/projection/generations.ts';
import { notPromoted } from './conflicts.ts';
import { makeProgressReport } from './rate.ts';

/** Verification found differences; the replay itself did not fail. */
class Refused extends Error {}

const clock = (): number => performance.now();

/** Builds the generation and compares it with the log. Throws `Refused` when they differ. */
async function* buildVerified(
  replay: Replay,
  report: ReturnType<typeof makeProgressReport>,
): AsyncGenerator<ReplayMessage> {
  let events = 0;
  for await (const message of report(replay.build())) {
    if (message.kind === 'progress') events = message.total;
    yield message;
  }
  yield {
    kind: 'progress',
    phase: 'verifying',
    events,
    total: events,
    eventsPerSecond: 0,
    secondsLeft: null,
  };
  const { rows, differences } = await replay.verify();
  yield { kind: 'verified', rows, differences };
  if (differences > 0) throw new Refused(`it differs from the log in ${differences} of ${rows} rows`);
}

/**
 * Builds a generation from the log's first event, or continues an interrupted one, beside the serving
 * generation. Promotes it when it does not differ from the log. Ends early when `signal` is aborted: the next
 * replay continues there. Throws `conflict` when another replay runs, and when the generation was not
 * promoted.
 */
export async function* replayGeneration(
  generations: Pick<Generations, 'begin'>,
  options: { throttle: number | undefined },
  signal: AbortSignal,
): AsyncGenerator<ReplayMessage> {
  const started = clock();
  let replay: Replay | undefined;
  let outcome: ReplayOutcome = 'interrupted';
  try {
    replay = await generations.begin(options, signal);
    const generation = replay.plan.generation.number;
    if (!replay.isVerified) yield { kind: 'plan', ...replay.plan, dryRun: false };
    const report = makeProgressReport(clock);
    let promoted = replay.isVerified ? await replay.promote() : undefined;
    while (!promoted) {
      yield* buildVerified(replay, report);
      signal.throwIfAborted();
      promoted = await replay.promote();
    }
    outcome = 'promoted';
    yield {
      kind: 'promoted',
      generation,
      standby: promoted.standby,
      seconds: (clock() - started) / 1_000,
    };
  } catch (error) {
    if (signal.aborted) return;
    if (!replay) throw error;
    const reason = error instanceof Error ? error.message : 'unknown fault';
    outcome = error instanceof Refused ? { refused: reason } : { failed: reason };
    if (error instanceof ServiceError) throw error;
    throw notPromoted(replay.plan.generation.number, reason, error);
  } finally {
    await replay?.end(outcome);
  }
}
