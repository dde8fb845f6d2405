import type { NamesOptions, OwnNamesOptions, SplitOptions } from '../../memory/names.ts';
import { type AddCommand, examples } from '../command.ts';
import { id, repeated, textTo } from '../option-values.ts';

const label = textTo(256);
const USER = "whose they are; default: the key's own user, if it may name no other";
const NAME = 'a name, or an id (ent_…)';

export const addNames: AddCommand = (program, terminal, finish) => {
  const names = program
    .command('names')
    .description('who and what a user speaks of: list it, rename it, merge it, or set it apart');
  names
    .command('list')
    .description('list entities with all of their names')
    .option('--user <id>', USER, id)
    .option('--json', 'print JSON')
    .addHelpText('after', examples('turnstone names list --user ada'))
    .action(async (options: NamesOptions) =>
      finish(await (await import('../../memory/names.ts')).listNames(terminal, options)),
    );
  names
    .command('rename')
    .description('show another label from now on')
    .argument('<name>', NAME)
    .argument('<label>', 'how it is shown', label)
    .option('--user <id>', USER, id)
    .addHelpText('after', examples('turnstone names rename Mel "Melanie Price" --user ada'))
    .action(async (name: string, to: string, options: NamesOptions) =>
      finish(await (await import('../../memory/names.ts')).rename(terminal, name, to, options)),
    );
  names
    .command('merge')
    .description('say that two are one, listed under the second name')
    .argument('<name>', NAME)
    .argument('<into>', NAME)
    .option('--user <id>', USER, id)
    .addHelpText('after', examples('turnstone names merge Mel Melanie --user ada'))
    .action(async (name: string, into: string, options: NamesOptions) =>
      finish(await (await import('../../memory/names.ts')).merge(terminal, name, into, options)),
    );
  names
    .command('split')
    .description("say that other names of an entity, or its name in some sessions, are somebody else's")
    .argument('<name>', NAME)
    .argument('[others...]', 'names of it, or their ids')
    .option('--session <id>', 'a session in which the name is another person; may be repeated', repeated)
    .option('--as <label>', 'what that person is called; default: the name with the session', label)
    .option('--user <id>', USER, id)
    .addHelpText(
      'after',
      examples(
        'turnstone names split Melanie Mel --user ada',
        'turnstone names split Alex --session work --as "Alex Novak" --user ada',
      ),
    )
    .action(async (name: string, others: string[], options: SplitOptions) =>
      finish(await (await import('../../memory/names.ts')).split(terminal, name, others, options)),
    );
  names
    .command('me')
    .description("show the user's own names, or set them: what they say is what the user says")
    .argument('[names...]', 'all of them; the first is shown')
    .option('--none', 'remove them')
    .option('--user <id>', USER, id)
    .addHelpText('after', examples('turnstone names me Ada "Ada Lovelace" --user ada'))
    .action(async (own: string[], options: OwnNamesOptions) =>
      finish(await (await import('../../memory/names.ts')).ownNames(terminal, own, options)),
    );
  names
    .command('title')
    .description('give a session a title; without one, remove it')
    .argument('<session>', 'the session', id)
    .argument('[title]', 'its title', label)
    .option('--user <id>', USER, id)
    .addHelpText('after', examples('turnstone names title monday "The move to Lyon" --user ada'))
    .action(async (session: string, title: string | undefined, options: NamesOptions) =>
      finish(await (await import('../../memory/names.ts')).titleSession(terminal, session, title, options)),
    );
};
