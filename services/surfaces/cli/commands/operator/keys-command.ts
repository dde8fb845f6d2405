import { ROLES } from '../../../../../schemas/http/parts/roles.ts';
import type { NewKey } from '../../operator/keys.ts';
import { type AddCommand, examples } from '../command.ts';
import { addressRanges, id, listOf, moment, textTo, wholeNumber } from '../option-values.ts';

const OFFERED = [...ROLES.filter(role => role !== '*'), '*'];

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
      `any of ${OFFERED.slice(0, -1).join(',')}, or *; default: those of the key in use`,
      listOf(OFFERED),
    )
    .option('--user <id>', 'the user of calls that name none; only a key with * may name others', id)
    .option('--session <id>', 'the session of calls that name none', id)
    .option(
      '--expires <when>',
      'when it stops working: a day (at its beginning, UTC) or an RFC 3339 instant',
      moment,
    )
    .option(
      '--addresses <ranges>',
      'the client addresses it works from, such as 192.0.2.0/24,2001:db8::/32',
      addressRanges,
    )
    .option('--strict', 'user and session are bounds: the key never leaves them, whatever its roles')
    .addHelpText(
      'after',
      examples(
        'turnstone keys create "chat bot" --roles memory:write,memory:read --user ada',
        'turnstone keys create moderator --roles memory:read,memory:curate --expires 2027-01-01 --addresses 192.0.2.0/24',
        'turnstone keys create widget --roles memory:read --user ada --session 42 --strict',
      ),
    )
    .action(async (name: string, options: NewKey) =>
      finish(await (await import('../../operator/keys.ts')).createKey(terminal, name, options)),
    );
  keys
    .command('rotate')
    .description('make a key with the rights of another, which still works for a grace period')
    .argument('<id>', 'as `keys list` prints it')
    .option('--grace <seconds>', 'how long; 0: revoke it at once; default: a day', wholeNumber)
    .addHelpText('after', examples('turnstone keys rotate 3a34f8c3bba037b0 --grace 3600'))
    .action(async (id: string, options: { grace?: number }) =>
      finish(await (await import('../../operator/keys.ts')).rotateKey(terminal, id, options)),
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
