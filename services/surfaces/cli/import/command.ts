import { type Command, Option } from 'commander';
import type { Terminal } from '../../client/terminal.ts';
import type { Finish } from '../commands.ts';
import type { ImportOptions } from './options.ts';

/** As services/surfaces/importers/formats.ts has them, which is loaded when the command runs. */
const FORMATS = ['auto', 'slack', 'chatgpt', 'claude', 'locomo', 'jsonl', 'whatsapp', 'events'];

const HELP = `
The file is looked through first, and what is in it is told; then it is sent. It may be run again: what is stored costs
nothing, and an import that was broken off goes on where it was. docs/importing.md tells how to get each export, and what
of it is left out.

An export of events, as \`turnstone export\` writes it, is an operator's: it is taken in with its ids, its times and its
bill, on the machine of the service, and knows --org and --dry-run alone.

Examples:
  turnstone import chatgpt.zip --dry-run
  turnstone import chatgpt.zip --user ada --me Ada
  turnstone import data-2026-04-02.zip --since 2026-01-01 --only "Trip to Lisbon"
  turnstone import "WhatsApp Chat - Family.zip" --time-zone Europe/Berlin
  turnstone import slack-export/ --only "#general" --only "#random"
  turnstone import local.jsonl --org acme
`;

const collected = (value: string, before: string[] = []): string[] => [...before, value];

export const addImportCommand = (program: Command, terminal: Terminal, finish: Finish): void => {
  program
    .command('import')
    .description('take in an export: of ChatGPT, Claude, Slack, WhatsApp, JSON Lines, or of Turnstone itself')
    .argument('<file>', 'zip file, folder or text, as it was downloaded')
    .addOption(new Option('--format <format>', 'of the file').choices(FORMATS).default('auto'))
    .option('--dry-run', 'say what is in it and what it would cost, and write nothing')
    .option('--user <id>', "partition that it goes to; without it the key's")
    .option('--me <name>', 'ChatGPT, Claude: your name, instead of user')
    .option('--session <id>', 'WhatsApp: session of the chat; JSON Lines: of turns that name none')
    .option('--time-zone <zone>', "WhatsApp: the phone's, as Europe/Berlin; also of the days below, else UTC")
    .addOption(new Option('--date-order <order>', 'WhatsApp: of its dates').choices(['dmy', 'mdy', 'ymd']))
    .option('--since <time>', 'a day or an RFC 3339 instant, inclusive')
    .option('--until <time>', 'a day or an RFC 3339 instant, inclusive')
    .option('--only <conversation>', 'by title or id; may be said more than once', collected)
    .option('--restart', 'send all again, also what an import that was broken off had sent')
    .option('--org <id>', 'events: the organization that takes them; without it the one that the file names')
    .addHelpText('after', HELP)
    .action(async (file: string, options: ImportOptions) =>
      finish(await (await import('./import.ts')).importFile(terminal, file, options)),
    );
};
