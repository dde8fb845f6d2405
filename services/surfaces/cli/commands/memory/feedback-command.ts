import { Argument } from 'commander';
import { VERDICTS, type Verdict } from '../../../../../schemas/events/curation/judgement.ts';
import { type AddCommand, examples } from '../command.ts';
import { textTo } from '../option-values.ts';

export const addFeedback: AddCommand = (program, terminal, finish) => {
  program
    .command('feedback')
    .description('say whether a hit of a recall with --receipt was helpful or wrong; the last verdict counts')
    .argument('<receipt>', 'the id of the receipt (rcl_…)', textTo(128))
    .argument(
      '<hit>',
      'the id of the turn (trn_…) or the observation (obs_…), as receipt prints it',
      textTo(64),
    )
    .addArgument(new Argument('<verdict>', 'what it was').choices(VERDICTS))
    .addHelpText(
      'after',
      examples(
        'turnstone feedback rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10.0.1042 trn_01c1867a2349ce1b0a32c6618b1dd70a helpful',
      ),
    )
    .action(async (...given: [string, string, Verdict]) =>
      finish(
        await (await import('../../memory/feedback.ts')).feedback(terminal, [given[0], given[1], given[2]]),
      ),
    );
};
