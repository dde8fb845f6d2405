import { Option } from 'commander';
import type { RecallOptions } from '../../memory/recall.ts';
import { type AddCommand, examples } from '../command.ts';
import { filter, id, listOf, moment, textTo, wholeNumberTo } from '../option-values.ts';

/** The service uses no more, although it accepts 50. */
const MOST_HITS = 30;
const MOST_CONTEXT = 8_000;

export const addRecall: AddCommand = (program, terminal, finish) => {
  program
    .command('recall')
    .description('ask what was said')
    .argument('<question>', 'of at most 8,192 characters', textTo(8_192))
    .option('--user <id>', 'search one user; default: all that the key may read', id)
    .option('--session <id>', 'search one session', id)
    .addOption(
      new Option('--mode <mode>', 'deep searches again from what it finds').choices(['active', 'deep']),
    )
    .option(
      '--top-k <n>',
      `maximum hits of all kinds, up to ${MOST_HITS}; default: 15 active, 25 deep`,
      wholeNumberTo(MOST_HITS),
    )
    .option('--timeline', 'add a chronological summary')
    .option(
      '--context [tokens]',
      'print one quoted text for a prompt instead of the hits, within 50 to 8000 tokens; default: 800',
      wholeNumberTo(MOST_CONTEXT),
    )
    .option('--kinds <kinds>', 'any of turn,observation,entity', listOf(['turn', 'observation', 'entity']))
    .option('--since <time>', 'a day or an RFC 3339 instant, inclusive', moment)
    .option('--until <time>', 'a day or an RFC 3339 instant, inclusive', moment)
    .option('--filter <json>', 'only turns whose metadata passes, and what was found in them', filter)
    .option('--ever', 'also facts that no longer hold; default: if the question asks about the past')
    .option('--as-of <time>', 'answer as of then: a past day or an RFC 3339 instant', moment)
    .option('--receipt', 'keep what is answered for 90 days: the id is printed on stderr')
    .option('--passages', 'of long turns the part that matters; default, unless --json')
    .option('--no-passages', 'all words of long turns')
    .option('--json', 'print the answer unchanged')
    .addHelpText(
      'after',
      examples(
        'turnstone recall "Where does Grace live?"',
        'turnstone recall "What did we decide about the roof?" --user ada --since 2026-03-01 --timeline',
        'turnstone recall "Where does Grace live?" --context 500',
        'turnstone recall "Who plays chess?" --mode deep --kinds turn --json',
        `turnstone recall "What is left to do?" --filter '{"key":"agent_id","eq":"planner"}'`,
        'turnstone recall "Where does Grace live?" --ever',
        'turnstone recall "Where does Grace live?" --receipt',
        'turnstone recall "Where does Grace live?" --as-of 2026-03-31',
      ),
    )
    .action(async (question: string, options: RecallOptions) =>
      finish(await (await import('../../memory/recall.ts')).recall(terminal, question, options)),
    );
};
