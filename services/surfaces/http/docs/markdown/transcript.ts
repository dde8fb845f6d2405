/** Blocks of code that show a terminal: the commands that are typed, and what they print. */

/** Whether a shell would ask for another line: in the middle of a text in quotes, or after `\`. */
const goesOn = (command: string): boolean => {
  let quote = '';
  for (let at = 0; at < command.length; at += 1) {
    const character = command[at]!;
    if (character === '\\' && quote !== "'") at += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
  }
  return quote !== '' || /(?<!\\)\\$/.test(command);
};

/** Commands after `$ `, some of several lines, each with the output that follows it. */
export const transcriptOf = (text: string): { command: string; output: string }[] =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const lines = part.split('\n');
      let end = 1;
      while (end < lines.length && goesOn(lines.slice(0, end).join('\n'))) end += 1;
      return { command: lines.slice(0, end).join('\n'), output: lines.slice(end).join('\n').trimEnd() };
    });
