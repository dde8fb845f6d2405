import type { Lexicon } from '../sentences/lexicon.ts';
import type { Word } from '../sentences/sentences.ts';
import { isAdverb, isAuxiliary, isFiniteVerb, isPast } from '../sentences/verbs.ts';
import { type EntityKind, HONORIFICS, isGivenName, kindOf, knownKind, listedKind } from './entity-kinds.ts';
import { ALSO_WORDS, NOT_NAMES, PLACES } from './known-names.ts';
import { lowerCaseNamesIn } from './lower-case-names.ts';
import { endOfName, isStarter, MOST_PARTS, partsOf } from './name-span.ts';
import {
  isContraction,
  isDrawnOut,
  isOpening,
  isPossessive,
  isUpper,
  withoutPossessive,
} from './name-words.ts';

export interface Entity {
  label: string;
  kind: EntityKind;
}

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const LONGEST_LABEL = 80;
const EMPHASISED = set('that this it so very really big love good great best life art music nature');
/** Words that follow the subject of a sentence. */
const PREDICATES = set(
  'is was has had are were and said says will can told gave made helped loves likes wants',
);
/** Words that identify German, where all nouns are capitalised. */
const GERMAN = set(`
ich und der die das ist nicht ein eine einen mit auf für zu den dem im bei seit mein meine habe wir sie es auch hat war wie dass nach vom zum zur`);
const QUOTED = /["“]([^"“”\n]{3,60})["”]/g;
const HANDLE = /(?<![\w.@])@([A-Za-z0-9_]{2,30})(?![\w@])/g;

/** "NODE_ENV=production", "AB-12345", "TypeError", "Q3": codes and quarters, not names. */
const CODE =
  /[=_]|^[A-Z]{1,4}-?\d{3,}|^[A-Za-z]{2,30}(?:Error|Exception)$|^(?:Q[1-4]|H[12]|FY\d\d|[A-Z]\d{1,2}|E(?:NO|ACC|CONN|XIST|PERM|INVAL|TIMED)[A-Z]+)$/;
/** "@Ben Short", "@Greta": a mention that is spelled as a name. */
const MENTION = /^@\p{Lu}[\p{Ll}'’-]+$/u;
/** "@channel" calls everybody. */
const EVERYBODY = set('@channel @here @everyone @all @team @room @group @everybody');
const NUMBERS = set('two three four five both several many other');

export interface EntityFinder {
  /** Returns the names in one sentence, in order; `english`: whether the sentence is English. */
  namesIn(sentence: string, words: readonly Word[], english: boolean): Entity[];
}

export function makeEntityFinder(lexicon: Lexicon): EntityFinder {
  return {
    namesIn(sentence, words, english) {
      const found: Entity[] = [];
      const add = (label: string, kind: EntityKind): void => {
        if (label.length > 1 && label.length <= LONGEST_LABEL) found.push({ label, kind });
      };
      if (sentence.includes('@'))
        for (const [handle] of sentence.matchAll(HANDLE))
          if (!MENTION.test(handle) && !EVERYBODY.has(handle.toLowerCase())) add(handle, 'person');
      const titles = /["“]/.test(sentence) ? titlesIn(sentence, lexicon, add) : [];
      lowerCaseNamesIn(words, english, lexicon, add);
      if (!words.some(({ core }) => isUpper(core) || core.startsWith('@'))) return found;
      // German nouns, headlines and text in capitals: only known names count.
      const german = !english && words.some(word => GERMAN.has(word.lower));
      const listedOnly = german || isShouted(words) || isHeadline(words);

      let quoted = false;
      for (let at = 0; at < words.length; at++) {
        const word = words[at]!;
        if (/["“]$/.test(word.lead) && titles[0]?.startsWith(word.core)) {
          titles.shift();
          quoted = true;
        }
        const within = quoted;
        if (within) quoted = !/["”]/.test(word.tail);
        const mention = MENTION.test(word.core);
        if (within || !(mention || isUpper(word.core) || /^i[A-Z]/.test(word.core)) || isContraction(word))
          continue;
        const next = words[at + 1];
        const honorific = HONORIFICS.has(word.lower) && isUpper(next?.core ?? '');
        if (NOT_NAMES.has(withoutPossessive(word.lower)) && !honorific) {
          const named = next !== undefined && PLACES.has(`${word.lower} ${next.lower}`);
          if (!named) continue;
        }

        const first = at === 0 || /[.!?:;…)"“”]/.test(words[at - 1]!.tail) || /["“(]/.test(word.lead);
        const end = endOfName(words, at, honorific);
        const from = first && end > at && !honorific && isStarter(words, at, lexicon) ? at + 1 : at;
        const parts = partsOf(words, from, end);
        const label = parts.join(' ');
        const opens = first && from === at && !mention;
        at = end;
        if (label.length < 2 || !/\p{L}/u.test(label) || NOT_NAMES.has(label.toLowerCase())) continue;
        if (
          listedOnly &&
          !honorific &&
          !mention &&
          listedKind(label) === undefined &&
          !(english && isGivenName(parts[0]!.toLowerCase()))
        )
          continue;
        if (parts.length === 1 && !mention) {
          if (isDrawnOut(label) || isStep(words, from, lexicon)) continue;
          if (
            opens
              ? !isNameAtStart(label, words[end]!, words[end + 1], words[end + 2], lexicon)
              : isEmphasis(label, lexicon)
          )
            continue;
        }
        if (CODE.test(label)) continue;
        if (parts.every(part => isOpening(part.toLowerCase()))) continue;
        const one = parts.length === 1 ? [oneOf(label, words[from - 1])] : parts;
        add(one.join(' '), mention ? 'person' : kindOf(one, around(words, from, end, lexicon)));
      }
      return found;
    },
  };
}

/** Returns the words around the name from one index to another, within its sentence. */
function around(words: readonly Word[], from: number, end: number, lexicon: Lexicon) {
  const last = words[end]!;
  const goesOn = !/[,.;:!?)"”…]/.test(last.tail);
  return {
    before: `${words[from - 2]?.lower ?? ''} ${words[from - 1]?.lower ?? ''}`.trimStart(),
    after: goesOn ? `${words[end + 1]?.lower ?? ''} ${words[end + 2]?.lower ?? ''}` : '',
    possessive: isPossessive(last),
    common: from === end && lexicon.isCommon(withoutPossessive(last.lower)),
  };
}

/** Whether the sentence is all in capitals. */
function isShouted(words: readonly Word[]): boolean {
  return words.length >= 2 && words.every(({ core }) => core.length < 2 || core === core.toUpperCase());
}

/** Whether most words are capitalised, besides the first and those that always are. */
function isHeadline(words: readonly Word[]): boolean {
  if (!isUpper(words[0]!.core)) return false;
  let capitals = 0;
  let counted = 0;
  for (let at = 1; at < words.length; at++) {
    const { core, lower } = words[at]!;
    const upper = isUpper(core);
    if (upper && NOT_NAMES.has(lower)) continue;
    counted++;
    if (upper) capitals++;
  }
  return counted >= 3 && capitals * 10 >= counted * 7;
}

/** Whether the word is a step of a menu, as in "Settings > Apps": common words there are no names. */
function isStep(words: readonly Word[], at: number, lexicon: Lexicon): boolean {
  const isArrow = (word: Word | undefined): boolean => word?.core === '' && /^(?:>|→|»)$/.test(word.lead);
  return (isArrow(words[at - 1]) || isArrow(words[at + 1])) && lexicon.isCommon(words[at]!.lower);
}

/** Returns the name of one: "Two Daniels" are called Daniel. */
function oneOf(label: string, before: Word | undefined): string {
  const one = label.slice(0, -1);
  const several = label.endsWith('s') && before !== undefined && NUMBERS.has(before.lower);
  return several && isGivenName(one.toLowerCase()) ? one : label;
}

/** Adds titles in quotation marks, such as "The Silent Harbor", and returns them. */
function titlesIn(
  sentence: string,
  lexicon: Lexicon,
  add: (label: string, kind: EntityKind) => void,
): string[] {
  const titles: string[] = [];
  for (const [, title] of sentence.matchAll(QUOTED)) {
    const parts = title!.replace(/[.,!?]+$/, '').split(' ');
    if (parts.length > MOST_PARTS || !isUpper(parts[0]!) || !isUpper(parts.at(-1)!)) continue;
    const label = parts.join(' ');
    titles.push(label);
    if (parts.length > 1 || !lexicon.isCommon(parts[0]!.toLowerCase())) add(label, 'other');
  }
  return titles;
}

const isPredicate = (word: string, lexicon: Lexicon): boolean =>
  PREDICATES.has(word) ||
  isAuxiliary(word) ||
  isPast(word) ||
  (word.endsWith('s') && isFiniteVerb(word, lexicon));

/**
 * Whether a capitalised word at the start of a sentence is a name. The capital is no evidence there, so only
 * a listed name, or an unknown word before a verb, counts.
 */
function isNameAtStart(
  label: string,
  word: Word,
  next: Word | undefined,
  after: Word | undefined,
  lexicon: Lexicon,
): boolean {
  const lower = label.toLowerCase();
  const common = lexicon.isCommon(lower);
  const known = knownKind(lower);
  // "Reading helps", "Nice one": names of towns that are other words first.
  if (ALSO_WORDS.has(lower) && /ing$|^(?:nice|mobile|orange|split)$/.test(lower)) return false;
  if (known !== undefined) {
    return (
      !common ||
      (known === 'place' && !ALSO_WORDS.has(lower)) ||
      PREDICATES.has(next?.lower ?? '') ||
      isPossessive(word) ||
      isOfPerson(next?.lower ?? '', after?.lower ?? '') ||
      (isGivenName(lower) && !lexicon.isVerb(lower) && lower !== 'will')
    );
  }
  if (common) return isOfPerson(next?.lower ?? '', after?.lower ?? '');
  return (
    /[a-z][A-Z]|^[A-Z]{2,6}$/.test(label) ||
    (label.length > 2 && (isPossessive(word) || isPredicate(next?.lower ?? '', lexicon)))
  );
}

/** "Joss is allergic", "Wren lives in": only a person does, so a common word is a name before it. */
const isOfPerson = (next: string, after: string): boolean =>
  (isAdverb(next) && PERSONAL.test(after)) ||
  (next === 'is' && /^(?:allergic|vegan|vegetarian|coeliac|celiac|diabetic|pregnant|married)$/.test(after)) ||
  (next === 'lives' && /^(?:in|with|near)$/.test(after)) ||
  (next === 'works' && /^(?:at|as|for)$/.test(after)) ||
  PERSONAL.test(next);
const PERSONAL = /^(?:hates|adores|detests)$/;

/** Whether this is a common word capitalised for emphasis ("so COOL", "a Big deal"). */
function isEmphasis(label: string, lexicon: Lexicon): boolean {
  const lower = label.toLowerCase();
  if (EMPHASISED.has(lower)) return true;
  return (
    label.length > 4 &&
    label === label.toUpperCase() &&
    lexicon.isCommon(lower) &&
    knownKind(lower) === undefined
  );
}
