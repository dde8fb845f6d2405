/** Scripts that complete command lines in a shell, made from the commands themselves. */
import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

interface Place {
  /** The commands before it, as `names list`; '' at the beginning. */
  path: string;
  commands: readonly Command[];
  options: { flag: string; description: string; takesValue: boolean }[];
}

/** Where a command line may go on: at each command, with its commands and options. */
const placesOf = (command: Command, path = ''): Place[] => {
  const options = command.options.flatMap(({ long, description, required, optional }) =>
    long ? [{ flag: long, description, takesValue: required || optional }] : [],
  );
  const own = { path, commands: command.commands, options };
  const below = command.commands.flatMap(one => placesOf(one, `${path} ${one.name()}`.trim()));
  return [own, ...below];
};

const wordsOf = ({ commands, options }: Place): string =>
  [...commands.map(one => one.name()), ...options.map(({ flag }) => flag), '--help'].join(' ');

/** Words are names and flags of ours: none needs quoting. */
const bash = (places: readonly Place[]): string => {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  return `_turnstone() {
  local at="" next word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${at:+$at }$word"
    case "$next" in
      ${paths.join(' | ')}) at="$next" ;;
    esac
  done
  case "$at" in
${places.map(place => `    "${place.path}") words="${wordsOf(place)}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _turnstone turnstone
`;
};

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const fish = (places: readonly Place[]): string => {
  const lines = places.flatMap(({ path, commands, options }) => {
    const seen = path.split(' ').map(word => `__fish_seen_subcommand_from ${word}`);
    const names = commands.map(one => one.name()).join(' ');
    const at = path === '' ? '__fish_use_subcommand' : seen.join('; and ');
    const before = path === '' ? at : `${at}; and not __fish_seen_subcommand_from ${names}`;
    return [
      ...commands.map(
        one =>
          `complete -c turnstone -f -n ${quoted(before)} -a ${one.name()} -d ${quoted(one.description())}`,
      ),
      ...options.map(
        ({ flag, description, takesValue }) =>
          `complete -c turnstone -n ${quoted(at)} -l ${flag.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(description)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
};

/** Returns the script for a shell, which is to be sourced by it. */
export const completionScript = (program: Command, shell: Shell): string => {
  const places = placesOf(program);
  if (shell === 'fish') return fish(places);
  return shell === 'bash'
    ? bash(places)
    : `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash(places)}`;
};
