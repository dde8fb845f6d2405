import type { AddCommand } from '../command.ts';
import { month } from '../option-values.ts';

export const addStatement: AddCommand = (program, terminal, finish) => {
  const load = () => import('../../statement/statement.ts');
  const statement = program
    .command('statement')
    .description('the signed statement of what a month billed (UTC)')
    .option('--month <YYYY-MM>', 'the month; default: the last one', month)
    .option('--output <file>', 'the file to write; default: stdout')
    .addHelpText(
      'after',
      `
A month's statement can be made from two hours after its end.

Examples:
  turnstone statement --month 2026-04 --output 2026-04.jws
  turnstone export --org acme --output acme.jsonl
  turnstone statement verify 2026-04.jws --export acme.jsonl
`,
    )
    .action(async options => finish(await (await load()).fetchStatement(terminal, options)));
  statement
    .command('verify')
    .description('check the signature of a statement, and compute it again from an export')
    .argument('<file>', 'the statement')
    .requiredOption('--export <file>', 'an export of the organization, made after the statement')
    .option('--jwks <file or url>', "the public keys; default: the server's")
    .action(async (file: string, options: { export: string; jwks?: string }) =>
      finish(await (await load()).verifyStatement(terminal, file, options)),
    );
};
