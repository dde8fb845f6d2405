import type { AddCommand } from '../command.ts';

export const addExport: AddCommand = (program, terminal, finish) => {
  program
    .command('export')
    .description("write an organization's events, decrypted, as JSON Lines (for operators)")
    .requiredOption('--org <id>', 'the organization')
    .option('--output <file>', 'the file to write; default: stdout')
    .addHelpText(
      'after',
      `
Exports turns, observations and metered recalls, and what erased and hidden events billed, without words; not
accounts or keys. The file contains conversations in plain text: protect it.

Examples:
  turnstone export --org local --output local.jsonl
  turnstone export --org acme | gzip > acme.jsonl.gz
`,
    )
    .action(async (options: { org: string; output?: string }) =>
      finish(await (await import('../../transfer/transfer.ts')).exportOrganization(terminal, options)),
    );
};
