import type { Generation, GenerationChange, ReplayMessage } from '../../operations/operator/generations.ts';
import { EXIT, type ExitStatus, failure, isFailure } from '../client/exit.ts';
import { grouped, print, type Terminal, warn } from '../client/terminal.ts';
import { type Operator, withOperator } from './operator.ts';
import { makeReplayProgress } from './replay-progress.ts';
import { table } from './table.ts';

export interface ReplayOptions {
  /** Events a second. */
  throttle?: number;
  dryRun?: boolean;
  json?: boolean;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** An operator's call whose errors are messages for people, over the socket or not. */
const asked = async function* (
  operator: Operator,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): AsyncGenerator<object> {
  try {
    yield* operator.call(name, args, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (isFailure(error) || !(error instanceof Error && error.name === 'ServiceError')) throw error;
    throw failure(EXIT.failure, error.message, error);
  }
};

const whole = <T>(of: { generation: { projection: T } }, projection: string): string =>
  of.generation.projection === 'all' && projection !== 'all'
    ? ' Recall, usage, accounts and admission share one file in this mode: all of them are rebuilt.'
    : '';

const planText = (plan: Extract<ReplayMessage, { kind: 'plan' }>, projection: string): string => {
  const { generation, events, bytes, resumed, dryRun } = plan;
  const what = `generation ${generation.number} of ${generation.projection === 'all' ? 'all projections' : generation.projection}`;
  const size = `${grouped(events)} events to read, about ${megabytes(bytes)} to write.`;
  if (dryRun)
    return `Would ${resumed ? 'resume' : 'build'} ${what}: ${size}${whole(plan, projection)} Nothing was done.`;
  return `${resumed ? 'Resuming' : 'Building'} ${what}: ${size}${whole(plan, projection)}`;
};

const promotedText = (
  { generation, standby, seconds }: Extract<ReplayMessage, { kind: 'promoted' }>,
  projection: string,
): string =>
  `Generation ${generation} is serving after ${seconds.toFixed(1)} s. ${
    standby === null
      ? 'There is no generation to roll back to.'
      : `Generation ${standby} is kept up to date: \`turnstone rollback ${projection}\` switches back to it, \`turnstone retire ${projection}\` frees its space.`
  }`;

/**
 * `turnstone replay PROJECTION`: builds a generation from the first event of the log beside the serving one,
 * and switches to it. Ctrl-C stops it; the same command resumes.
 */
export const replay = (
  terminal: Terminal,
  projection: string,
  { throttle, dryRun = false, json = false }: ReplayOptions,
): Promise<ExitStatus> =>
  withOperator(terminal, async operator => {
    const abort = new AbortController();
    const onSignal = (): void => abort.abort();
    process.once('SIGINT', onSignal);
    process.once('SIGTERM', onSignal);
    const progress = makeReplayProgress(terminal);
    let done = dryRun;
    try {
      const args = { projection, throttle, dryRun };
      for await (const each of asked(operator, 'replay', args, abort.signal)) {
        const message = each as ReplayMessage;
        done ||= message.kind === 'promoted' || message.kind === 'mended';
        if (json) {
          print(terminal, JSON.stringify(message));
          continue;
        }
        if (message.kind === 'progress') {
          progress.update(message);
          continue;
        }
        progress.stop();
        if (message.kind === 'plan') print(terminal, planText(message, projection));
        else if (message.kind === 'promoted') print(terminal, promotedText(message, projection));
        else if (message.kind === 'mended') print(terminal, mendedText(message));
        else
          print(
            terminal,
            `Verified: ${grouped(message.rows)} rows, ${message.differences === 0 ? 'no difference' : `${grouped(message.differences)} differences`}.`,
          );
      }
    } finally {
      progress.stop();
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    }
    if (done) return EXIT.ok;
    warn(terminal, `stopped; \`turnstone replay ${projection}\` resumes it`);
    return EXIT.failure;
  });

type Mended = Extract<ReplayMessage, { kind: 'mended' }>;

const mendedText = ({ projection, checked, replaced, removed }: Mended): string =>
  `Compared ${grouped(checked)} entries of ${projection} with the log: ${grouped(replaced)} replaced, ${grouped(removed)} removed.`;

/** The answers of a call without progress messages. */
const change = async (operator: Operator, name: string, projection: string): Promise<GenerationChange[]> => {
  const answers: GenerationChange[] = [];
  for await (const each of asked(operator, name, { projection }, new AbortController().signal))
    answers.push(each as GenerationChange);
  return answers;
};

const changeText = (made: GenerationChange): string =>
  made.kind === 'rolled back'
    ? `Generation ${made.serving} is serving again; ${
        made.standby === null
          ? 'the other one had failed and is deleted.'
          : `generation ${made.standby} is kept up to date, and the same command switches back to it.`
      }`
    : `Generation ${made.generation} is deleted.`;

/** `turnstone rollback PROJECTION` and `turnstone retire PROJECTION`. */
export const changeGenerations = (
  terminal: Terminal,
  name: 'rollback' | 'retire',
  projection: string,
): Promise<ExitStatus> =>
  withOperator(terminal, async operator => {
    for (const made of await change(operator, name, projection)) print(terminal, changeText(made));
    return EXIT.ok;
  });

/** `turnstone generations`: number, state and lag of each. */
export const listGenerations = (terminal: Terminal, options: { json?: boolean }): Promise<ExitStatus> =>
  withOperator(terminal, async operator => {
    const found: Generation[] = [];
    for await (const each of asked(operator, 'generations', {}, new AbortController().signal))
      found.push(each as Generation);
    if (options.json) {
      print(terminal, JSON.stringify(found, null, 2));
      return EXIT.ok;
    }
    const rows = found.map(({ projection, number, state, version, behind, bytes }) => [
      projection,
      String(number),
      state,
      version,
      `${grouped(behind)} events`,
      megabytes(bytes),
    ]);
    const heading = ['PROJECTION', 'GENERATION', 'STATE', 'VERSION', 'BEHIND', 'SIZE'];
    for (const line of table(heading, rows)) print(terminal, line);
    return EXIT.ok;
  });
