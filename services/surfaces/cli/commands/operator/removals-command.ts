import { type AddCommand, examples } from '../command.ts';
import { moment } from '../option-values.ts';

export const addRemovals: AddCommand = (program, terminal, finish) => {
  const removals = program
    .command('removals')
    .description(
      'repeat what was taken away after a copy was made, where the copy is restored (for operators)',
    );
  removals
    .command('list')
    .description(
      'write the erasures, hidden turns and revoked keys of the log as JSON Lines, without any words',
    )
    .option('--since <time>', 'only what was recorded from this day or RFC 3339 instant on', moment)
    .option('--output <file>', 'the file to write; default: stdout')
    .addHelpText(
      'after',
      examples(
        'turnstone removals list --since 2026-04-02T03:00:00Z --output removals.jsonl',
        'turnstone removals list > removals.jsonl',
      ),
    )
    .action(async (options: { since?: string; output?: string }) =>
      finish(await (await import('../../transfer/removals.ts')).listRemovals(terminal, options)),
    );
  removals
    .command('repeat')
    .description('append what the log lacks of a list; before anybody writes to the restored service')
    .argument('<file>', 'the list')
    .option('--dry-run', 'print how many it lacks; write nothing')
    .option('--skip-faulty', 'repeat the other lines where some are faulty; the command fails all the same')
    .addHelpText('after', examples('turnstone removals repeat removals.jsonl --dry-run'))
    .action(async (file: string, options: { dryRun?: boolean; skipFaulty?: boolean }) =>
      finish(await (await import('../../transfer/removals.ts')).repeatRemovals(terminal, file, options)),
    );
};
