import {
  type GenerationChange,
  REPLAYED_NAMES,
  type ReplayMessage,
} from '../../../../core/operator/replay-messages.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { grouped, print, printJson, type Terminal, warn } from '../../client/terminal.ts';
import { table } from '../table.ts';
import { withInterruptible, withOperator } from './operator.ts';
import { makeReplayProgress } from './replay-progress.ts';

export interface ReplayOptions {
  /** Events per second. */
  throttle?: number;
  dryRun?: boolean;
  json?: boolean;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** `Recall, usage and accounts`. */
const inWords = (names: readonly string[]): string => {
  const text = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
};

type Message = ReplayMessage | GenerationChange;
type Of<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>;

const planText = ({ generation, events, bytes, resumed, dryRun }: Of<'plan'>, projection: string): string => {
  const isWhole = generation.projection === 'all';
  const what = `generation ${generation.number} of ${isWhole ? 'all projections' : generation.projection}`;
  const size = `${grouped(events)} events to read, about ${megabytes(bytes)} to write.`;
  const whole =
    isWhole && projection !== 'all'
      ? ` ${inWords(REPLAYED_NAMES)} share one file in this mode: all of them are rebuilt.`
      : '';
  return dryRun
    ? `Would ${resumed ? 'resume' : 'build'} ${what}: ${size}${whole} Nothing was done.`
    : `${resumed ? 'Resuming' : 'Building'} ${what}: ${size}${whole}`;
};

const verifiedText = ({ rows, differences }: Of<'verified'>): string =>
  `Verified: ${grouped(rows)} rows, ${differences === 0 ? 'no difference' : `${grouped(differences)} differences`}.`;

const promotedText = ({ generation, standby, seconds }: Of<'promoted'>, projection: string): string =>
  `Generation ${generation} is serving after ${seconds.toFixed(1)} s. ${
    standby === null
      ? 'There is no generation to roll back to.'
      : `Generation ${standby} is kept up to date: \`turnstone rollback ${projection}\` switches back to it, \`turnstone retire ${projection}\` frees its space.`
  }`;

const repairedText = ({ projection, checked, replaced, removed }: Of<'repaired'>): string =>
  `Compared ${grouped(checked)} entries of ${projection} with the log: ${grouped(replaced)} replaced, ${grouped(removed)} removed.`;

const rolledBackText = ({ serving, standby }: Of<'rolled back'>): string =>
  `Generation ${serving} is serving again; ${
    standby === null
      ? 'the other one had failed and is deleted.'
      : `generation ${standby} is kept up to date, and the same command switches back to it.`
  }`;

const textOf = (message: Exclude<Message, { kind: 'progress' }>, projection: string): string => {
  switch (message.kind) {
    case 'plan':
      return planText(message, projection);
    case 'verified':
      return verifiedText(message);
    case 'promoted':
      return promotedText(message, projection);
    case 'repaired':
      return repairedText(message);
    case 'rolled back':
      return rolledBackText(message);
    case 'retired':
      return `Generation ${message.generation} is deleted.`;
  }
};

const FINAL: readonly Message['kind'][] = ['promoted', 'repaired', 'rolled back', 'retired'];

/**
 * Prints a call's messages; a signal stops it. The exit status states whether the last step that it began is
 * complete.
 */
const follow = (
  terminal: Terminal,
  name: 'replay' | 'rollback' | 'retire',
  { projection, json = false, ...args }: { projection: string } & ReplayOptions,
): Promise<ExitStatus> =>
  withInterruptible(terminal, async (call, signal) => {
    const progress = makeReplayProgress(terminal);
    let isDone = false;
    try {
      for await (const message of call(name, { projection, ...args }, signal)) {
        isDone = FINAL.includes(message.kind) || (message.kind === 'plan' && message.dryRun);
        if (json) {
          printJson(terminal, message);
        } else if (message.kind === 'progress') {
          progress.update(message);
        } else {
          progress.stop();
          print(terminal, textOf(message, projection));
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      progress.stop();
    }
    if (isDone) return EXIT.ok;
    warn(terminal, `stopped; \`turnstone replay ${projection}\` resumes it`);
    return EXIT.failure;
  });

/**
 * `turnstone replay PROJECTION`: builds a new generation from the log's first event, in parallel with the
 * serving one, and switches to it. Ctrl-C stops it; the same command resumes.
 */
export const replay = (terminal: Terminal, projection: string, options: ReplayOptions): Promise<ExitStatus> =>
  follow(terminal, 'replay', { projection, ...options });

/** `turnstone rollback PROJECTION` and `turnstone retire PROJECTION`. */
export const changeGenerations = (
  terminal: Terminal,
  name: 'rollback' | 'retire',
  projection: string,
): Promise<ExitStatus> => follow(terminal, name, { projection });

/** `turnstone generations`: lists each generation with its state and lag. */
export const listGenerations = (terminal: Terminal, options: { json?: boolean }): Promise<ExitStatus> =>
  withOperator(terminal, async call => {
    const found = await Array.fromAsync(call('generations', {}));
    if (options.json) {
      printJson(terminal, found, 2);
      return EXIT.ok;
    }
    const hasModels = found.some(({ model }) => model !== undefined);
    const rows = found.map(({ projection, number, state, version, model = '', behind, bytes }) => [
      projection,
      String(number),
      state,
      version,
      ...(hasModels ? [model] : []),
      `${grouped(behind)} events`,
      megabytes(bytes),
    ]);
    const models = hasModels ? ['MODEL'] : [];
    const heading = ['PROJECTION', 'GENERATION', 'STATE', 'VERSION', ...models, 'BEHIND', 'SIZE'];
    for (const line of table(heading, rows)) print(terminal, line);
    return EXIT.ok;
  });
