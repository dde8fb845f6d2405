/**
 * A reader of a document: the folder they are in, what they type there, and whether it prints what the
 * document shows.
 */
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  type Block,
  isShown,
  masked,
  type Outcome,
  runSteps,
  type Step,
} from '../support/files/documents.ts';
import { MAIN, ROOT, type Server, temporaryFolder } from '../support/processes/server.ts';

/** A stream has no end: it is listened to for this long, on machines that have much else to do. */
const LISTEN_SECONDS = 15;
const PRELUDE = `curl() { case " $* " in *" -sN "*) command timeout ${LISTEN_SECONDS} curl "$@" || true;; *) command curl "$@";; esac; }`;

export interface BlockStep extends Step {
  block: Block;
}

/** The repository as a reader sees it, with nothing of what they write ending up in it. */
export const checkout = (dataDir: string): string => {
  const folder = temporaryFolder();
  for (const name of readdirSync(ROOT))
    if (name !== 'data' && !name.startsWith('.')) symlinkSync(join(ROOT, name), join(folder, name));
  symlinkSync(dataDir, join(folder, 'data'));
  mkdirSync(join(folder, '.bin'));
  const command = join(folder, '.bin/turnstone');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(command, 0o755);
  return folder;
};

/** Types the steps in a folder that `checkout` made, one after the other, beside the server. */
export const type = (
  steps: readonly Step[],
  { url, apiKey, dataDir }: Pick<Server, 'url' | 'apiKey' | 'dataDir'>,
  { cwd, before = '', programs = [] }: { cwd: string; before?: string; programs?: readonly string[] },
): Promise<Outcome[]> =>
  runSteps(steps, {
    before: [PRELUDE, before].join('\n'),
    cwd,
    environment: {
      PATH: [join(cwd, '.bin'), ...programs, dirname(process.execPath), process.env.PATH].join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      // npm's opinion of the machine's own settings is no part of the document.
      npm_config_loglevel: 'error',
      TURNSTONE_URL: url,
      TURNSTONE_API_KEY: apiKey,
      TURNSTONE_DATA_DIR: dataDir,
    },
    within: 400_000,
  });

export const faultOf = ({ block, command, output }: BlockStep, outcome: Outcome): string | undefined => {
  const at = `${block.file}:${block.line} $ ${command}\n`;
  if (output === undefined)
    return outcome.status === 0 ? undefined : `${at}status ${outcome.status}: ${outcome.output}`;
  return isShown(output, outcome.output)
    ? undefined
    : `${at}--- shown\n${masked(output)}\n--- printed\n${masked(outcome.output)}`;
};
