/**
 * `npm run check:comments`: checks the English that a machine can check (CONTRIBUTING.md, "Writing"). A
 * comment begins with what the code returns or does, never with a pronoun that stands for it, and its lines
 * end where lines of code end.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COLUMNS = 110;
const OPENING = /^(What|Whoever|Who|Of|That)\b/;
const GENERATED = /Generated (by|from)/;
/** A directive to a tool can't be wrapped, and neither can an address. */
const UNWRAPPED = /biome-ignore|https?:\/\//;

/** Everything but the tests. */
const SOURCES = ['*.ts', '*.tsx', ':!test'];
const sources = execFileSync('git', ['ls-files', '-z', '--', ...SOURCES], { encoding: 'utf8' }).split('\0');

/** Returns the text of a line that is a comment by itself; undefined for any other line. */
const commentIn = (line: string): string | undefined =>
  /^\s*(?:\/\*\*?|\/\/|\*(?!\/))\s*(.*?)\s*(?:\*\/)?$/.exec(line)?.[1];

const faultsOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line, i) => {
    const text = commentIn(line);
    if (text === undefined) return [];
    const above = i > 0 ? commentIn(lines[i - 1]!) : undefined;
    // The first line with words: `/**` alone opens a comment whose words are in the next line.
    const isFirst = text !== '' && !above;
    return [
      ...(isFirst && OPENING.test(text) ? [`${i + 1}: begins with "${text.split(' ')[0]}"`] : []),
      ...(line.length > COLUMNS && !UNWRAPPED.test(line) ? [`${i + 1}: ends after column ${COLUMNS}`] : []),
    ];
  });

const faults = sources.filter(Boolean).flatMap(path => {
  const text = readFileSync(path, 'utf8');
  return GENERATED.test(text.slice(0, 300))
    ? []
    : faultsOf(text.split('\n')).map(fault => `${path}:${fault}`);
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
