/** Reads facts/weeks/*.md: a week of somebody's chats, what a good memory knows of it, and questions. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Said {
  /** Unix milliseconds. */
  when: number;
  session: string;
  who: string;
  says: string;
}

/** A value of somebody, told in the week; `user`: the one whose memory it is. */
export interface Known {
  of: string;
  what: string;
  value: string;
  kind: string;
}

export type NotSo = Pick<Known, 'of' | 'what' | 'value'>;

export interface Question {
  question: string;
  /** Words that stand literally in an answering line; empty where nothing answers. */
  answers: readonly string[];
  /** Numbers of the answering lines, from 1. */
  lines: readonly number[];
  kind: string;
}

export interface Week {
  name: string;
  user: string;
  said: readonly Said[];
  known: readonly Known[];
  notSo: readonly NotSo[];
  questions: readonly Question[];
}

const FOLDER = new URL('weeks/', import.meta.url);
const NOTHING = '-';

type Row = Readonly<Record<string, string>>;

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map(cell => cell.trim());

/** Returns the rows of a section's table by the names of its columns. */
const tableIn = (sections: ReadonlyMap<string, string>, title: string): Row[] => {
  const [head, , ...rows] = (sections.get(title) ?? '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line.startsWith('|'));
  if (head === undefined) throw new Error(`no table under ${title}`);
  const names = cellsOf(head);
  return rows.map(row => {
    const cells = cellsOf(row);
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
};

const listIn = (cell: string, separator: string): string[] =>
  cell === NOTHING
    ? []
    : cell
        .split(separator)
        .map(item => item.trim())
        .filter(item => item !== '');

const MINUTE = 60_000;

/** Lines of one minute are a millisecond apart, so that they keep their order. */
const saidIn = (rows: readonly Row[]): Said[] =>
  rows.map(({ when = '', session = '', who = '', says = '' }, i) => {
    const minute = Date.parse(`${when.replace(' ', 'T')}:00Z`);
    if (Number.isNaN(minute) || i >= MINUTE) throw new Error(`no time: ${when}`);
    return { when: minute + i, session, who, says };
  });

/** Returns the week of one Markdown text. */
export const weekIn = (text: string, name: string): Week => {
  const [head = '', ...parts] = text.split(/^## /m);
  const user = /^User: *([^(\n]+?) *(?:\(|$)/m.exec(head)?.[1];
  if (user === undefined) throw new Error(`no user in ${name}`);
  const sections = new Map(
    parts.map(part => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end)] as const;
    }),
  );
  return {
    name,
    user,
    said: saidIn(tableIn(sections, 'said')),
    known: tableIn(sections, 'known').map(({ of = '', what = '', value = '', kind = '' }) => ({
      of,
      what,
      value,
      kind,
    })),
    notSo: tableIn(sections, 'false').map(({ of = '', what = '', value = '' }) => ({ of, what, value })),
    questions: tableIn(sections, 'questions').map(
      ({ question = '', answer = '', lines = '', kind = '' }) => ({
        question,
        answers: listIn(answer, ';'),
        lines: listIn(lines, ',').map(Number),
        kind,
      }),
    ),
  };
};

export const readWeeks = (): Week[] =>
  readdirSync(FOLDER)
    .filter(file => file.endsWith('.md'))
    .sort()
    .map(file => weekIn(readFileSync(new URL(file, FOLDER), 'utf8'), file.replace(/\.md$/, '')));
