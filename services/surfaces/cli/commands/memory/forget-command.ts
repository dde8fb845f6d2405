import { type AddCommand, examples } from '../command.ts';

export const addForget: AddCommand = (program, terminal, finish) => {
  program
    .command('forget')
    .description(
      "hide turns and facts from every answer, which can't be undone; their words stay until their session is erased",
    )
    .argument('<ids...>', 'of turns (trn_…) and observations or facts (obs_…), as --json prints them')
    .addHelpText(
      'after',
      examples(
        'turnstone forget trn_01c1867ad1376fca818c9058dcbb892e',
        'turnstone forget obs_01c1867a219d190b83849f09f87766fe obs_01c1867b2b5808a40a6c2a6342360c99',
      ),
    )
    .action(async (ids: string[]) =>
      finish(await (await import('../../memory/forget.ts')).forget(terminal, ids)),
    );
};
