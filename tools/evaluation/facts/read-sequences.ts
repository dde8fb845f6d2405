/** Reads facts/sequences/*.md: what people say, line by line, and what should hold after each line. */
import { readdirSync, readFileSync } from 'node:fs';

/** "home = Porto", "sister: home = Bonn", "allergy = nothing". */
export interface Expected {
  /** Undefined: the speaker. */
  of: string | undefined;
  attribute: string;
  values: readonly string[];
}

export interface Line {
  /** Unix milliseconds: when it was said. */
  when: number;
  who: string;
  says: string;
  holds: readonly Expected[];
}

export interface Sequence {
  file: string;
  title: string;
  lines: readonly Line[];
  /** Expectations of an earlier moment, knowing all that was recorded. */
  asOf: readonly { moment: number; holds: readonly Expected[] }[];
}

const FOLDER = new URL('sequences/', import.meta.url);
const ROW = /^\| *(\d{4}-\d\d-\d\d) *\| *([^|]+?) *\| *(.+?) *\| *([^|]*?) *\|$/;
const AS_OF = /^as of (\d{4}-\d\d-\d\d): (.+)$/;
const ITEM = /^(?:([^=:]+): *)?([a-z_]+) *= *(.+)$/;
const NOON = 12 * 3_600_000;
const DAY_END = 24 * 3_600_000 - 1;

const expectedIn = (cell: string): Expected[] =>
  cell
    .split(';')
    .map(item => item.trim())
    .filter(item => item !== '')
    .map(item => {
      const [, of, attribute, values] = ITEM.exec(item) ?? [];
      if (attribute === undefined || values === undefined) throw new Error(`no expectation: ${item}`);
      return {
        of: of?.trim(),
        attribute,
        values: values === 'nothing' ? [] : values.split(',').map(value => value.trim()),
      };
    });

/** Returns the sequences of one Markdown text. */
export const sequencesIn = (text: string, file: string): Sequence[] => {
  const all: Sequence[] = [];
  for (const part of text.split(/^## /m).slice(1)) {
    const [title = '', ...rest] = part.split('\n');
    const lines: Line[] = [];
    const asOf: { moment: number; holds: readonly Expected[] }[] = [];
    for (const row of rest) {
      const line = ROW.exec(row.trim());
      if (line !== null) {
        const [, day, who, says, cell] = line as unknown as [string, string, string, string, string];
        // A minute apart, so that lines of one day keep their order.
        const when = Date.parse(`${day}T00:00:00Z`) + NOON + lines.length * 60_000;
        lines.push({ when, who, says: says.replace(/\\\|/g, '|'), holds: expectedIn(cell) });
      }
      const earlier = AS_OF.exec(row.trim());
      if (earlier !== null)
        asOf.push({
          moment: Date.parse(`${earlier[1]}T00:00:00Z`) + DAY_END,
          holds: expectedIn(earlier[2]!),
        });
    }
    all.push({ file, title: title.trim(), lines, asOf });
  }
  return all;
};

export const readSequences = (): Sequence[] =>
  readdirSync(FOLDER)
    .filter(name => name.endsWith('.md'))
    .sort()
    .flatMap(name => sequencesIn(readFileSync(new URL(name, FOLDER), 'utf8'), name));
