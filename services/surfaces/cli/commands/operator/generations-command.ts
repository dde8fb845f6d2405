import { Argument } from 'commander';
import { REPLAYED_NAMES } from '../../../../../core/operator/replay-messages.ts';
import type { ReplayOptions } from '../../operator/replay.ts';
import { type AddCommand, examples } from '../command.ts';
import { positive } from '../option-values.ts';

export const addGenerations: AddCommand = (program, terminal, finish) => {
  const projection = (): Argument =>
    new Argument('<projection>', 'in embedded mode each of them means all: they share a file').choices([
      ...REPLAYED_NAMES,
      'all',
    ]);
  program
    .command('replay')
    .description('rebuild a projection from the log beside the serving one, then switch to it')
    .addArgument(projection())
    .option('--throttle <n>', 'read at most n events a second', positive)
    .option('--dry-run', 'print what it would do, and how much that is')
    .option('--json', 'print each message as a line of JSON')
    .addHelpText(
      'after',
      `
Works with or without running servers. Ctrl-C stops it; run the same command again to resume.
${examples('turnstone replay all --dry-run', 'turnstone replay all', 'turnstone replay recall --throttle 2000')}`,
    )
    .action(async (name: string, options: ReplayOptions) =>
      finish(await (await import('../../operator/replay.ts')).replay(terminal, name, options)),
    );
  program
    .command('rollback')
    .description('switch back to the generation before the last replay')
    .addArgument(projection())
    .addHelpText('after', examples('turnstone rollback all'))
    .action(async (name: string) =>
      finish(await (await import('../../operator/replay.ts')).changeGenerations(terminal, 'rollback', name)),
    );
  program
    .command('retire')
    .description('delete the generation that rollback would switch back to')
    .addArgument(projection())
    .addHelpText('after', examples('turnstone retire all'))
    .action(async (name: string) =>
      finish(await (await import('../../operator/replay.ts')).changeGenerations(terminal, 'retire', name)),
    );
  program
    .command('generations')
    .description('list the generations of the projections')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('turnstone generations'))
    .action(async (options: { json?: boolean }) =>
      finish(await (await import('../../operator/replay.ts')).listGenerations(terminal, options)),
    );
};
