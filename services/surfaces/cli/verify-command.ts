import { Argument, type Command } from 'commander';
import type { Terminal } from '../client/terminal.ts';
import { examples, type Finish, positive } from './commands.ts';

export const addVerifyCommand = (program: Command, terminal: Terminal, finish: Finish): void => {
  program
    .command('verify')
    .description('compare what serves with the log; 0: the same, 1: something differs')
    .addArgument(
      new Argument('[projection]', 'what to compare')
        .choices(['recall', 'usage', 'accounts', 'all'])
        .default('all'),
    )
    .option('--org <id>', 'of one organization alone')
    .option('--sample <n>', 'look at no more rows than this (200,000 without it)', positive)
    .option('--whole', 'look at every row, in as many parts as it takes')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      examples('turnstone verify', 'turnstone verify recall --org acme --whole', 'turnstone verify --json'),
    )
    .action(async (projection: string, options) =>
      finish(await (await import('./verify.ts')).verify(terminal, projection, options)),
    );
};
