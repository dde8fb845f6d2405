import type { Attribute, Wordings } from './read-attributes.ts';

/** The part of a turn in its story, for the question. */
export type Label = 'holds' | 'over' | 'unchanged' | 'other' | 'talk';

export interface StoryTurn {
  role: string;
  text: string;
  timestamp: string;
  label: Label;
}

/** `change`: a new value is told. `keep`: another is only named. `twice`: one value is told in two ways. */
export const KINDS = ['change', 'keep', 'several', 'twice'] as const;
export type Kind = (typeof KINDS)[number];

/** A chat over months, and a question at its end whose answer a turn in it says. */
export interface Story {
  id: string;
  author: string;
  attribute: string;
  kind: Kind;
  turns: StoryTurn[];
  question: string;
}

type Random = () => number;
/** Turns that belong together, with minutes between them. */
type Block = Omit<StoryTurn, 'timestamp'>[];

const NAMES =
  'Amund Brigid Cosimo Dorthe Elif Farid Gudrun Hugo Inga Jelena Kenji Leonie Mats Nuala Otto Paloma Quentin Rosalind Stefan Tamsin Urs Viola Winston Yusuf Zora'.split(
    ' ',
  );
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const START = Date.UTC(2025, 1, 3, 8);

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const shuffled = <T>(random: Random, from: readonly T[]): T[] =>
  from
    .map(one => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

const filled = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w)\}/g, (_, name: string) => values[name] ?? '');

interface Speakers {
  me: string;
  other: string;
  isAssistant: boolean;
}

/** Shares of stories and turns in which something more happens than the two statements. */
const SHARE = {
  long: 0.35,
  remembered: 0.35,
  echoed: 0.35,
  namedBesides: 0.5,
  theirs: 0.3,
  topic: 0.4,
  toldLater: 0.3,
} as const;

/** Puts a statement among sentences of chatter, as in a turn of 60 to 120 words. */
const amongChatter = (random: Random, { chatter }: Wordings, text: string): string => {
  const around = shuffled(random, chatter).slice(0, 2 + Math.floor(random() * 4));
  const at = Math.floor(random() * (around.length + 1));
  return [...around.slice(0, at), /[.!?]$/.test(text) ? text : `${text}.`, ...around.slice(at)].join(' ');
};

const makeBlocks = (random: Random, wordings: Wordings, { me, other, isAssistant }: Speakers) => {
  const said = (label: Label, template: string, values: Record<string, string>, role = me): Block => {
    const by = role === me ? other : me;
    const [first, answer] = filled(template, values).split(' || ');
    if (answer !== undefined)
      return [
        { role: by, text: first!, label: 'talk' },
        { role, text: answer, label },
      ];
    const isLong = random() < SHARE.long;
    const block: Block = [{ role, text: isLong ? amongChatter(random, wordings, first!) : first!, label }];
    if (isAssistant && role === me && random() < 0.6)
      block.push({ role: other, text: pick(random, wordings.replies), label: 'talk' });
    return block;
  };
  const talk = (): Block =>
    isAssistant
      ? [
          { role: me, text: pick(random, wordings.requests), label: 'talk' },
          { role: other, text: pick(random, wordings.replies), label: 'talk' },
        ]
      : [{ role: pick(random, [me, other]), text: pick(random, wordings.talk), label: 'talk' }];
  return { said, talk };
};

/** Puts blocks at random places behind the first `from` ones. */
const scattered = (random: Random, blocks: readonly Block[], more: readonly Block[], from = 0): Block[] => {
  const all = [...blocks];
  for (const block of more) all.splice(from + Math.floor(random() * (all.length - from + 1)), 0, block);
  return all;
};

const makeStory = (
  random: Random,
  wordings: Wordings,
  attribute: Attribute,
  kind: Kind,
): Omit<Story, 'id'> => {
  const isAssistant = wordings.author === 'assistant';
  const [one, two] = shuffled(random, NAMES);
  const speakers = isAssistant
    ? { me: 'user', other: 'assistant', isAssistant }
    : { me: one!, other: two!, isAssistant };
  const { said, talk } = makeBlocks(random, wordings, speakers);
  const [old, now, third] = shuffled(random, attribute.values) as [string, string, string];
  const answers = (from: readonly string[]) =>
    isAssistant ? from.filter(text => !text.includes(' || ')) : from;
  const told = shuffled(random, answers(attribute.told));
  const values = { v: old, o: old, x: third };

  let main: Block[] = [said(kind === 'change' ? 'over' : 'holds', told[0]!, values)];
  const besides = shuffled(random, attribute.unchanged).map(({ text }) => said('unchanged', text, values));
  let after: Block[] = [];
  if (kind === 'change' || kind === 'several') {
    main.push(said('holds', pick(random, answers(attribute.changed)), { v: now, o: old }));
    if (kind === 'change' && attribute.remembered.length > 0 && random() < SHARE.remembered)
      after.push(said('over', pick(random, attribute.remembered), values));
    // Some tell the old value only when it is over.
    if (after.length > 0 && random() < SHARE.toldLater) main.shift();
    if (kind === 'change' && attribute.echoed.length > 0 && random() < SHARE.echoed)
      after.push(said('over', pick(random, attribute.echoed), values, speakers.other));
  } else if (kind === 'twice') main.push(said('holds', told[1] ?? told[0]!, values));
  else after = besides.splice(0, 1 + Math.floor(random() * 2));
  main = scattered(random, main, after, main.length);

  const more: Block[] = besides.slice(0, random() < SHARE.namedBesides ? 1 : 0);
  if (!isAssistant && random() < SHARE.theirs)
    more.push(said('other', pick(random, attribute.told), { v: third }, speakers.other));
  if (random() < SHARE.topic && attribute.topics.length > 0)
    more.push(said('other', pick(random, attribute.topics), values));
  const others = shuffled(random, wordings.attributes).filter(({ name }) => name !== attribute.name);
  for (const another of others.slice(0, 2 + Math.floor(random() * 3)))
    more.push(said('other', pick(random, answers(another.told)), { v: pick(random, another.values) }));
  for (let n = 2 + Math.floor(random() * 4); n > 0; n--) more.push(talk());

  let at = START + Math.floor(random() * 60) * DAY;
  const turns = scattered(random, main, more).flatMap(block => {
    at += (2 + Math.floor(random() * 35)) * DAY + Math.floor(random() * 600) * MINUTE;
    return block.map((turn, i) => ({ ...turn, timestamp: new Date(at + i * MINUTE).toISOString() }));
  });
  const { own, named } = pick(random, attribute.questions);
  const question = pick(random, isAssistant ? [own, named] : [filled(named, { N: speakers.me })]);
  return { author: wordings.author, attribute: attribute.name, kind, turns, question };
};

/** Stories of each kind for an attribute of one value at a time. */
const EACH: Record<Kind, number> = { change: 8, keep: 8, several: 0, twice: 2 };
const SEVERAL = 6;

/** Returns the stories of an author; the same wordings and the same numbers give the same stories. */
export const storiesOf = (wordings: Wordings, random: Random): Story[] =>
  wordings.attributes.flatMap(attribute => {
    const counts = attribute.holds === 'several' ? { several: SEVERAL } : EACH;
    return Object.entries(counts).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, n) => ({
        id: `${attribute.name}/${kind}/${n}`,
        ...makeStory(random, wordings, attribute, kind as Kind),
      })),
    );
  });
