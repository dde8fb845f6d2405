import type { NewKey } from '../../operator/keys.ts';
import { type AddCommand, examples } from '../command.ts';
import { id, listOf, textTo } from '../option-values.ts';

const ROLES = ['memory:write', 'memory:read', 'usage:read', 'keys:manage', '*'];

export const addKeys: AddCommand = (program, terminal, finish) => {
  const keys = program.command('keys').description('the API keys of the organization');
  keys
    .command('list')
    .description('list the keys, without their secrets')
    .option('--json', 'print JSON')
    .action(async options =>
      finish(await (await import('../../operator/keys.ts')).listKeys(terminal, options)),
    );
  keys
    .command('create')
    .description('create a key; its secret is printed once')
    .argument('<name>', 'what it is for', textTo(128))
    .option(
      '--roles <roles>',
      'any of memory:write,memory:read,usage:read,keys:manage, or *; default: those of the key in use',
      listOf(ROLES),
    )
    .option('--user <id>', 'the user of calls that name none; only a key with * may name others', id)
    .option('--session <id>', 'the session of calls that name none', id)
    .option('--strict', 'user and session are bounds: the key never leaves them, whatever its roles')
    .addHelpText(
      'after',
      examples(
        'turnstone keys create "chat bot" --roles memory:write,memory:read --user ada',
        'turnstone keys create widget --roles memory:read --user ada --session 42 --strict',
      ),
    )
    .action(async (name: string, options: NewKey) =>
      finish(await (await import('../../operator/keys.ts')).createKey(terminal, name, options)),
    );
  keys
    .command('revoke')
    .description('revoke a key and the tokens that were issued for it')
    .argument('<id>', 'as `keys list` prints it')
    .action(async (id: string) =>
      finish(await (await import('../../operator/keys.ts')).revokeKey(terminal, id)),
    );
  keys
    .command('recover')
    .description('create a key for an organization that has lost its last one (for operators)')
    .requiredOption('--org <org>', 'the organization')
    .addHelpText('after', examples('turnstone keys recover --org local'))
    .action(async ({ org }: { org: string }) =>
      finish(await (await import('../../operator/keys.ts')).recoverKey(terminal, org)),
    );
};
