import type { NamesOptions } from '../../memory/names.ts';
import { type AddCommand, examples } from '../command.ts';
import { id, textTo } from '../option-values.ts';

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
    .description("say that other names of an entity are somebody else's")
    .argument('<name>', NAME)
    .argument('<others...>', 'names of it, or their ids')
    .option('--user <id>', USER, id)
    .addHelpText('after', examples('turnstone names split Melanie Mel --user ada'))
    .action(async (name: string, others: string[], options: NamesOptions) =>
      finish(await (await import('../../memory/names.ts')).split(terminal, name, others, options)),
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
