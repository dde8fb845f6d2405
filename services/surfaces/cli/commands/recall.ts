import { Option } from 'commander';
import type { RecallOptions } from '../recall.ts';
import { type AddCommand, examples } from './command.ts';
import { list, positive } from './option-values.ts';

export const addRecall: AddCommand = (program, terminal, finish) => {
  program
    .command('recall')
    .description('ask what was said')
    .argument('<question>')
    .option('--user <id>', 'search one user; default: all that the key may read')
    .option('--session <id>', 'search one session')
    .addOption(
      new Option('--mode <mode>', 'deep searches again from what it finds').choices(['active', 'deep']),
    )
    .option('--top-k <n>', 'maximum hits of all kinds, up to 30; default: 15 active, 25 deep', positive)
    .option('--timeline', 'add a chronological summary')
    .option('--kinds <kinds>', 'any of turn,observation,entity', list)
    .option('--since <time>', 'a day or an RFC 3339 instant, inclusive')
    .option('--until <time>', 'a day or an RFC 3339 instant, inclusive')
    .option('--as-of <time>', 'answer as of then: a past day or an RFC 3339 instant')
    .option('--json', 'print the answer unchanged')
    .addHelpText(
      'after',
      examples(
        'turnstone recall "Where does Grace live?"',
        'turnstone recall "What did we decide about the roof?" --user ada --since 2026-03-01 --timeline',
        'turnstone recall "Who plays chess?" --mode deep --kinds turn --json',
        'turnstone recall "Where does Grace live?" --as-of 2026-03-31',
      ),
    )
    .action(async (question: string, options: RecallOptions) =>
      finish(await (await import('../recall.ts')).recall(terminal, question, options)),
    );
};
