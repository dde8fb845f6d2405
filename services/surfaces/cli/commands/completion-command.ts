import { Argument } from 'commander';
import { EXIT } from '../../client/exit.ts';
import { print } from '../../client/terminal.ts';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import type { AddCommand } from './command.ts';

const HELP = `
For this shell:       source <(turnstone completion bash)
For every new one:    the same line in ~/.bashrc, or with zsh in ~/.zshrc
fish:                 turnstone completion fish > ~/.config/fish/completions/turnstone.fish
`;

export const addCompletion: AddCommand = (program, terminal, finish) => {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => {
      print(terminal, completionScript(program, shell).trimEnd());
      finish(EXIT.ok);
    });
};
