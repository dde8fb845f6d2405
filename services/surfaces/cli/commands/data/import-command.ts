import { Option } from 'commander';
import type { ImportOptions } from '../../import/options.ts';
import type { AddCommand } from '../command.ts';
import { id, repeated } from '../option-values.ts';

/** The same list as in services/surfaces/importers/formats.ts, which is loaded only when the command runs. */
const FORMATS = [
  'auto',
  'slack',
  'chatgpt',
  'claude',
  'gemini',
  'telegram',
  'discord',
  'mbox',
  'claude-code',
  'codex',
  'letta',
  'zep',
  'cogx',
  'mem0',
  'locomo',
  'jsonl',
  'whatsapp',
  'events',
];

const HELP = `
First the whole file is read and its content summarized; then it is sent. Safe to repeat: turns already stored cost
nothing, and an interrupted import resumes where it stopped. docs/reference/importing.md says how to get each export, and what
of it is left out.

An export of events, as \`turnstone export\` writes it, is for operators: it keeps its ids, times and billed tokens, runs
on the machine of the service, and takes only --org and --dry-run.

Examples:
  turnstone import chatgpt.zip --dry-run
  turnstone import chatgpt.zip --user ada --me Ada
  turnstone import data-2026-04-02.zip --since 2026-01-01 --only "Trip to Lisbon"
  turnstone import "WhatsApp Chat - Family.zip" --time-zone Europe/Berlin
  turnstone import slack-export/ --only "#general" --only "#random" --bots
  turnstone import "Takeout/Mail/All mail.mbox" --me "Ada Lovelace" --since 2026-01-01
  turnstone import ~/.claude/projects --user ada
  turnstone import local.jsonl --org acme
`;

export const addImport: AddCommand = (program, terminal, finish) => {
  program
    .command('import')
    .description('import what other programs export: chats, e-mail, transcripts of coding agents, memories')
    .argument('<file>', 'zip file, folder or text file, as downloaded')
    .addOption(new Option('--format <format>', 'format of the file').choices(FORMATS).default('auto'))
    .option('--dry-run', 'print what the file contains and what it would cost; store nothing')
    .option('--user <id>', "user to store the turns for; default: the key's", id)
    .option('--me <name>', 'your name in the export: what it says is what the user says')
    .option('--session <id>', 'WhatsApp: session for the chat; JSON Lines: for turns that name none', id)
    .option(
      '--time-zone <zone>',
      "WhatsApp: the phone's, such as Europe/Berlin; also for --since and --until (default: UTC)",
    )
    .addOption(
      new Option('--date-order <order>', 'WhatsApp: order of day, month and year').choices([
        'dmy',
        'mdy',
        'ymd',
      ]),
    )
    .option('--bots', 'Slack, Discord, e-mail: also what programs wrote, and newsletters')
    .option('--since <time>', 'only turns from this day or RFC 3339 instant on')
    .option('--until <time>', 'only turns up to this day or RFC 3339 instant, inclusive')
    .option('--only <conversation>', 'only this conversation, by title or id; may be repeated', repeated)
    .option('--restart', 'send everything again, including what an interrupted import had sent')
    .option('--org <id>', 'events: the organization to import into; default: the one the file names')
    .addHelpText('after', HELP)
    .action(async (file: string, options: ImportOptions) =>
      finish(await (await import('../../import/import.ts')).importFile(terminal, file, options)),
    );
};
