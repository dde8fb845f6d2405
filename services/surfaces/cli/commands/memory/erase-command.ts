import type { EraseOptions } from '../../memory/erase.ts';
import { type AddCommand, examples } from '../command.ts';
import { id } from '../option-values.ts';

export const addErase: AddCommand = (program, terminal, finish) => {
  program
    .command('erase')
    .description('erase a user or one session, for good; prints a signed receipt')
    .requiredOption('--user <id>', 'the user', id)
    .option('--session <id>', 'only this session; default: all of the user', id)
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'turnstone erase --user ada',
        'turnstone erase --user ada --session monday --yes > receipt.jws',
      ),
    )
    .action(async (options: EraseOptions) =>
      finish(await (await import('../../memory/erase.ts')).erase(terminal, options)),
    );
};
