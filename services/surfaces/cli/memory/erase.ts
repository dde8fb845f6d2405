import { createInterface } from 'node:readline/promises';
import * as operations from '../../../../clients/typescript/src/operations.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { note, print, printable, printJson, type Terminal } from '../../client/terminal.ts';

export interface EraseOptions {
  user: string;
  session?: string;
  yes?: boolean;
  json?: boolean;
}

/** Asks for confirmation on a terminal; a script must pass --yes. */
const confirmed = async ({ stdin, stderr }: Terminal, what: string): Promise<boolean> => {
  if (!(stdin as { isTTY?: boolean }).isTTY)
    throw failure(EXIT.usage, 'not a terminal, so nobody can confirm: add --yes');
  const asked = createInterface({ input: stdin, output: stderr });
  try {
    return (await asked.question(`erase ${what}? This can't be undone. Type yes: `)).trim() === 'yes';
  } finally {
    asked.close();
  }
};

/** `turnstone erase`: only the receipt goes to stdout. Erasing is idempotent, so a 503 is retried. */
export const erase = async (terminal: Terminal, options: EraseOptions): Promise<ExitStatus> => {
  const { user, session } = options;
  const of = session === undefined ? 'all sessions' : `the session ${printable(session)}`;
  const what = `${of} of the user ${printable(user)}`;
  if (!options.yes && !(await confirmed(terminal, what))) {
    note(terminal, 'nothing was erased');
    return EXIT.failure;
  }
  const answer = await connect(terminal).call(operations.erase({ user_id: user, session_id: session }));
  if (options.json) {
    printJson(terminal, answer, 2);
    return EXIT.ok;
  }
  const { turns, observations, entities, sessions } = answer.erased;
  note(
    terminal,
    `erased ${what} at ${answer.erased_at}: ` +
      `${turns} turns, ${observations} observations, ${entities} entities, ${sessions} ${sessions === 1 ? 'session' : 'sessions'}; the receipt:`,
  );
  print(terminal, answer.receipt);
  return EXIT.ok;
};
