import type { Command } from 'commander';
import type { Terminal } from '../client/terminal.ts';
import type { Finish } from './commands.ts';

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
};
