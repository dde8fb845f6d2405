import { type AddCommand, examples } from '../command.ts';

export const addSigningKeys: AddCommand = (program, terminal, finish) => {
  const keys = program
    .command('signing-keys')
    .description('rotate the keys that sign tokens (for operators); servers follow within seconds')
    .addHelpText(
      'after',
      `
Publish, then sign, then retire: add; after ten minutes use; after seven days retire. No token is refused meanwhile.
${examples('turnstone signing-keys add', 'turnstone signing-keys use KID', 'turnstone signing-keys retire OLD_KID')}`,
    );
  const load = () => import('../../operator/signing-keys.ts');
  keys
    .command('list')
    .description('list the keys; the first one signs')
    .option('--json', 'print JSON')
    .action(async options => finish(await (await load()).listSigningKeys(terminal, options)));
  keys
    .command('add')
    .description('add a key: it is published and verifies, and signs nothing yet; prints its kid')
    .action(async () => finish(await (await load()).addSigningKey(terminal)));
  keys
    .command('use')
    .description('sign with this key; the one that signed before verifies')
    .argument('<kid>', 'as `signing-keys list` prints it')
    .option('--force', 'before verifiers have the key: they may refuse new tokens for five minutes')
    .action(async (kid: string, options: { force?: boolean }) =>
      finish(await (await load()).useSigningKey(terminal, kid, options.force ?? false)),
    );
  keys
    .command('retire')
    .description('remove a key; prints its public half, to verify the receipts and statements that it signed')
    .argument('<kid>', 'as `signing-keys list` prints it')
    .option('--force', 'for a key that leaked: tokens that it signed are refused at once')
    .action(async (kid: string, options: { force?: boolean }) =>
      finish(await (await load()).retireSigningKey(terminal, kid, options.force ?? false)),
    );
};
