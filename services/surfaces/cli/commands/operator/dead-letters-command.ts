import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Choice } from '../../operator/dead-letters.ts';
import { type AddCommand, examples } from '../command.ts';
import { repeated } from '../option-values.ts';

const STEPS = ['parse', 'open', 'validate', 'project', 'apply'];
const TOPICS = ['turns', 'observations', 'usage', 'accounts', 'audit'];

const position = (text: string): string => {
  if (/^(turns|observations|usage|accounts)\/\d+\/\d+(\/\d+)?$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a position, as turns/3/1042 or turns/3/1042/7.');
};

const filtered = (command: Command): Command =>
  command
    .addOption(
      new Option('--state <state>', 'those in this state').choices(['open', 'requeued', 'discarded']),
    )
    .addOption(new Option('--step <step>', 'those that failed in this step').choices(STEPS))
    .addOption(new Option('--topic <topic>', 'those of this topic').choices(TOPICS))
    .option('--json', 'print JSON');

export const addDeadLetters: AddCommand = (program, terminal, finish) => {
  const letters = program
    .command('dead-letters')
    .description('events that could not be projected and were set aside; with or without running servers');

  filtered(letters.command('list').description('list them in log order'))
    .addHelpText(
      'after',
      examples('turnstone dead-letters list', 'turnstone dead-letters list --state open --step validate'),
    )
    .action(async options =>
      finish(await (await import('../../operator/dead-letters.ts')).listDeadLetters(terminal, options)),
    );

  letters
    .command('show')
    .description('show what is known of one; never its data')
    .argument('<position>', 'as `list` prints it', position)
    .option('--json', 'print JSON')
    .option('--raw <file>', "write the record's bytes to a new file; they may contain conversations")
    .addHelpText('after', examples('turnstone dead-letters show turns/3/1042'))
    .action(async (at: string, options) =>
      finish(await (await import('../../operator/dead-letters.ts')).showDeadLetter(terminal, at, options)),
    );

  const decides = (command: Command, decision: 'requeue' | 'discard'): Command =>
    filtered(command)
      .argument('[positions...]', 'as `list` prints them', (text: string, before?: string[]) =>
        repeated(position(text), before),
      )
      .option('--all', 'all open ones that match the filters; with --state, those in that state')
      .action(async (positions: string[] | undefined, options: Choice, self: Command) => {
        if ((options.all === true) === (positions?.length ?? 0) > 0)
          self.error('error: give positions, or --all');
        const { decideOnDeadLetters } = await import('../../operator/dead-letters.ts');
        finish(await decideOnDeadLetters(terminal, decision, positions ?? [], options));
      });
  decides(
    letters
      .command('requeue')
      .description('append them to their partition again if this release can project them; safe to repeat')
      .option('--force', 'also those that this release would set aside again'),
    'requeue',
  ).addHelpText(
    'after',
    examples(
      'turnstone dead-letters requeue turns/3/1042',
      'turnstone dead-letters requeue --all --step validate',
    ),
  );
  decides(
    letters
      .command('discard')
      .description('mark them as not needing further attention; `requeue` can still undo it'),
    'discard',
  ).addHelpText('after', examples('turnstone dead-letters discard --all --topic usage'));
};
