import type { Lexicon } from '../sentences/lexicon.ts';
import { isAdverb, isBase, isParticiple, isPast } from '../sentences/verbs.ts';

/** The predicate of a clause: its verb without auxiliaries, and its modality. */
export interface Predicate {
  /**
   * From the main verb on: "moved to Porto", "be a nurse" for any form of *be* and "have two cats" for any of
   * *have*.
   */
  text: string;
  /** The first word of `text`, in lower case. */
  verb: string;
  tense: 'present' | 'past' | 'perfect' | 'future';
  /** "I'm moving": for an event, this is a plan. */
  progressive: boolean;
  /** "Not", "never". */
  denied: boolean;
  /** "No longer", "not … any more". */
  ended: boolean;
  /** A wish or intention that is not done: "I want to", "I'm thinking of". */
  intent: 'wish' | 'plan' | undefined;
  /** "Used to": it was so for a time, and is no longer. */
  formerly: boolean;
  /** Only "will" expresses the intention, so it may be a promise of the moment or a plan. */
  willed: boolean;
}

/** "Would", "might", "almost": the rest of the clause is not so. */
const UNREAL = new Set(
  "would could should might may must can 'd wouldn't couldn't shouldn't might've can't cannot nearly almost supposedly ought wish wished pretend pretended".split(
    ' ',
  ),
);
const NOT = new Set(
  "not never don't doesn't didn't won't haven't hasn't hadn't isn't aren't wasn't weren't ain't".split(' '),
);
const BE: ReadonlyMap<string, Predicate['tense']> = new Map([
  ['am', 'present'],
  ['is', 'present'],
  ['are', 'present'],
  ["isn't", 'present'],
  ["aren't", 'present'],
  ["ain't", 'present'],
  ['was', 'past'],
  ['were', 'past'],
  ["wasn't", 'past'],
  ["weren't", 'past'],
] as const);
const HAVE = new Set("have has haven't hasn't".split(' '));
const WILL = new Set("will won't shall".split(' '));
/** Longest first: "thinking of" before "thinking". Each is followed by a verb. */
const INTENTS: readonly (readonly [RegExp, Predicate['intent'], Predicate['tense']])[] = [
  [
    /^(?:be )?(?:going|about|set|due|planning|preparing|getting ready|scheduled|looking) to /i,
    'plan',
    'future',
  ],
  [
    /^(?:be )?(?:planning|considering|thinking (?:of|about)|toying with the idea of|contemplating) (?:on )?(?=\w+ing\b)/i,
    'plan',
    'future',
  ],
  [/^(?:be )?planning (?=an? |the |my |our )/i, 'plan', 'future'],
  [/^(?:plan|plans|planned|intend|intends|intended|decided|promised) (?:to|on) /i, 'plan', 'future'],
  [
    /^(?:want|wants|wanted|hope|hopes|hoped|be hoping|aim|aims|be aiming|dream of|dreams? of|be dreaming of|be itching|be dying|wish|be determined|long) (?:to )?(?=\w)/i,
    'wish',
    'future',
  ],
  [
    /^(?:need|needs|needed|have|be trying|be supposed|be meant|be forced|be able|be ready|be unable|refuse|refuses|refused|tend|seem|seems) to /i,
    undefined,
    'future',
  ],
];
/** A cheap test that spares most predicates the table. */
const MAY_INTEND =
  /^(?:be )?(?:going|about|set|due|plan|prepar|getting|schedul|look|consider|think|toy|contempl|inten|decid|promis|want|hop|aim|dream|itch|dying|wish|determ|long|need|have to|try|suppos|meant|forc|able|ready|unable|refus|tend|seem)/i;
const GOING = /^(?:never |not |always |just |really |actually )*/i;
const ANY_MORE = /\b(?:any ?more|any longer)\b/i;

interface State {
  tense: Predicate['tense'] | undefined;
  progressive: boolean;
  denied: boolean;
  ended: boolean;
  formerly: boolean;
}

/**
 * Reads the words after a subject ("'ve just moved to Porto"). Undefined if they state nothing real: with
 * "would", "might" or "almost", an obligation, or no verb at all.
 */
