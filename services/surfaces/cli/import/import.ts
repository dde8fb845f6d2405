import { connect, loadedConfig, serviceUrl } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { grouped, print, type Terminal, warn } from '../../client/terminal.ts';
import { detectFormat } from '../../importers/detect.ts';
import { type Archive, openArchive } from '../../importers/files/archive.ts';
import { FORMATS, type FormatName, formatNamed, type ReadOptions } from '../../importers/formats.ts';
import { importFault, isImportFault } from '../../importers/turns/found.ts';
import { makeSelection } from '../../importers/turns/selection.ts';
import { type Survey, survey } from '../../importers/turns/survey.ts';
import { plural, printFaults } from '../ingest/ingest.ts';
import { makeFaults } from '../ingest/input-faults.ts';
import { makeProgress } from '../ingest/progress.ts';
import { importOrganization } from '../transfer/transfer.ts';
import { settleWallTimes } from './ask.ts';
import {
  checkedTimeZone,
  type ImportOptions,
  refuseForEvents,
  refuseIneffective,
  refuseUnusable,
  selectionOf,
} from './options.ts';
import { addOwnName, refuseUnknownName } from './own-name.ts';
import { sendAll } from './send.ts';
import { openState } from './state.ts';
import { printSummary } from './summary.ts';

interface Opened {
  terminal: Terminal;
  archive: Archive;
  name: FormatName;
  options: ImportOptions;
}

const unknownFormat = (): Error =>
  importFault(
    `has an unknown format; if it is one of ${Object.keys(FORMATS).join(', ')} or events, name it with --format`,
  );

/** Each call reads the file from its beginning. */
const makeReading = ({ archive, name, options }: Opened, readOptions: ReadOptions) => {
  const selected = selectionOf(options);
  return () => {
    const selection = makeSelection(selected);
    return { found: selection.of(formatNamed(name).read(archive, readOptions)), missing: selection.missing };
  };
};

/** Shows the progress of the first reading on a terminal, because a large file takes a while. */
const makeCounter = ({ stderr }: Terminal) => {
  let turns = 0;
  let shown = performance.now();
  return {
    count: (): void => {
      turns++;
      if (!stderr.isTTY || performance.now() - shown < 200) return;
      shown = performance.now();
      stderr.write(`\r${grouped(turns)} turns read`);
    },
    stop: (): void => {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
};

const send = async (
  { terminal, archive, name, options }: Opened,
  readOptions: ReadOptions,
  reading: ReturnType<typeof makeReading>,
  { turns, users }: Survey,
): Promise<ExitStatus> => {
  const start = performance.now();
  const client = connect(terminal);
  const { since, until, only, restart = false } = options;
  const { dataDir } = loadedConfig(terminal);
  const { org_id, user_id, session_id } = await client.me();
  const target = [serviceUrl(terminal), org_id, user_id, session_id];
  const source = [await archive.fingerprint(), name, readOptions, since, until, only];
  const state = openState(dataDir, [...target, ...source], {
    restart,
    onUnwritable: code =>
      warn(
        terminal,
        `can't store the import's progress in ${dataDir} (${code}): if interrupted, it starts over`,
      ),
  });
  const faults = makeFaults();
  const progress = makeProgress(terminal, turns);
  let acknowledged = 0;
  try {
    const sent = await sendAll({
      client,
      read: () => reading().found,
      state,
      faults,
      onProgress: ({ turns: now, passed }) => {
        acknowledged = now;
        progress.update({ done: now + passed, turns: now });
      },
      onResume: passed =>
        warn(
          terminal,
          `resuming after ${plural(passed, 'turn')} that were stored before; --restart sends everything`,
        ),
    });
    progress.stop();
    const seconds = (performance.now() - start) / 1_000;
    if (options.me !== undefined) await addOwnName(terminal, client, users[0], options.me);
    printFaults(terminal, faults);
    print(
      terminal,
      `${plural(sent.turns, 'turn')} stored in ${plural(sent.batches, 'request')}, ${plural(sent.tokens, 'token')} billed ` +
        `(turns already stored cost nothing). ${seconds.toFixed(1)} s.`,
    );
    return faults.count() > 0 ? EXIT.failure : EXIT.ok;
  } catch (error) {
    progress.stop();
    printFaults(terminal, faults);
    // More turns may be stored: successful requests after a failed one are not recorded.
    const kept = state.kept();
    const how = restart ? ' without --restart' : '';
    const next = kept ? `${how} resumes after the first ${plural(kept.turns, 'turn')}` : ' starts over';
    warn(
      terminal,
      `stopped with ${plural(acknowledged, 'turn')} stored this time; the same command${next}, and turns already stored are not billed again`,
    );
    throw error;
  }
};

const importTurns = async (opened: Opened): Promise<ExitStatus> => {
  const { terminal, archive, name, options } = opened;
  const format = formatNamed(name);
  refuseIneffective(name, options);
  const { user, session, me, dateOrder, bots } = options;
  const timeZone = checkedTimeZone(options.timeZone);
  const given: ReadOptions = { user, session, dateOrder, timeZone, bots };
  const { options: readOptions, summary } = format.hasWallTimes
    ? await settleWallTimes(terminal, archive, given)
    : { options: given, summary: undefined };

  const reading = makeReading(
    { ...opened, options: { ...options, timeZone: readOptions.timeZone } },
    readOptions,
  );
  const faults = makeFaults();
  const { found, missing } = reading();
  const counter = makeCounter(terminal);
  const seen = await survey(found, {
    withTokens: options.dryRun ?? false,
    onFault: fault => faults.add(fault.location, fault.faults),
    onTurn: counter.count,
  }).finally(counter.stop);
  const [absent] = missing();
  if (absent !== undefined)
    throw failure(EXIT.usage, `--only: no conversation has the title or the id ${absent}`);
  printSummary(terminal, seen, { title: format.title, times: summary });
  printFaults(terminal, faults, true);
  if (me !== undefined && seen.turns > 0) refuseUnknownName(me, seen);
  const status = faults.count() > 0 ? EXIT.failure : EXIT.ok;
  if (options.dryRun) {
    print(terminal, 'Nothing was sent.');
    return status;
  }
  if (seen.turns === 0) {
    print(terminal, 'There is nothing to send.');
    return status;
  }
  return Math.max(status, await send(opened, readOptions, reading, seen)) as ExitStatus;
};

const opened = async (file: string): Promise<Archive> => {
  try {
    return await openArchive(file);
  } catch (error) {
    if (isImportFault(error)) throw error;
    throw failure(EXIT.failure, `can't read ${file}: ${(error as NodeJS.ErrnoException).code}`, error);
  }
};

/** `turnstone import FILE`: reads the whole file, prints its content and its faults, then sends it. */
export const importFile = async (
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<ExitStatus> => {
  refuseUnusable(options);
  let archive: Archive | undefined;
  try {
    archive = await opened(file);
    const name = options.format === 'auto' ? await detectFormat(archive) : options.format;
    if (name === undefined) throw unknownFormat();
    if (name !== 'events') return await importTurns({ terminal, archive, name, options });
    refuseForEvents(options);
    return await importOrganization(terminal, file, options);
  } catch (error) {
    if (isImportFault(error)) throw failure(EXIT.failure, `${file}: ${error.message}`, error);
    throw error;
  } finally {
    archive?.close();
  }
};
