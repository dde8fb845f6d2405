import { type EntityKind, HONORIFICS, kindOf, knownKind, listedKind, PLACE_BEFORE } from './entity-kinds.ts';
import { GIVEN_NAMES, NOT_NAMES, PLACES } from './known-names.ts';
import type { Lexicon } from './lexicon.ts';
import type { Word } from './sentences.ts';
import { isAuxiliary, isFiniteVerb, isPast } from './verbs.ts';

export interface Entity {
  label: string;
  kind: EntityKind;
}

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
/** Lower-case words inside a name. */
const CONNECTORS = set('of de la del von van der den di da al bin le');
const MOST_PARTS = 7;
const LONGEST_LABEL = 80;
/** Words capitalised only because they start a sentence, before a name. */
const STARTERS = set(`
the a an my our his her your their in on at when while after so both this that and but did do does is are was were has have had can could will would should yo morning evening afternoon glad besides last next since with from to if for by as even some no yes`);
const ARTICLES = set('the a an my our his her their');
const EMPHASISED = set('that this it so very really big love good great best life art music nature');
/** "I owe Luca 40 euros": the number belongs to these words, not to the name. */
const COUNTED = set(
  'euro euros dollars bucks pounds quid cents kg kilos km miles metres meters minutes hours days weeks months years times people percent',
);
/** Words that follow the subject of a sentence. */
const PREDICATES = set(
  'is was has had are were and said says will can told gave made helped loves likes wants',
);
/** Words that identify German, where all nouns are capitalised. */
const GERMAN = set(`
ich und der die das ist nicht ein eine einen mit auf für zu den dem im bei seit mein meine habe wir sie es auch hat war wie dass nach vom zum zur`);
/** "J.K.", "R.": the dot does not end a name. */
const INITIALS = /^(?:[A-Z]\.)+$/;
const QUOTED = /["“]([^"“”\n]{3,60})["”]/g;
const HANDLE = /(?<![\w.@])@([A-Za-z0-9_]{2,30})(?![\w@])/g;

function isUpper(word: string): boolean {
  const code = word.charCodeAt(0);
  return code < 128 ? code >= 65 && code <= 90 : /^\p{Lu}/u.test(word);
}
const isPossessive = (word: Word): boolean => word.lower.endsWith("'s");
const withoutPossessive = (word: string): string =>
  /['’`]s?$/i.test(word) ? word.replace(/['’`]s?$/i, '') : word;
const isContraction = ({ lower }: Word): boolean =>
  lower.includes("'") && /^i'|'(?:m|re|ve|ll|d|t)$/.test(lower);
const mayBegin = (word: Word | undefined): boolean =>
  word !== undefined &&
  isUpper(word.core) &&
  !NOT_NAMES.has(withoutPossessive(word.lower)) &&
  !isContraction(word);

export interface EntityFinder {
  /** The names in one sentence, in order; `english`: whether the sentence is English. */
  namesIn(sentence: string, words: readonly Word[], english: boolean): Entity[];
}

export function makeEntityFinder(lexicon: Lexicon): EntityFinder {
  return {
    namesIn(sentence, words, english) {
      const found: Entity[] = [];
      const add = (label: string, kind: EntityKind): void => {
        if (label.length > 1 && label.length <= LONGEST_LABEL) found.push({ label, kind });
      };
      if (sentence.includes('@')) for (const [handle] of sentence.matchAll(HANDLE)) add(handle, 'person');
      if (/["“]/.test(sentence)) titlesIn(sentence, lexicon, add);
      lowerCaseNamesIn(words, lexicon, add);
      let capitals = 0;
      for (const word of words) if (isUpper(word.core)) capitals++;
      if (capitals === 0) return found;
      // German nouns, headlines and text in capitals: only known names count.
      const german = !english && words.some(word => GERMAN.has(word.lower));
      const listedOnly = german || (words.length >= 4 && capitals * 10 >= words.length * 7);

      let quoted = false;
      for (let at = 0; at < words.length; at++) {
        const word = words[at]!;
        const within = quoted || (word.lead !== '' && /["“]$/.test(word.lead));
        if (within) quoted = !/["”]/.test(word.tail);
        if (within || !(isUpper(word.core) || /^i[A-Z]/.test(word.core)) || isContraction(word)) continue;
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
        const after = words[end + 1];
        const before = `${words[from - 2]?.lower ?? ''} ${words[from - 1]?.lower ?? ''}`;
        const opens = first && from === at;
        at = end;
        if (label.length < 2 || !/\p{L}/u.test(label) || NOT_NAMES.has(label.toLowerCase())) continue;
        if (
          listedOnly &&
          !honorific &&
          listedKind(label) === undefined &&
          !(english && GIVEN_NAMES.has(parts[0]!.toLowerCase()))
        )
          continue;
        if (parts.length === 1) {
          if (opens ? !isNameAtStart(label, words[end]!, after, lexicon) : isEmphasis(label, lexicon))
            continue;
        }
        add(label, kindOf(parts, before));
      }
      return found;
    },
  };
}

/** Adds titles in quotation marks, such as "The Silent Harbor". */
function titlesIn(sentence: string, lexicon: Lexicon, add: (label: string, kind: EntityKind) => void): void {
  for (const [, title] of sentence.matchAll(QUOTED)) {
    const parts = title!.replace(/[.,!?]+$/, '').split(' ');
    if (parts.length > MOST_PARTS || !isUpper(parts[0]!) || !isUpper(parts.at(-1)!)) continue;
    if (parts.length > 1 || !lexicon.isCommon(parts[0]!.toLowerCase())) add(parts.join(' '), 'other');
  }
}

/** Adds names written in lower case: "in prague", "my name is tomas". */
function lowerCaseNamesIn(
  words: readonly Word[],
  lexicon: Lexicon,
  add: (label: string, kind: EntityKind) => void,
): void {
  for (let at = 1; at < words.length; at++) {
    const { lower, core } = words[at]!;
    if (lower.length < 4 || core !== lower) continue;
    const previous = words[at - 1]!.lower;
    const place = PLACE_BEFORE.has(previous) && PLACES.has(lower);
    const person = previous === 'is' && words[at - 2]?.lower === 'name';
    if ((place || person) && !lexicon.isCommon(lower))
      add(core.charAt(0).toUpperCase() + core.slice(1), place ? 'place' : 'person');
  }
}

/** Index of the last word of the name that starts at `start`: capitals, connectors and a trailing number. */
function endOfName(words: readonly Word[], start: number, honorific: boolean): number {
  let end = start;
  while (end - start < MOST_PARTS - 1) {
    const word = words[end]!;
    const tail = honorific && end === start ? word.tail.replace('.', '') : word.tail;
    const next = words[end + 1];
    if (
      next === undefined ||
      (/[,.;:!?)"”]/.test(tail) && !INITIALS.test(word.core + word.tail)) ||
      isPossessive(word) ||
      /["“(]/.test(next.lead)
    )
      break;
    if (mayBegin(next)) end += 1;
    else if (
      /^\d{1,4}$/.test(next.core) &&
      !/^(?:19|20)\d\d$/.test(next.core) &&
      !PLACES.has(word.lower) &&
      !COUNTED.has(words[end + 2]?.lower ?? '')
    )
      end += 1;
    else if (next.lead === '&' && mayBegin(words[end + 2])) end += 2;
    else if (CONNECTORS.has(next.lower) && next.tail === '' && mayBegin(words[end + 2])) end += 2;
    else if (next.lower === 'of' && words[end + 2]?.lower === 'the' && mayBegin(words[end + 3])) end += 3;
    else break;
  }
  return end;
}

/** "Visited Paris", "The Elbow Inn": whether the first word is capitalised only because it starts the sentence. */
function isStarter(words: readonly Word[], at: number, lexicon: Lexicon): boolean {
  const lower = withoutPossessive(words[at]!.lower);
  const next = words[at + 1]!;
  if (knownKind(lower) !== undefined || knownKind(`${lower} ${withoutPossessive(next.lower)}`) !== undefined)
    return false;
  if (!lexicon.isCommon(lower) && !STARTERS.has(lower)) return false;
  return (
    STARTERS.has(lower) ||
    lexicon.isVerb(lower) ||
    /(?:ing|ly)$/.test(lower) ||
    knownKind(withoutPossessive(next.lower)) !== undefined ||
    !isUpper(next.core)
  );
}

function partsOf(words: readonly Word[], from: number, end: number): string[] {
  const parts: string[] = [];
  for (let at = from; at <= end; at++) {
    const { core, lower, tail } = words[at]!;
    if (parts.length === 0 && at < end && (ARTICLES.has(lower) || (at > from && CONNECTORS.has(lower))))
      continue;
    if (core === '') parts.push(words[at]!.lead);
    else
      parts.push(
        at === end ? withoutPossessive(core) : HONORIFICS.has(lower) && tail === '.' ? `${core}.` : core,
      );
  }
  return parts;
}

const isPredicate = (word: string, lexicon: Lexicon): boolean =>
  PREDICATES.has(word) ||
  isAuxiliary(word) ||
  isPast(word) ||
  (word.endsWith('s') && isFiniteVerb(word, lexicon));

/** At the start of a sentence a capital is no evidence: accepts only a listed name, or an unknown word before a verb. */
function isNameAtStart(label: string, word: Word, next: Word | undefined, lexicon: Lexicon): boolean {
  const lower = label.toLowerCase();
  const common = lexicon.isCommon(lower);
  const known = knownKind(lower);
  if (known !== undefined) {
    return (
      !common ||
      known === 'place' ||
      PREDICATES.has(next?.lower ?? '') ||
      isPossessive(word) ||
      (known === 'person' && !lexicon.isVerb(lower) && lower !== 'will')
    );
  }
  if (common) return false;
  return (
    /[a-z][A-Z]|^[A-Z]{2,6}$/.test(label) || (label.length > 2 && isPredicate(next?.lower ?? '', lexicon))
  );
}

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
