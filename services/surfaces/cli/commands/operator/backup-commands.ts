import type { RestoreOptions } from '../../operator/backup.ts';
import { type AddCommand, examples } from '../command.ts';

export const addBackup: AddCommand = (program, terminal, finish) => {
  program
    .command('backup')
    .description('copy the data folder, also while a service runs on it')
    .argument('<folder>', 'a new or empty folder')
    .option('--no-installation-key', 'leave out the key without which nobody can read the copy')
    .addHelpText('after', examples('turnstone backup /backups/2026-04-02'))
    .action(async (folder: string, options: { installationKey: boolean }) =>
      finish(await (await import('../../operator/backup.ts')).backup(terminal, folder, options)),
    );
};

export const addRestore: AddCommand = (program, terminal, finish) => {
  program
    .command('restore')
    .description('put a backup in place of an empty data folder, after comparing its files')
    .argument('<folder>', 'the backup')
    .option('--installation-key <file>', 'the key, where the backup has none')
    .option('--removals <file>', 'take away again what was taken away since, by this list')
    .option('--verify', 'build the projections, and compare them with the log')
    .addHelpText(
      'after',
      examples(
        'TURNSTONE_DATA_DIR=/srv/data turnstone restore /backups/2026-04-02 --removals removals.jsonl --verify',
      ),
    )
    .action(async (folder: string, options: RestoreOptions) =>
      finish(await (await import('../../operator/backup.ts')).restore(terminal, folder, options)),
    );
};
