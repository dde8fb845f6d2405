import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { grouped, note, print, type Terminal, warn } from '../../client/terminal.ts';
import { withInterruptible } from '../operator/operator.ts';

export const plural = (count: number, one: string): string =>
  `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;

const writeLines = async (lines: AsyncIterable<object>, to: Writable): Promise<number> => {
  let events = 0;
  for await (const line of lines) {
    if (!to.write(`${JSON.stringify(line)}\n`)) await once(to, 'drain');
    if ('end' in line) ({ events } = line as { events?: number } as { events: number });
  }
  return events;
};

/**
 * The file is renamed when complete, so that it is never partial. It contains conversations: only its owner
 * can read it.
 */
const writeFile = async (lines: AsyncIterable<object>, path: string): Promise<number> => {
  const part = `${path}.part`;
  const file = await open(part, 'w', 0o600).catch(error => {
    throw failure(EXIT.failure, `${path} can't be written: ${(error as NodeJS.ErrnoException).code}`, error);
  });
  try {
    const stream = createWriteStream('', { fd: file, flush: true });
    const end = finished(stream);
    // Handled where `end` is awaited.
    end.catch(() => {});
    const events = await writeLines(lines, stream);
    stream.end();
    await end;
    await rename(part, path);
    return events;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
};

/** Writes the lines to a file or, without one, to stdout; returns the number that the last one counts. */
export const writeTo = (
  terminal: Terminal,
  path: string | undefined,
  lines: AsyncIterable<object>,
): Promise<number> =>
  path === undefined
    ? writeLines(lines, terminal.stdout).catch(error => {
        throw error.code === 'EPIPE' ? failure(EXIT.failure, 'the reader closed the pipe') : error;
      })
    : writeFile(lines, path);

/** `turnstone export`: writes to a file or to stdout. */
export const exportOrganization = (
  terminal: Terminal,
  { org, output }: { org: string; output?: string },
): Promise<ExitStatus> =>
  withInterruptible(terminal, async (call, signal) => {
    const events = await writeTo(terminal, output, call('export', { org }, signal));
    if (output !== undefined) print(terminal, `${plural(events, 'event')} of ${org} in ${output}`);
    return EXIT.ok;
  });

interface ImportOptions {
  org?: string;
  dryRun?: boolean;
}

/** `turnstone import` of events: any fault rejects the whole file; every faulty line is reported. */
export const importOrganization = (
  terminal: Terminal,
  file: string,
  { org, dryRun = false }: ImportOptions,
): Promise<ExitStatus> =>
  withInterruptible(terminal, async (call, signal) => {
    // The server reads the file, and may have another working directory.
    const args = { path: resolve(file), ...(org === undefined ? {} : { org }), dryRun };
    let status: ExitStatus = EXIT.failure;
    let shown = 0;
    for await (const message of call('import', args, signal)) {
      switch (message.kind) {
        case 'faults':
          warn(terminal, `${file} is invalid; nothing was written:`);
          for (const { line, fault } of message.faults) note(terminal, `  line ${line}: ${fault}`);
          if (message.omitted > 0) note(terminal, `  and ${grouped(message.omitted)} more`);
          break;
        case 'checked':
          print(
            terminal,
            `${plural(message.events, 'event')} with ${plural(message.turns, 'turn')} of ${message.from}` +
              (message.dryRun
                ? ` would be imported into ${message.org}; nothing was written.`
                : ` to be imported into ${message.org}`),
          );
          if (message.dryRun) status = EXIT.ok;
          break;
        case 'progress':
          if (terminal.stderr.isTTY && performance.now() - shown > 200) {
            shown = performance.now();
            terminal.stderr.write(`\r${grouped(message.events)} of ${grouped(message.total)}`);
          }
          break;
        case 'imported':
          if (shown > 0) terminal.stderr.write('\r\x1b[K');
          print(
            terminal,
            `${plural(message.written, 'event')} written; ${grouped(message.known)} were there already.`,
          );
          status = EXIT.ok;
          break;
      }
    }
    return status;
  });
