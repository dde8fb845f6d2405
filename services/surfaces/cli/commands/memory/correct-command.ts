import type { CorrectOptions } from '../../memory/correct.ts';
import { type AddCommand, examples } from '../command.ts';
import { attribute, moment, stance, textTo } from '../option-values.ts';

export const addCorrect: AddCommand = (program, terminal, finish) => {
  program
    .command('correct')
    .description('correct a fact: the old value never held, wherever it was said by now')
    .argument('<id>', 'of an observation or fact (obs_…), as --json prints it')
    .option('--value <text>', 'what it is', textTo(1_024))
    .option('--text <text>', 'the sentence; default: the old one with the new value in it', textTo(4_096))
    .option('--subject <name>', 'the person or thing that it is of', textTo(256))
    .option('--attribute <name>', 'what it says of the subject, such as home', attribute)
    .option('--about <object>', 'what the attribute is of', textTo(256))
    .addOption(stance('how it was said'))
    .option('--since <time>', 'from when it holds: a day or an RFC 3339 instant', moment)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'turnstone correct obs_01c1867a219d190b83849f09f87766fe --value Porto',
        'turnstone correct obs_01c1867a219d190b83849f09f87766fe --value Porto --since 2026-06-01',
      ),
    )
    .action(async (id: string, options: CorrectOptions) =>
      finish(await (await import('../../memory/correct.ts')).correct(terminal, id, options)),
    );
};
