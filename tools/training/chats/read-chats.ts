import { readdirSync, readFileSync } from 'node:fs';

/**
 * At the moment of its message a value holds to the end of the chat (`now`), is replaced later (`then`), is
 * told as over (`past`), is not yet so (`plan`), is nobody's fact, since it is denied, considered, quoted or
 * for some days (`no`), or is repeated when it is over (`stale`).
 */
export const STANCES = ['now', 'then', 'past', 'plan', 'no', 'stale'] as const;
export type Stance = (typeof STANCES)[number];

/** A value of a lasting fact in a message: half-open in UTF-16 code units. */
export interface Mark {
  from: number;
  to: number;
  attribute: string;
  /** `me`: the speaker; `user`: said to or of the user; a name or relation; `nobody`. */
  whose: string;
  stance: Stance;
}

export interface ChatTurn {
  role: string;
  /** ISO 8601. */
  timestamp: string;
  text: string;
  marks: Mark[];
}

/**
 * A chat over months in which one attribute's value changes and another's is only named. Turns are counted
 * from 0.
 */
export interface Chat {
  author: string;
  number: number;
  attribute: string;
  questions: string[];
  keep: { attribute: string; question: string };
  turns: ChatTurn[];
  /** The turns that say what holds at the end, and those with values of the user's that don't. */
  answer: number[];
  old: number[];
  keepAnswer: number[];
  keepNot: number[];
}

const MINUTE = 60_000;
const MARK = /\[([^[\]|]+)\|([^[\]|]+)\|([^[\]|]+)\|([^[\]|]+)\]/g;
const TURN = /^(\d+) \| (\d{4}-\d\d-\d\d) \| ([^|]+?) \| (.+)$/;
const HEADER = /^(?:who|question|keep|answer|old|keep answer|keep not): /;
const isStance = (word: string): word is Stance => (STANCES as readonly string[]).includes(word);

const withMarks = (words: string): Pick<ChatTurn, 'text' | 'marks'> => {
  const marks: Mark[] = [];
  let text = '';
  let end = 0;
  for (const { index, 0: whole, 1: value, 2: attribute, 3: whose, 4: stance } of words.matchAll(MARK)) {
    if (!isStance(stance!)) throw new Error(`no such stance: ${whole}`);
    text += words.slice(end, index);
    const from = text.length;
    text += value!;
    marks.push({ from, to: text.length, attribute: attribute!, whose: whose!, stance });
    end = index + whole.length;
  }
  return { text: text + words.slice(end), marks };
};

/** A message a minute, from nine o'clock of its day on. */
const timesOf = (days: readonly string[]): string[] =>
  days.map((day, i) => new Date(Date.parse(`${day}T09:00:00Z`) + i * MINUTE).toISOString());

/** Reads a chat, from behind its `## `; see README.md. */
const chatIn = (author: string, source: string): Chat => {
  const [head = '', ...lines] = source.split('\n').map(line => line.trim());
  const wrong = (what: string): never => {
    throw new Error(`${author}, ${head}: ${what}`);
  };
  const found = lines.flatMap(line => {
    const [, place, day, role, words] = TURN.exec(line) ?? [];
    return place && day && role && words ? [{ place: Number(place), day, role, words }] : [];
  });
  const unknown = lines.find(line => line !== '' && !TURN.test(line) && !HEADER.test(line));
  if (unknown !== undefined) wrong(`not understood: ${unknown}`);
  const misplaced = found.find(({ place }, i) => place !== i + 1);
  if (misplaced) wrong(`message ${misplaced.place} is not in its place`);
  const values = (name: string): string[] =>
    lines.flatMap(line => (line.startsWith(`${name}: `) ? line.slice(name.length + 2) : []));
  const one = (name: string): string => values(name)[0] ?? wrong(`no ${name}`);
  const places = (name: string): number[] =>
    (one(name).match(/\d+/g) ?? []).map(number => {
      const at = Number(number) - 1;
      return found[at] ? at : wrong(`${name}: there is no message ${number}`);
    });
  const [number = '', attribute = ''] = head.split(/ (.*)/);
  const [kept = '', question = ''] = one('keep').split(' | ');
  const times = timesOf(found.map(({ day }) => day));
  return {
    author,
    number: Number(number),
    attribute,
    questions: values('question'),
    keep: { attribute: kept, question },
    turns: found.map(({ role, words }, i) => ({ role, timestamp: times[i]!, ...withMarks(words) })),
    answer: places('answer'),
    old: places('old'),
    keepAnswer: places('keep answer'),
    keepNot: places('keep not'),
  };
};

export const chatsIn = (author: string, text: string): Chat[] =>
  `\n${text}`
    .split('\n## ')
    .slice(1)
    .map(source => chatIn(author, source));

/** Reads the chats of all authors. */
export const readChats = (): Chat[] => {
  const folder = new URL('authors/', import.meta.url);
  return readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .sort()
    .flatMap(name => chatsIn(name.replace(/\.md$/, ''), readFileSync(new URL(name, folder), 'utf8')));
};
