import { readFileSync } from 'node:fs';

export const AUTHORS = ['friends', 'letters', 'assistant', 'passing'] as const;
export type Author = (typeof AUTHORS)[number];

/** Why a turn that names another value changes nothing. */
export const UNCHANGED = ['other', 'plan', 'past', 'stay', 'denial'] as const;
export type Unchanged = (typeof UNCHANGED)[number];

/** One attribute of a life, and the wordings in which people tell of it. `{v}`, `{o}`, `{x}` are values. */
export interface Attribute {
  name: string;
  holds: 'one' | 'several';
  /** In the first person, and in the third about `{N}`. */
  questions: { own: string; named: string }[];
  values: string[];
  /** Says a value that holds. `question || answer`: the other one asks. */
  told: string[];
  /** Says a new value, `{v}`, with or without the old one, `{o}`. */
  changed: string[];
  /** Names a value, `{x}`, that does not hold. */
  unchanged: { why: Unchanged; text: string }[];
  /** Tells of the old value, after the change, as of something over. */
  remembered: string[];
  /** The other speaker names the old value, after the change. */
  echoed: string[];
  /** Is about the same thing and says no value. */
  topics: string[];
}

/** The wordings of one author: attributes, and the talk around them. */
export interface Wordings {
  author: Author;
  attributes: Attribute[];
  /** Sentences around a statement in a long turn. */
  chatter: string[];
  /** Turns that say nothing of any attribute; of an assistant's chat: requests, and replies to them. */
  talk: string[];
  requests: string[];
  replies: string[];
}

const isUnchanged = (word: string): word is Unchanged => (UNCHANGED as readonly string[]).includes(word);

const partsOf = (text: string, by: string): [string, string] => {
  const at = text.indexOf(by);
  if (at < 0) throw new Error(`no "${by}" in: ${text}`);
  return [text.slice(0, at).trim(), text.slice(at + by.length).trim()];
};

/** Adds a line of an attribute: a mark, a space, and what it marks. See README.md. */
const addLine = (attribute: Attribute, mark: string, text: string): void => {
  if (mark === '?') {
    const [own, named] = partsOf(text, ' = ');
    attribute.questions.push({ own, named });
  } else if (mark === 'v') attribute.values.push(...text.split(', '));
  else if (mark === '-') attribute.told.push(text);
  else if (mark === '+') attribute.changed.push(text);
  else if (mark === '<') attribute.remembered.push(text);
  else if (mark === '>') attribute.echoed.push(text);
  else if (mark === '*') attribute.topics.push(text);
  else {
    const [why, words] = partsOf(text, ' ');
    if (mark !== '~' || !isUnchanged(why)) throw new Error(`no such line: ${mark} ${text}`);
    attribute.unchanged.push({ why, text: words });
  }
};

const LISTS = { talk: 'talk', chatter: 'chatter', ask: 'requests', reply: 'replies' } as const;
const isList = (word: string): word is keyof typeof LISTS => Object.hasOwn(LISTS, word);

export const readWordings = (author: Author): Wordings => {
  const wordings: Wordings = { author, attributes: [], chatter: [], talk: [], requests: [], replies: [] };
  const text = readFileSync(new URL(`${author}.txt`, import.meta.url), 'utf8');
  for (const line of text.split('\n').filter(line => line !== '')) {
    const [mark, rest] = partsOf(line, ' ');
    const attribute = wordings.attributes.at(-1);
    if (isList(mark)) wordings[LISTS[mark]].push(rest);
    else if (mark === '@') {
      const [name, holds] = partsOf(rest, ' ');
      wordings.attributes.push({
        name: `${author}/${name}`,
        holds: holds === 'several' ? 'several' : 'one',
        questions: [],
        values: [],
        told: [],
        changed: [],
        unchanged: [],
        remembered: [],
        echoed: [],
        topics: [],
      });
    } else if (attribute) addLine(attribute, mark, rest);
    else throw new Error(`before the first attribute: ${line}`);
  }
  return wordings;
};
