import { Option } from 'commander';
import { SPLIT_BY } from '../../../../../schemas/http/usage.ts';
import { type AddCommand, examples } from '../command.ts';
import { month, wholeNumberTo } from '../option-values.ts';

export const addUsage: AddCommand = (program, terminal, finish) => {
  program
    .command('usage')
    .description('tokens billed today and in a month (UTC)')
    .option('--month <YYYY-MM>', 'the month; default: the current one', month)
    .addOption(new Option('--by <what>', 'splits the month by this').choices(SPLIT_BY))
    .option('--limit <n>', 'with --by: the most that are told apart; default: 100', wholeNumberTo(1_000))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('turnstone usage', 'turnstone usage --month 2026-04', 'turnstone usage --by user --limit 20'),
    )
    .action(async options => finish(await (await import('../../usage.ts')).usage(terminal, options)));
};
