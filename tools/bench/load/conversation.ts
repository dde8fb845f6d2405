/** Generates conversations from a seed: the same turns on every machine, whatever the order of requests. */
import { ACTIONS, FEELINGS, FRAMES, NAMES, PLACES, QUESTIONS, THINGS, TIMES } from './load-vocabulary.ts';

const SEED = 20_260_501;
/** Number of texts made in advance, so that the load generator leaves the cores to the server. */
const TEXTS = 20_000;
/** Length in characters above which a text gets no further sentence: 120 on average. */
const LONG_ENOUGH = 85;

/** Default time of a conversation's first turn; the turns of a partition follow at half-minute steps. */
const FIRST_TURN = Date.UTC(2023, 0, 2, 9);
const STEP_MS = 30_000;

export const TURNS_OF_A_SESSION = 20;

export type Random = () => number;

/** Returns mulberry32, a 32-bit generator of one line that is good enough to choose words. In [0, 1). */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

const oneOf = (random: Random, list: readonly string[]): string => list[Math.floor(random() * list.length)]!;

const SYLLABLES = [
  'ka',
  'lo',
  'mir',
  'ten',
  'vo',
  'shi',
  'bra',
  'del',
  'nu',
  'quo',
  'zan',
  'per',
  'ost',
  'ly',
  'fen',
];

/**
 * Returns a word of three or four syllables, one of about 50,000: real vocabularies have a tail that no cache
 * holds.
 */
const rareWord = (random: Random): string => {
  const word = Array.from({ length: random() < 0.5 ? 3 : 4 }, () => oneOf(random, SYLLABLES)).join('');
  return word[0]!.toUpperCase() + word.slice(1);
};

const LISTS: Record<string, readonly string[]> = {
  name: NAMES,
  place: PLACES,
  thing: THINGS,
  feeling: FEELINGS,
  time: TIMES,
  action: ACTIONS,
};

const filled = (random: Random, frame: string): string => {
  const text = frame.replace(/\{(\w+)\}/g, (_, slot: string) =>
    slot === 'rare' ? rareWord(random) : oneOf(random, LISTS[slot]!),
  );
  return text[0]!.toUpperCase() + text.slice(1);
};

const madeText = (random: Random): string => {
  let text = filled(random, oneOf(random, FRAMES));
  while (text.length < LONG_ENOUGH) text += ` ${filled(random, oneOf(random, FRAMES))}`;
  return text;
};

export const question = (random: Random): string => filled(random, oneOf(random, QUESTIONS));

/** Target of a run of turns. */
export interface SessionScope {
  user: string;
  session: string;
}

export interface Conversation {
  texts: readonly string[];
  /**
   * Returns the JSON of an ingestion with the turns `first` … `first + count - 1` of a partition. ASCII: one
   * byte a character.
   */
  body(scope: SessionScope, first: number, count: number): string;
}

/** `firstTurn`: Unix milliseconds. */
export const makeConversation = (firstTurn = FIRST_TURN): Conversation => {
  const random = seededRandom(SEED);
  const texts = Array.from({ length: TEXTS }, () => madeText(random));
  const json = texts.map(text => JSON.stringify(text));
  // Returns the start of a partition, a hash of its scope: distinct partitions have the same sentences in
  // another order.
  const startOf = ({ user }: SessionScope): number => {
    let hash = 0;
    for (let i = 0; i < user.length; i++) hash = (Math.imul(hash, 31) + user.charCodeAt(i)) >>> 0;
    return hash;
  };
  return {
    texts,
    body: (scope, first, count) => {
      const start = startOf(scope);
      let turns = '';
      for (let i = first; i < first + count; i++) {
        const role = NAMES[(start + (i % 2)) % NAMES.length]!;
        const timestamp = new Date(firstTurn + i * STEP_MS).toISOString();
        // 7,919 is prime to the number of texts: a partition uses each of them before one returns.
        const text = json[(start + i * 7_919) % TEXTS]!;
        turns += `${turns && ','}{"role":"${role}","text":${text},"timestamp":"${timestamp}"}`;
      }
      return `{"scope":{"org_id":"local","user_id":"${scope.user}","session_id":"${scope.session}"},"turns":[${turns}]}`;
    },
  };
};
