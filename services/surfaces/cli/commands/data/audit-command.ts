import { type AddCommand, examples } from '../command.ts';
import { id, moment, positive, textTo } from '../option-values.ts';

export const addAudit: AddCommand = (program, terminal, finish) => {
  program
    .command('audit')
    .description('what was done with the organization, newest first (UTC)')
    .option('--since <when>', 'entries from this day or instant on', moment)
    .option('--until <when>', 'entries up to this day, or before this instant', moment)
    .option('--action <name>', 'entries of this action, such as keys.create', textTo(64))
    .option('--actor <id>', 'entries of this key or user, or of a kind: operator', id)
    .option('--limit <n>', 'at most so many entries', positive, 200)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('turnstone audit', 'turnstone audit --action memory.erase --since 2026-04-01'),
    )
    .action(async options => finish(await (await import('../../audit.ts')).audit(terminal, options)));
};
