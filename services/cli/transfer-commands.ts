import type { Command } from 'commander';
import type { Finish } from './commands.ts';
import type { Terminal } from './terminal.ts';
import type { ImportOptions } from './transfer.ts';

export const addTransferCommands = (program: Command, terminal: Terminal, finish: Finish): void => {
  program
    .command('export')
    .description("an operator's: write an organization's events, opened, as JSON Lines")
    .requiredOption('--org <id>', 'the organization')
    .option('--output <file>', 'where to; without it stdout')
    .addHelpText(
      'after',
      `
Turns, observations and metered recalls are exported; accounts, keys and what was erased are not. The file holds what
people said: keep it as such.

Examples:
  turnstone export --org local --output local.jsonl
  turnstone export --org acme | gzip > acme.jsonl.gz
`,
    )
    .action(async (options: { org: string; output?: string }) =>
      finish(await (await import('./transfer.ts')).exportOrganization(terminal, options)),
    );

  program
    .command('import')
    .description(
      "an operator's: take an exported organization in; may be repeated, what is there stays as it is",
    )
    .argument('<file>', 'that `export` wrote')
    .option('--org <id>', 'the organization that takes it; without it the one that the file names')
    .option('--dry-run', 'check the file and write nothing')
    .addHelpText(
      'after',
      `
The whole file is checked before anything is written. Tokens count for the days on which they were billed; nothing is
billed or extracted anew. Turns get the ids that this installation gives them.

Examples:
  turnstone import local.jsonl --dry-run
  turnstone import local.jsonl --org acme
`,
    )
    .action(async (file: string, options: ImportOptions) =>
      finish(await (await import('./transfer.ts')).importOrganization(terminal, file, options)),
    );
};
