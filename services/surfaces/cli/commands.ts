import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { PROJECTIONS } from '../../operations/operator/generations.ts';
import type { Terminal } from '../client/terminal.ts';
import type { EraseOptions } from './erase.ts';
import type { IngestOptions } from './ingest/ingest.ts';
import type { NewKey } from './keys.ts';
import type { RecallOptions } from './recall.ts';
import type { ReplayOptions } from './replay.ts';

/** Told the exit status of the command that ran. */
export type Finish = (status: number) => void;

export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}\n`;

const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

export const positive = (text: string): number => {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('It must be 1 or more.');
  return value;
};

const list = (text: string): string[] => text.split(',').map(item => item.trim());

// What a command needs is loaded when it runs: `turnstone --help` answers without the service's code.

export const addServerCommands = (program: Command, terminal: Terminal, finish: Finish): void => {
  program
    .command('serve')
    .description('run the service (what npm start does)')
    .addHelpText(
      'after',
      examples('turnstone serve', 'TURNSTONE_PORT=0 TURNSTONE_DATA_DIR=./try turnstone serve'),
    )
    .action(async () => finish(await (await import('./serve.ts')).serve(terminal)));

  program
    .command('config')
    .description('print the configuration that this environment gives, without its secrets')
    .action(async () => finish((await import('./config.ts')).printConfig(terminal)));

  program
    .command('migrate')
    .description('mode cluster: make the topics, the index and the tables that are missing; free to repeat')
    .action(async () => finish(await (await import('./migrate.ts')).migrate(terminal)));

  program
    .command('init-secrets')
    .description('mode cluster: make the installation key and the signing keys; what is there stays')
    .argument('<directory>', 'where the two files are to be')
    .action(async (directory: string) =>
      finish(await (await import('./init-secrets.ts')).initSecrets(terminal, directory)),
    );

  const orgs = program
    .command('orgs')
    .description("an operator's view of the organizations, while servers run or not");
  orgs
    .command('create')
    .description('make an organization and its first key, also where sign-up is closed')
    .argument('<org>', 'its id')
    .action(async (org: string) =>
      finish(await (await import('./organizations.ts')).createOrganization(terminal, org)),
    );
  orgs
    .command('list')
    .description('list the organizations with their caps')
    .option('--json', 'print JSON')
    .action(async options =>
      finish(await (await import('./organizations.ts')).listOrganizations(terminal, options)),
    );
  orgs
    .command('set-limits')
    .description('set the caps of an organization; takes effect at once')
    .argument('<org>', 'the organization')
    .option('--tokens-in <n>', 'tokens in a UTC day; 0: no cap', wholeNumber)
    .option('--tokens-out <n>', 'tokens out a UTC day; 0: no cap', wholeNumber)
    .addHelpText('after', examples('turnstone orgs set-limits local --tokens-in 50000000 --tokens-out 0'))
    .action(async (org: string, options: { tokensIn?: number; tokensOut?: number }, command: Command) => {
      if (options.tokensIn === undefined && options.tokensOut === undefined)
        command.error('error: name --tokens-in, --tokens-out or both');
      finish(await (await import('./organizations.ts')).setLimits(terminal, org, options));
    });
};

export const addGenerationCommands = (program: Command, terminal: Terminal, finish: Finish): void => {
  const projection = (): Argument =>
    new Argument('<projection>', 'embedded they are one file, whichever is named').choices([
      ...PROJECTIONS,
      'all',
    ]);
  program
    .command('replay')
    .description('build a projection anew from the log beside the one that serves, and go over to it')
    .addArgument(projection())
    .option('--throttle <n>', 'read at most so many events a second', positive)
    .option('--dry-run', 'say what it would do, and how much that is')
    .option('--json', 'print each message as a line of JSON')
    .addHelpText(
      'after',
      `
Works while servers run or not. Ctrl-C stops it, and the same command goes on from there.
${examples('turnstone replay all --dry-run', 'turnstone replay all', 'turnstone replay recall --throttle 2000')}`,
    )
    .action(async (name: string, options: ReplayOptions) =>
      finish(await (await import('./replay.ts')).replay(terminal, name, options)),
    );
  program
    .command('rollback')
    .description('go back to the generation before the last replay')
    .addArgument(projection())
    .addHelpText('after', examples('turnstone rollback all'))
    .action(async (name: string) =>
      finish(await (await import('./replay.ts')).changeGenerations(terminal, 'rollback', name)),
    );
  program
    .command('retire')
    .description('throw away the generation that rollback would go back to')
    .addArgument(projection())
    .addHelpText('after', examples('turnstone retire all'))
    .action(async (name: string) =>
      finish(await (await import('./replay.ts')).changeGenerations(terminal, 'retire', name)),
    );
  program
    .command('generations')
    .description('list the generations of the projections')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('turnstone generations'))
    .action(async (options: { json?: boolean }) =>
      finish(await (await import('./replay.ts')).listGenerations(terminal, options)),
    );
};

export const addMemoryCommands = (program: Command, terminal: Terminal, finish: Finish): void => {
  program
    .command('ingest')
    .description('store the turns of a file; what is stored already costs nothing, so it can be run again')
    .argument('<file>', 'JSON Lines of turns, or the LoCoMo format; - for stdin')
    .option('--user <id>', 'partition of turns that name none (user_id)')
    .option('--session <id>', 'session of turns that name none (session_id)')
    .addOption(
      new Option('--format <format>', 'of the file').choices(['auto', 'jsonl', 'locomo']).default('auto'),
    )
    .option('--in-flight <n>', 'requests at a time', positive, 4)
    .option('--dry-run', 'check the file and send nothing')
    .addHelpText(
      'after',
      `
