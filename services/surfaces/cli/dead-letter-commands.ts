import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Terminal } from '../client/terminal.ts';
import { examples, type Finish } from './commands.ts';
import type { Choice } from './dead-letters.ts';

// What a command needs is loaded when it runs, as in commands.ts.

const position = (text: string): string => {
  if (/^(turns|observations|usage|accounts)\/\d+\/\d+$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a position, as turns/3/1042.');
};

export const addDeadLetterCommands = (program: Command, terminal: Terminal, finish: Finish): void => {
  const letters = program
    .command('dead-letters')
    .description('events that could not be projected and were set aside, while servers run or not');
  const filtered = (command: Command): Command =>
    command
      .addOption(
        new Option('--state <state>', 'those in this state').choices(['open', 'requeued', 'discarded']),
      )
      .addOption(
        new Option('--step <step>', 'those that failed in this step').choices([
          'parse',
          'open',
          'validate',
          'project',
          'apply',
        ]),
      )
      .addOption(
        new Option('--topic <topic>', 'those of this topic').choices([
          'turns',
          'observations',
          'usage',
          'accounts',
        ]),
      )
      .option('--json', 'print JSON');

  filtered(letters.command('list').description('list them, by their place in the log'))
    .addHelpText(
      'after',
      examples('turnstone dead-letters list', 'turnstone dead-letters list --state open --step validate'),
    )
    .action(async options =>
      finish(await (await import('./dead-letters.ts')).listDeadLetters(terminal, options)),
    );

  letters
    .command('show')
    .description('tell what is known of one; never its data')
    .argument('<position>', 'as `list` prints it', position)
    .option('--json', 'print JSON')
    .option('--raw <file>', "write the record's bytes to a new file; they may hold people's words")
    .addHelpText('after', examples('turnstone dead-letters show turns/3/1042'))
    .action(async (at: string, options) =>
      finish(await (await import('./dead-letters.ts')).showDeadLetter(terminal, at, options)),
    );

  const decides = (command: Command, decision: 'requeue' | 'discard'): Command =>
    filtered(command)
      .argument('[positions...]', 'as `list` prints them', (text: string, before: string[] = []) => [
        ...before,
        position(text),
      ])
      .option('--all', 'all open ones that the filters match; with --state those of that state')
      .action(async (positions: string[] | undefined, options: Choice, self: Command) => {
        if ((options.all === true) === (positions?.length ?? 0) > 0)
          self.error('error: name positions, or --all');
        const { decideOnDeadLetters } = await import('./dead-letters.ts');
        finish(await decideOnDeadLetters(terminal, decision, positions ?? [], options));
      });
  decides(
    letters
      .command('requeue')
      .description(
        'append them to their partition again, where this release can read them; twice does no harm',
      )
      .option('--force', 'also what this release would only set aside again'),
    'requeue',
  ).addHelpText(
    'after',
    examples(
      'turnstone dead-letters requeue turns/3/1042',
      'turnstone dead-letters requeue --all --step validate',
    ),
  );
  decides(
    letters.command('discard').description('say that they are done with; `requeue` still takes them back'),
    'discard',
  ).addHelpText('after', examples('turnstone dead-letters discard --all --topic usage'));
};
