import { type AddCommand, examples } from '../command.ts';

export const addInstallationKeys: AddCommand = (program, terminal, finish) => {
  const keys = program
    .command('installation-keys')
    .description(
      'rotate the key that wraps the keys of all users (for operators); servers follow within seconds',
    )
    .addHelpText(
      'after',
      `
Add, then use, then retire. Works with or without running servers, which go on serving. Ctrl-C stops \`use\`; the
same command resumes it.
${examples('turnstone installation-keys add', 'turnstone installation-keys use KID', 'turnstone installation-keys retire OLD_KID')}`,
    );
  const load = () => import('../../operator/installation-keys.ts');
  keys
    .command('list')
    .description('list the keys; the first one wraps')
    .option('--json', 'print JSON')
    .action(async options => finish(await (await load()).listInstallationKeys(terminal, options)));
  keys
    .command('add')
    .description('add a key, which wraps nothing yet; prints its kid')
    .action(async () => finish(await (await load()).addInstallationKey(terminal)));
  keys
    .command('use')
    .description('wrap by this key, and wrap anew what another one has wrapped')
    .argument('<kid>', 'as `installation-keys list` prints it')
    .action(async (kid: string) => finish(await (await load()).useInstallationKey(terminal, kid)));
  keys
    .command('retire')
    .description('move a key that wraps nothing into a file of its own')
    .argument('<kid>', 'as `installation-keys list` prints it')
    .option('--force', 'although a server may still wrap by it, which has not read the file for minutes')
    .action(async (kid: string, options: { force?: boolean }) =>
      finish(await (await load()).retireInstallationKey(terminal, kid, options.force ?? false)),
    );
};
