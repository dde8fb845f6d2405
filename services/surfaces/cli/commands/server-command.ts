import { type AddCommand, examples } from './command.ts';

export const addServer: AddCommand = (program, terminal, finish) => {
  program
    .command('serve')
    .description('run the service (what npm start does)')
    .addHelpText(
      'after',
      examples('turnstone serve', 'TURNSTONE_PORT=0 TURNSTONE_DATA_DIR=./try turnstone serve'),
    )
    .action(async () => finish(await (await import('../serve.ts')).serve(terminal)));

  program
    .command('config')
    .description('print the configuration of this environment, without secrets')
    .action(async () => finish((await import('../print-config.ts')).printConfig(terminal)));

  program
    .command('migrate')
    .description('cluster mode: create missing topics, indices and tables; safe to repeat')
    .action(async () => finish(await (await import('../migrate.ts')).migrate(terminal)));

  program
    .command('init-secrets')
    .description('cluster mode: create the installation key and the signing keys; keeps existing files')
    .argument('<directory>', 'where to write the two files')
    .action(async (directory: string) =>
      finish(await (await import('../operator/init-secrets.ts')).initSecrets(terminal, directory)),
    );
};