A line of JSON Lines: {"role": "user", "text": "…", "timestamp": "2026-04-02T09:30:00Z"}
and, where wanted, "user_id", "session_id" and "observations".
${examples('turnstone ingest chat.jsonl', 'turnstone ingest locomo10.json --dry-run', 'export-chat | turnstone ingest - --user ada --session 2026-04')}`,
    )
    .action(async (file: string, options: IngestOptions) =>
      finish(await (await import('./ingest/ingest.ts')).ingest(terminal, file, options)),
    );

  program
    .command('recall')
    .description('ask what was said')
    .argument('<question>')
    .option('--user <id>', 'search one partition; without it all that the key may see')
    .option('--session <id>', 'search one session')
    .addOption(new Option('--mode <mode>', 'deep follows what it finds').choices(['active', 'deep']))
    .option('--top-k <n>', 'hits of all kinds together: 15 in active mode, 25 in deep, 30 at most', positive)
    .option('--timeline', 'add a chronological summary')
    .option('--kinds <kinds>', 'of turn,observation,entity', list)
    .option('--since <time>', 'a day or an RFC 3339 instant, inclusive')
    .option('--until <time>', 'a day or an RFC 3339 instant, inclusive')
    .option('--as-of <time>', 'answer as the service would have: a day that is over, or an RFC 3339 instant')
    .option('--json', 'print the answer as it came')
    .addHelpText(
      'after',
      examples(
        'turnstone recall "Where does Grace live?"',
        'turnstone recall "What did we decide about the roof?" --user ada --since 2026-03-01 --timeline',
        'turnstone recall "Who plays chess?" --mode deep --kinds turn --json',
        'turnstone recall "Where does Grace live?" --as-of 2026-03-31',
      ),
    )
    .action(async (question: string, options: RecallOptions) =>
      finish(await (await import('./recall.ts')).recall(terminal, question, options)),
    );

  program
    .command('erase')
    .description('erase a user, or one session, for good; prints a signed receipt')
    .requiredOption('--user <id>', 'whose memory')
    .option('--session <id>', 'of one session; without it all of the user')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'turnstone erase --user ada',
        'turnstone erase --user ada --session monday --yes > receipt.jws',
      ),
    )
    .action(async (options: EraseOptions) =>
      finish(await (await import('./erase.ts')).erase(terminal, options)),
    );

  program
    .command('usage')
    .description('tokens billed today and in a month (UTC)')
    .option('--month <YYYY-MM>', 'the month; without it the current one')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('turnstone usage', 'turnstone usage --month 2026-04'))
    .action(async options => finish(await (await import('./usage.ts')).usage(terminal, options)));
};

export const addAccountCommands = (program: Command, terminal: Terminal, finish: Finish): void => {
  const keys = program.command('keys').description('the API keys of the organization');
  keys
    .command('list')
    .description('list the keys, without their secrets')
    .option('--json', 'print JSON')
    .action(async options => finish(await (await import('./keys.ts')).listKeys(terminal, options)));
  keys
    .command('create')
    .description('make a key; its secret is printed once')
    .argument('<name>', 'what it is for')
    .option(
      '--roles <roles>',
      'of memory:write,memory:read,usage:read,keys:manage or *; without it those of the key in use',
      list,
    )
    .option('--user <id>', 'the partition that the key speaks for')
    .option('--session <id>', 'the session that the key is bound to')
    .addHelpText(
      'after',
      examples('turnstone keys create "chat bot" --roles memory:write,memory:read --user ada'),
    )
    .action(async (name: string, options: NewKey) =>
      finish(await (await import('./keys.ts')).createKey(terminal, name, options)),
    );
  keys
    .command('revoke')
    .description('end a key and the tokens that it was exchanged for')
    .argument('<id>', 'as `keys list` prints it')
    .action(async (id: string) => finish(await (await import('./keys.ts')).revokeKey(terminal, id)));
};
