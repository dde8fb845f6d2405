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
    .command('doctor')
    .description(
      'check settings, data folder, server, engines, positions and key; write a turn, find it, take it away',
    )
    .option('--no-write', 'write no turn and ask no recall')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Exit status 1 when a check failed. The turn is in a scope of its own, costs a few tokens, and is erased or, with less
rights, hidden or expired within an hour. On the machine of the server it looks at the data folder, too.
${examples('turnstone doctor', 'turnstone doctor --json', 'TURNSTONE_URL=https://memory.example turnstone doctor --no-write')}`,
    )
    .action(async options => finish(await (await import('../doctor/doctor.ts')).doctor(terminal, options)));

  program
    .command('support-bundle')
    .description(
      'write what helps somebody else to find a fault, without words or secrets, into one JSON file',
    )
    .argument('<file>', 'a new file')
    .addHelpText(
      'after',
      `
It has versions, the settings without secrets, what the doctor finds without writing a turn, the sizes of the data folder's
files, and the metrics. Hosts, paths and the organization's id are in it: read it before you send it.
${examples('turnstone support-bundle support.json')}`,
    )
    .action(async (file: string) =>
      finish(await (await import('../doctor/support-bundle.ts')).supportBundle(terminal, file)),
    );

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
