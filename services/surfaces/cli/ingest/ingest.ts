import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { grouped, note, print, type Terminal, warn } from '../../client/terminal.ts';
import { type Batch, makeBatches } from './batches.ts';
import { makeFaults } from './input-faults.ts';
import { makeProgress } from './progress.ts';
import { makeSender } from './sender.ts';
import { type Format, openSource, type Source } from './source.ts';

export interface IngestOptions {
  /** Default for turns that don't name a user. */
  user?: string;
  session?: string;
  format: Format;
  inFlight: number;
  dryRun?: boolean;
}

type Faults = ReturnType<typeof makeFaults>;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** Reads the whole source and passes on full batches; faulty items go to `faults`. */
const readBatches = async (
  source: Source,
  options: IngestOptions,
  faults: Faults,
  take: (batch: Batch) => Promise<void>,
): Promise<void> => {
  const batches = makeBatches();
  for await (const item of source.items) {
    if ('faults' in item) faults.add(item.location, item.faults);
    else {
      const user = item.user ?? options.user;
      const session = item.session ?? options.session;
      for (const batch of batches.add({ ...item, user, session })) await take(batch);
    }
  }
  for (const batch of batches.rest()) await take(batch);
};

/**
 * Prints the number of faulty turns, or with `ofLocations` of locations in the input, which may contain no
 * turn or many.
 */
export const printFaults = (terminal: Terminal, faults: Faults, ofLocations = false): void => {
  const count = faults.count();
  if (count === 0) return;
  const heading = ofLocations
    ? `${plural(count, 'place')} can't be read:`
    : `${plural(count, 'turn')} can't be stored:`;
  warn(terminal, heading);
  for (const line of faults.lines()) note(terminal, `  ${line}`);
};

const dryRun = async (terminal: Terminal, source: Source, options: IngestOptions): Promise<ExitStatus> => {
  const faults = makeFaults();
  let turns = 0;
  let batches = 0;
  await readBatches(source, options, faults, async batch => {
    turns += batch.turns.length;
    batches += 1;
  });
  printFaults(terminal, faults);
  print(terminal, `${plural(turns, 'turn')} in ${plural(batches, 'request')} would be sent; nothing was.`);
  return faults.count() > 0 ? EXIT.failure : EXIT.ok;
};

/**
 * `turnstone ingest FILE`: sends the turns of a file. Faulty turns are listed at the end with their lines;
 * the others are stored. It stops when the service accepts no more; the same command then sends everything
 * again, and turns that are already stored cost nothing.
 */
export const ingest = async (
  terminal: Terminal,
  file: string,
  options: IngestOptions,
): Promise<ExitStatus> => {
  const source = openSource(terminal, file, options.format);
  if (options.dryRun) return dryRun(terminal, source, options);

  const start = performance.now();
  const faults = makeFaults();
  const progress = makeProgress(terminal, source.size);
  let done = 0;
  const sender = makeSender({
    client: connect(terminal),
    inFlight: options.inFlight,
    repeatable: true,
    onSettled: ({ turns }, batch) => {
      done += batch.size;
      progress.update({ done, turns });
    },
    onFaults: faults.add,
  });
  try {
    // If reading or sending fails, requests in flight still finish before the summary.
    try {
      await readBatches(source, options, faults, sender.push);
    } finally {
      await sender.finish();
    }
  } catch (error) {
    progress.stop();
    printFaults(terminal, faults);
    warn(
      terminal,
      `stopped after ${plural(sender.sent.turns, 'turn')}; the same command sends everything again; turns already stored are not billed again`,
    );
    throw error;
  }
  progress.stop();
  printFaults(terminal, faults);
  const seconds = (performance.now() - start) / 1_000;
  const { turns, batches, tokens } = sender.sent;
  print(
    terminal,
    `${plural(turns, 'turn')} stored in ${plural(batches, 'request')}, ${plural(tokens, 'token')} billed ` +
      `(turns already stored cost nothing). ${seconds.toFixed(1)} s, ${grouped(Math.round(turns / seconds))} turns/s.`,
  );
  return faults.count() > 0 ? EXIT.failure : EXIT.ok;
};
