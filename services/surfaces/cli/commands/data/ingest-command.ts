import { Option } from 'commander';
import type { IngestOptions } from '../../ingest/ingest.ts';
import { type AddCommand, examples } from '../command.ts';
import { id, wholeNumberTo } from '../option-values.ts';

export const addIngest: AddCommand = (program, terminal, finish) => {
  program
    .command('ingest')
    .description('store the turns of a file; safe to repeat: a turn already stored costs nothing')
    .argument('<file>', 'JSON Lines of turns, or the LoCoMo format; - for stdin')
    .option('--user <id>', 'user of turns that name none (user_id)', id)
    .option('--session <id>', 'session of turns that name none (session_id)', id)
    .addOption(
      new Option('--format <format>', 'format of the file')
        .choices(['auto', 'jsonl', 'locomo'])
        .default('auto'),
    )
    .option('--in-flight <n>', 'concurrent requests, up to 64', wholeNumberTo(64), 4)
    .option('--dry-run', 'check the file and send nothing')
    .addHelpText(
      'after',
      `
A line of JSON Lines: {"role": "user", "text": "…", "timestamp": "2026-04-02T09:30:00Z"}
and optionally "user_id", "session_id" and "observations".
${examples('turnstone ingest chat.jsonl', 'turnstone ingest locomo10.json --dry-run', 'export-chat | turnstone ingest - --user ada --session 2026-04')}`,
    )
    .action(async (file: string, options: IngestOptions) =>
      finish(await (await import('../../ingest/ingest.ts')).ingest(terminal, file, options)),
    );
};
