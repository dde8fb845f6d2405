import type { FactsOptions } from '../../memory/facts.ts';
import { type AddCommand, examples } from '../command.ts';
import { attribute, filter, id, moment, textTo, words } from '../option-values.ts';

export const addFacts: AddCommand = (program, terminal, finish) => {
  program
    .command('facts')
    .description('list what holds of a user and of the people and things they speak of')
    .option('--user <id>', "the user; default: the key's own, if it may name no other", id)
    .option('--session <id>', 'only what was said in this session', id)
    .option('--q <words>', 'words to look for in what holds; the best first', words)
    .option('--subject <name>', "only of this person or thing: a name, or an entity's id", textTo(256))
    .option('--value <name>', 'what it is to others: only facts whose value names it', textTo(256))
    .option('--attribute <name>', 'only this attribute, such as home', attribute)
    .option('--filter <json>', 'only what was said in turns whose metadata passes', filter)
    .option('--ever', 'also what held before')
    .option('--as-of <time>', 'what held then: a past day or an RFC 3339 instant', moment)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'turnstone facts --user ada',
        'turnstone facts --user ada --subject Grace --ever',
        "turnstone facts --user ada --q 'lives in Lyon'",
        'turnstone facts --user ada --value Grace',
        'turnstone facts --user ada --attribute home --as-of 2026-03-31',
      ),
    )
    .action(async (options: FactsOptions) =>
      finish(await (await import('../../memory/facts.ts')).facts(terminal, options)),
    );
};
