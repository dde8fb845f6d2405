/**
 * `npm run check:style`: checks what a machine can of CONTRIBUTING.md. A comment, in tests too, begins with
 * what the code returns or does, never with a pronoun that stands for it, and its lines end where lines of
 * code end. Tests aside, no source is above 250 lines but generated ones, and no folder above a dozen files
 * without sub-folders.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const COLUMNS = 110;
const MOST_LINES = 250;
const MOST_FILES = 12;
const OPENING = /^(What|Whoever|Who|Of|That)\b/;
const COMMENTED = /\.tsx?$/;
const SOURCE = /\.([cm]?[jt]sx?|css|py|lua|sh|wat)$/;
const GENERATED = /Generated (by|from)/;
/** A directive to a tool can't be wrapped, and neither can an address. */
const UNWRAPPED = /biome-ignore|https?:\/\//;

/** The tests, which may be as long, and their folders as full, as they need. */
const TEST = /^(test|clients\/[^/]+\/tests)\//;

/** Lists what isn't committed yet as well. */
const LISTED = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', LISTED, { encoding: 'utf8' })
  .split('\0')
  .filter(path => path && existsSync(path));

/** Returns the text of a line that is a comment by itself; undefined for any other line. */
const commentIn = (line: string): string | undefined =>
  /^\s*(?:\/\*\*?|\/\/|\*(?!\/))\s*(.*?)\s*(?:\*\/)?$/.exec(line)?.[1];

const commentFaults = (lines: readonly string[]): string[] =>
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

const sourceFaults = files
  .filter(path => SOURCE.test(path))
  .flatMap(path => {
    const text = readFileSync(path, 'utf8');
    if (GENERATED.test(text.slice(0, 300))) return [];
    const lines = text.trimEnd().split('\n');
    return [
      ...(lines.length > MOST_LINES && !TEST.test(path)
        ? [`${path}: has ${lines.length} lines, above ${MOST_LINES}`]
        : []),
      ...(COMMENTED.test(path) ? commentFaults(lines).map(fault => `${path}:${fault}`) : []),
    ];
  });

const folders = Map.groupBy(
  files.filter(path => !TEST.test(path)),
  dirname,
);
const isParent = (folder: string): boolean =>
  folder === '.' || [...folders.keys()].some(one => one.startsWith(`${folder}/`));
const folderFaults = [...folders]
  .filter(([folder, its]) => its.length > MOST_FILES && !isParent(folder))
  .map(([folder, its]) => `${folder}/: has ${its.length} files and no sub-folder, above ${MOST_FILES}`);

const faults = [...sourceFaults, ...folderFaults];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
