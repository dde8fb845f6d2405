import { Argument } from 'commander';
import { VERIFIED_NAMES } from '../../../../../core/operator/verification.ts';
import { type AddCommand, examples } from '../command.ts';
import { positive } from '../option-values.ts';

export const addVerify: AddCommand = (program, terminal, finish) => {
  program
    .command('verify')
    .description('compare the serving projections with the log; exit status 0: identical, 1: different')
    .addArgument(
      new Argument('[projection]', 'what to compare').choices([...VERIFIED_NAMES, 'all']).default('all'),
    )
    .option('--org <id>', 'only this organization')
    .option('--sample <n>', 'compare at most n rows (default: 200,000)', positive)
    .option('--whole', 'compare every row, in as many passes as it takes')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      examples('turnstone verify', 'turnstone verify recall --org acme --whole', 'turnstone verify --json'),
    )
    .action(async (projection: string, options) =>
      finish(await (await import('../../operator/verify.ts')).verify(terminal, projection, options)),
    );
};
