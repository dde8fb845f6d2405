import type { SayOptions } from '../../memory/say.ts';
import { type AddCommand, examples } from '../command.ts';
import { attribute, id, moment, stance, textTo } from '../option-values.ts';

export const addSay: AddCommand = (program, terminal, finish) => {
  program
    .command('say')
    .description('store a fact that no turn says; saying it again stores nothing')
    .argument('<text>', 'a sentence of at most 4,096 characters', textTo(4_096))
    .option('--user <id>', "whose memory; default: the key's own user", id)
    .option('--session <id>', "default: the key's own session, or default-session", id)
    .option('--subject <name>', 'the person or thing that the fact is of; default: The user', textTo(256))
    .option('--attribute <name>', 'what it says of the subject, such as home', attribute)
    .option('--about <object>', 'what the attribute is of, such as the laptop of a budget', textTo(256))
    .option('--value <text>', 'what that is, such as Porto', textTo(1_024))
    .option(
      '--since <time>',
      'from when it holds: a day or an RFC 3339 instant; default: nothing is said of it',
      moment,
    )
    .option('--ended', 'it no longer holds; without --value: whatever held')
    .addOption(stance('how it is said; default: plan if --since is later, changed if --ended, else holds'))
    .option('--at <time>', 'when it was said: a day or an RFC 3339 instant; default: now', moment)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'turnstone say "Ada lives in Porto." --user ada --subject Ada --attribute home --value Porto',
        'turnstone say "Ada is a customer since May." --user ada --session crm',
        'turnstone say "Ada has left Acme." --user ada --subject Ada --attribute employer --value Acme --ended',
      ),
    )
    .action(async (text: string, options: SayOptions) =>
      finish(await (await import('../../memory/say.ts')).say(terminal, text, options)),
    );
};
