import { Command, CommanderError } from 'commander';
import { TurnstoneError } from '../../../clients/typescript/src/error.ts';
import type { Composition } from '../client/composition.ts';
import { EXIT, isFailure } from '../client/exit.ts';
import { note, type Terminal, warn } from '../client/terminal.ts';
import { version } from '../client/version.ts';
import { ALL_COMMANDS } from './commands/all.ts';
import type { Finish } from './commands/command.ts';

const EXIT_STATUSES = `
Exit status: 0 done · 1 failed · 2 wrong usage · 69 service unavailable · 77 not allowed · 78 configuration

TURNSTONE_URL and TURNSTONE_API_KEY name the server and the key. By default: http://127.0.0.1:8080 and the key in
<data folder>/api-key, which the server writes on its first start.
`;

const makeProgram = (terminal: Terminal, finish: Finish): Command => {
  const program = new Command('turnstone')
    .description('A conversation memory service: stores what was said and answers questions about it.')
    .version(version(), '-V, --version')
    .configureOutput({
      writeOut: text => terminal.stdout.write(text),
      writeErr: text => note(terminal, text.trimEnd()),
    })
    .configureHelp({ helpWidth: 100 })
    .exitOverride()
    .addHelpText('after', EXIT_STATUSES);
  for (const add of ALL_COMMANDS) add(program, terminal, finish);
  return program;
};

const statusOf = (error: unknown, terminal: Terminal): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  // The client refuses to send some arguments, such as an id of dots.
  if (error instanceof TurnstoneError) {
    warn(terminal, error.message);
    return EXIT.usage;
  }
  if (isFailure(error)) {
    warn(terminal, error.message);
    return error.exitStatus;
  }
  warn(terminal, error instanceof Error ? (error.stack ?? error.message) : String(error));
  return EXIT.failure;
};

/** Makes the terminal of this process. */
export const processTerminal = (composition: Composition): Terminal => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  composition,
});

/** Runs one command line (without the program's name) and resolves with its exit status; never throws. */
export const run = async (args: string[], terminal: Terminal): Promise<number> => {
  let status: number = EXIT.ok;
  try {
    await makeProgram(terminal, end => {
      status = end;
    }).parseAsync(args, { from: 'user' });
  } catch (error) {
    status = statusOf(error, terminal);
  }
  return status;
};
