import { type AddCommand, examples } from '../command.ts';
import { month } from '../option-values.ts';

export const addUsage: AddCommand = (program, terminal, finish) => {
  program
    .command('usage')
    .description('tokens billed today and in a month (UTC)')
    .option('--month <YYYY-MM>', 'the month; default: the current one', month)
    .option('--json', 'print JSON')
    .addHelpText('after', examples('turnstone usage', 'turnstone usage --month 2026-04'))
    .action(async options => finish(await (await import('../../usage.ts')).usage(terminal, options)));
};
