import type { ReceiptOptions } from '../../memory/receipt.ts';
import { type AddCommand, examples } from '../command.ts';

export const addReceipt: AddCommand = (program, terminal, finish) => {
  program
    .command('receipt')
    .description('show what a recall with --receipt answered, for 90 days, with the words as they are now')
    .argument('<id>', 'of the receipt (rcl_…), as recall --receipt prints it')
    .option('--json', 'print the answer unchanged')
    .addHelpText('after', examples('turnstone receipt rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10.0.1042'))
    .action(async (id: string, options: ReceiptOptions) =>
      finish(await (await import('../../memory/receipt.ts')).receipt(terminal, id, options)),
    );
};