export function predicateOf(after: string, lexicon: Lexicon): Predicate | undefined {
  const words = after.split(' ');
  const state: State = { tense: undefined, progressive: false, denied: false, ended: false, formerly: false };
  let at = 0;
  let lead = '';
  for (; at < words.length && at < 10; at++) {
    const word = words[at]!.toLowerCase().replaceAll('’', "'");
    const next = nextVerb(words, at + 1);
    if (UNREAL.has(word)) return word === "can't" || word === 'cannot' ? unable(words, at) : undefined;
    if (NOT.has(word)) state.denied = true;
    if (word === 'no' && words[at + 1]?.toLowerCase() === 'longer') {
      state.ended = true;
      at++;
    } else if (BE.has(word)) {
      state.tense = BE.get(word);
      lead = 'be ';
    } else if (word === 'been') {
      lead = 'be ';
    } else if (HAVE.has(word) && isParticiple(next)) {
      if (next === 'got' && !/^to\b/.test(words[at + 2] ?? '')) {
        // "I've got two cats" has them; rules for "got a job at Acme" list "have" too.
        state.tense = 'present';
        at = words.indexOf('got', at);
        lead = 'have ';
      } else state.tense = 'perfect';
    } else if (word === 'had' && isParticiple(next)) state.tense = 'past';
    else if (WILL.has(word)) state.tense = 'future';
    else if (word === 'be' && state.tense === 'future') lead = 'be ';
    else if (word === 'used' && words[at + 1]?.toLowerCase() === 'to' && lead === '') {
      state.tense = 'past';
      state.formerly = true;
      at++;
    } else if (/^do(?:es)?n't$|^didn't$/.test(word)) state.tense = word === "didn't" ? 'past' : 'present';
    else if ((word === 'do' || word === 'does' || word === 'did') && isBase(next, lexicon) && lead === '')
      state.tense = word === 'did' ? 'past' : 'present';
    else if (!NOT.has(word) && !(isAdverb(word) && at < words.length - 1) && word !== 'originally') break;
  }
  return made(words.slice(at).join(' '), lead, state);
}

/** Returns the next word that isn't an adverb. */
const nextVerb = (words: readonly string[], from: number): string => {
  for (let at = from; at < Math.min(words.length, from + 4); at++) {
    const word = words[at]!.toLowerCase().replaceAll('’', "'");
    if (!isAdverb(word) && word !== 'not') return word;
  }
  return '';
};

/** Reads inability as a fact: "I can't eat gluten" tells of a diet, "I can't stand opera" of a taste. */
const unable = (words: readonly string[], at: number): Predicate | undefined => {
  const rest = words.slice(at + 1);
  const verb = rest[0]?.toLowerCase() ?? '';
  if (!/^(?:eat|have|drink|tolerate|stand|bear)$/.test(verb)) return undefined;
  return {
    text: rest.join(' '),
    verb,
    tense: 'present',
    progressive: false,
    denied: true,
    ended: false,
    intent: undefined,
    formerly: false,
    willed: false,
  };
};

function made(rest: string, lead: string, state: State): Predicate | undefined {
  if (rest === '') return undefined;
  let text = lead + rest.replace(GOING, '');
  let tense = state.tense;
  let intent: Predicate['intent'];
  for (const [pattern, meant, when] of MAY_INTEND.test(text) ? INTENTS : []) {
    const match = pattern.exec(text);
    if (match === null) continue;
    if (meant === undefined || state.denied) return undefined;
    // "I planned to move" doesn't say whether it happened.
    if (/^(?:wanted|hoped|planned|intended) /i.test(match[0]) || (tense === 'past' && !/^decid/i.test(text)))
      return undefined;
    text = text.slice(match[0].length);
    intent = meant;
    tense = when;
    break;
  }
  const first = /^[\w'’-]+/.exec(text)?.[0].toLowerCase() ?? '';
  const willed = tense === 'future' && intent === undefined;
  if (willed) intent = 'plan';
  let progressive = state.progressive;
  if (first === 'be') {
    const second = /^be (?:now |currently |still |just |already |also |both |not )*([a-z]+ing)\b/i.exec(text);
    if (second !== null && second[1] !== 'being' && intent === undefined) {
      progressive = true;
      text = text.slice(text.indexOf(second[1]!));
    } else
      text = text.replace(
        /^be (?:now|currently|still|just|already|also|both|not|officially|actually|really) /i,
        'be ',
      );
  }
  let verb = /^[\w'’-]+/.exec(text)?.[0].toLowerCase() ?? '';
  if (verb === 'has' || verb === 'had') {
    if (verb === 'had') tense ??= 'past';
    text = `have${text.slice(3)}`;
    verb = 'have';
  }
  const denied = state.denied || /^(?:not|never) /i.test(text);
  return {
    text,
    verb,
    tense: tense ?? (isPast(verb) ? 'past' : 'present'),
    progressive,
    denied,
    ended: state.ended || (denied && ANY_MORE.test(text)),
    intent,
    formerly: state.formerly,
    willed,
  };
}
