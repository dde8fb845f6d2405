import { Option } from 'commander';
import type { ListOptions } from '../../memory/listed.ts';
import type { TailOptions } from '../../memory/tail.ts';
import type { StatsOptions } from '../../stats.ts';
import { type AddCommand, examples } from '../command.ts';
import { filter, id, positive, textTo, wholeNumberTo, words } from '../option-values.ts';

const SHOWN = 50;
const WORDS = 'words to look for: in names, titles, ids and what was said; the best first, without --sort';
const sort = () =>
  new Option('--sort <order>', 'by name, or by the last turn, the newest first').choices(['id', 'last_at']);

export const addUsers: AddCommand = (program, terminal, finish) => {
  program
    .command('users')
    .description('list the users of whom something is stored')
    .option('--q <words>', WORDS, words)
    .addOption(sort())
    .option('--filter <json>', 'only turns whose metadata passes', filter)
    .option('--limit <number>', `most users (default: ${SHOWN})`, positive, SHOWN)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'turnstone users --sort last_at',
        'turnstone users --q Grace',
        'turnstone users --limit 1000 --json',
      ),
    )
    .action(async (options: ListOptions) =>
      finish(await (await import('../../memory/listed.ts')).listUsers(terminal, options)),
    );
};

export const addSessions: AddCommand = (program, terminal, finish) => {
  program
    .command('sessions')
    .description('list conversations, by user and session, with their titles and times')
    .option('--user <id>', "only of this user; default: the key's own, or all that it may see", id)
    .option('--q <words>', WORDS, words)
    .addOption(sort())
    .option('--filter <json>', 'only turns whose metadata passes', filter)
    .option('--limit <number>', `most sessions (default: ${SHOWN})`, positive, SHOWN)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('turnstone sessions --user ada', "turnstone sessions --q 'the leaking roof'"),
    )
    .action(async (options: ListOptions) =>
      finish(await (await import('../../memory/listed.ts')).listSessions(terminal, options)),
    );
};

export const addTail: AddCommand = (program, terminal, finish) => {
  program
    .command('tail')
    .description('print turns, and what is found in them, as they are written; Ctrl-C ends it')
    .option('--after <position>', 'go on after this event, as --json prints it; default: now', textTo(1_024))
    .option('--filter <json>', 'only turns whose metadata passes', filter)
    .option('--limit <number>', 'end after this many', positive)
    .option('--json', 'print an event as a line of JSON')
    .addHelpText('after', examples('turnstone tail', 'turnstone tail --limit 1 --json'))
    .action(async (options: TailOptions) =>
      finish(await (await import('../../memory/tail.ts')).tail(terminal, options)),
    );
};

/** The most days that the service counts. */
const MOST_DAYS = 366;

export const addStats: AddCommand = (program, terminal, finish) => {
  program
    .command('stats')
    .description('count turns, users, sessions, facts and recalls by day (UTC)')
    .option('--user <id>', "only of this user; default: the key's own, or all that it may see", id)
    .option('--days <number>', 'so many days, up to and with today (default: 30)', wholeNumberTo(MOST_DAYS))
    .option('--json', 'print JSON')
    .addHelpText('after', examples('turnstone stats --days 7', 'turnstone stats --user ada --json'))
    .action(async (options: StatsOptions) =>
      finish(await (await import('../../stats.ts')).stats(terminal, options)),
    );
};
