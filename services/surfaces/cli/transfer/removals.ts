import { resolve } from 'node:path';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { grouped, note, print, type Terminal, warn } from '../../client/terminal.ts';
import { withInterruptible } from '../operator/operator.ts';
import { plural, writeTo } from './transfer.ts';

/** `turnstone removals list`: writes to a file or to stdout. */
export const listRemovals = (
  terminal: Terminal,
  { since, output }: { since?: string; output?: string },
): Promise<ExitStatus> =>
  withInterruptible(terminal, async (call, signal) => {
    const lines = call('removals.list', since === undefined ? {} : { since }, signal);
    const events = await writeTo(terminal, output, lines);
    if (output !== undefined) print(terminal, `${plural(events, 'removal')} in ${output}`);
    return EXIT.ok;
  });

/**
 * `turnstone removals repeat FILE`: every faulty line is reported, and one rejects the whole list unless they
 * are to be skipped. Then it fails at the end: what they name was not taken away.
 */
export const repeatRemovals = (
  terminal: Terminal,
  file: string,
  { dryRun = false, skipFaulty = false }: { dryRun?: boolean; skipFaulty?: boolean },
): Promise<ExitStatus> =>
  withInterruptible(terminal, async (call, signal) => {
    let status: ExitStatus = EXIT.ok;
    // The server reads the file, and may have another working directory.
    const args = { path: resolve(file), dryRun, skipFaulty };
    for await (const message of call('removals.repeat', args, signal)) {
      switch (message.kind) {
        case 'faults':
          warn(
            terminal,
            message.skipped
              ? `lines of ${file} are invalid and are skipped:`
              : `${file} is invalid; nothing was written:`,
          );
          for (const { line, fault } of message.faults) note(terminal, `  line ${line}: ${fault}`);
          if (message.omitted > 0) note(terminal, `  and ${grouped(message.omitted)} more`);
          if (!message.skipped) return EXIT.failure;
          status = EXIT.failure;
          break;
        case 'checked':
          print(
            terminal,
            `${plural(message.events, 'removal')} of ${file} ${dryRun ? 'would be repeated' : 'to be repeated'}; ` +
              `${grouped(message.known)} are in the log already.`,
          );
          if (message.dryRun) return status;
          break;
        case 'repeated':
          print(
            terminal,
            `${plural(message.events, 'removal')} repeated${message.applied ? '' : ': the projectors apply them'}.`,
          );
          return status;
      }
    }
    throw failure(EXIT.failure, 'the call ended early: repeat it');
  });
