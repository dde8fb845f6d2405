/**
 * Finds names written in lower case, as in many chats: "ben called", "in prague", "aunt perpie", "imke's
 * flat". A listed name that is no English word counts anywhere; others only if the words around them rule out
 * anything else.
 */

import type { Lexicon } from '../sentences/lexicon.ts';
import type { Word } from '../sentences/sentences.ts';
import { type EntityKind, HONORIFICS, isGivenName, knownKind, PLACE_BEFORE } from './entity-kinds.ts';
import { ALSO_WORDS, NOT_NAMES, PLACES } from './known-names.ts';
import { isDrawnOut, withoutPossessive } from './name-words.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Given names in the dictionary that are hardly ever another word. */
const SURE = set(`
amelia andy anna anthony becky ben beth betty bobby carlos caroline catherine cynthia donna edward elizabeth erica fred gary hector ibrahim
james jerry jimmy johnny joseph josh julian lucia marc marcel mary matt molly muhammad nancy oliver oscar peggy peter sally sam ted theresa
tilly toby tom tommy tony tracy veronica vincent wendy abby marguerite dieter pieter anders solomon ramona naveed sameer sergey felicity`);
/** Listed names that are other words in lower case. */
const NEVER = set(`
will may rose hope grace mark frank drew faith joy chase art bill rob pat sue dale ray don gene lance alexa karen stan cal cam mia val nat
reg sal kat mae ana marie iris max jack june ali eli tat cass chad chuck hank jo nick norman robin ross sandy jean ken lea lily harry angela
kai shea asha leila dev ram emre dina mina anas issa jay rex maya luna leo viola aria eve siri cora ida flora myrtle`);
/** Names that are verbs too: "My sister may come", "hey hope". */
const VERBS_TOO = set('will may rose drew chase hope mark sue bill rob pat joy');
/** Words that introduce an unlisted name. */
const TITLES = set('aunt auntie uncle named mr mrs ms dr');
const isGreeting = (lower: string): boolean => /^(?:he+y+|hi+|hiya|hello)$/.test(lower);
const RELATIONS = set(`
friend sister brother wife husband son daughter cousin colleague boss girlfriend boyfriend partner aunt auntie uncle niece nephew
roommate flatmate teacher coach`);
const DETERMINERS = set(
  'my your his her our their the a an this that these those each every some any no its whose another',
);
/** "lives in", "moved to": a place follows, listed or not. */
const LIVING =
  /^(?:live|lives|lived|living|born|based|moved|moving|move|studied|studying|flat|house|job|office|brewery|flight|train|flying|flew|fly|trip|back) (?:in|to)$/;
const BEFORE_UNLISTED: ReadonlySet<string> = new Set([...TITLES, 'is', "name's", 'in', 'to']);
/** Words after "'s" that make it "is" or "has". */
const AFTER_IS = set(
  'a an the at in on to for from with by not so too very really just still now already always never been got gone done back up down off out over my your his her our their like what why how when where who that more less as',
);
const VERBAL = /(?:ed|ing|ly|tion|ment|ness|ies|ful|able|er|est)$/;

/** First words of places: "new" of "new york". */
const FIRST_OF_SEVERAL: ReadonlySet<string> = new Set(
  [...PLACES].filter(place => place.includes(' ')).map(place => place.slice(0, place.indexOf(' '))),
);

type Add = (label: string, kind: EntityKind) => void;

const capitalised = (text: string): string =>
  /^i(?:phone|pad|pod|mac|os)$/.test(text)
    ? `i${text.charAt(1).toUpperCase()}${text.slice(2)}`
    : text.replace(/(?<![\p{L}\p{M}'’])\p{Ll}/gu, letter => letter.toUpperCase());

/** Words that make a sentence English enough for a listed name: in chats many words are in no dictionary. */
const ENGLISH_ENOUGH = set(`
the and with said says going it's i'm my for at then he'd she'd he she won't we you are not this that but from can't didn't told asked met omw gonna`);

/**
 * Adds the names in text order. `english`: whether the sentence is English; otherwise only places after "in"
 * are looked for.
 */
export function lowerCaseNamesIn(words: readonly Word[], english: boolean, lexicon: Lexicon, add: Add): void {
  const readable = english || words.some(({ lower }) => ENGLISH_ENOUGH.has(lower));
  for (let at = 0; at < words.length; at++) {
    const { lower, core, tail } = words[at]!;
    // A letter in the first place rules out numbers, handles and capitals cheaply.
    const code = lower.charCodeAt(0);
    if (lower.length < 3 || core.charCodeAt(0) !== code || code < 97 || (code > 122 && code < 223)) continue;
    const next = words[at + 1];
    if (next !== undefined && tail === '' && FIRST_OF_SEVERAL.has(lower)) {
      const pair = `${lower} ${withoutPossessive(next.lower)}`;
      if (PLACES.has(pair) && !ALSO_WORDS.has(pair)) {
        add(capitalised(pair), 'place');
        at++;
        continue;
      }
    }
    const bare = withoutPossessive(lower);
    const found = kindInLowerCase(bare, words, at, readable, lexicon);
    // "iPhone" only begins in lower case.
    if (found !== undefined && core === core.toLowerCase()) add(capitalised(withoutPossessive(core)), found);
  }
}

function kindInLowerCase(
  bare: string,
  words: readonly Word[],
  at: number,
  english: boolean,
  lexicon: Lexicon,
): EntityKind | undefined {
  const word = words[at]!;
  const last = words[at - 1];
  const kind = knownKind(bare);
  // A cheap test that rules out most words.
  const mayBeUnlisted =
    bare.length < word.lower.length ||
    (last !== undefined && (BEFORE_UNLISTED.has(last.lower) || isGreeting(last.lower)));
  if ((kind === undefined && !mayBeUnlisted) || NOT_NAMES.has(bare)) return undefined;
  const previous = last !== undefined && !/[.!?:;)"”]/.test(last.tail) ? last.lower : '';
  const before = `${at > 1 ? words[at - 2]!.lower : ''} ${previous}`;
  const isWord = lexicon.isCommon(bare);
  if (PLACES.has(bare)) {
    if (LIVING.test(before)) return 'place';
    if (
      !ALSO_WORDS.has(bare) &&
      bare.length > 3 &&
      (PLACE_BEFORE.has(previous) || (english && !isGivenName(bare)))
    )
      return 'place';
  }
  const greeted = isGreeting(previous);
  if (!english && !greeted) return undefined;
  if (isGivenName(bare)) {
    if (/ name(?:'?s|) is$|^name is$| name's$/.test(before)) return 'person';
    if (SURE.has(bare) || (!isWord && !NEVER.has(bare) && (bare.length > 3 || kind === 'person')))
      return 'person';
    const called = greeted || RELATIONS.has(previous) || TITLES.has(previous);
    return called && !VERBS_TOO.has(bare) ? 'person' : undefined;
  }
  if (kind !== undefined) return !isWord && bare.length > 4 && kind !== 'place' ? kind : undefined;
  return isWord ? undefined : unlisted(bare, word, words[at + 1]?.lower ?? '', previous, before);
}

/** Returns the kind of a word that is in no list and no dictionary: a name, a typo or slang. */
function unlisted(
  bare: string,
  { lower, tail }: Word,
  next: string,
  previous: string,
  before: string,
): EntityKind | undefined {
  if (bare.length < 4 || isDrawnOut(bare) || VERBAL.test(bare) || !/^\p{L}[\p{L}\p{M}'-]+$/u.test(bare))
    return undefined;
  if (/(?:^| )name is$| name's$/.test(before)) return 'person';
  if (TITLES.has(previous) && !HONORIFICS.has(bare)) return 'person';
  if (isGreeting(previous)) return /[,.!?…]/.test(tail) ? 'person' : undefined;
  if (LIVING.test(before)) return 'place';
  // "my roomate's place" is a typo, and "standup's at ten" has a verb; "at imke's" and "imke's flat" have an
  // owner.
  const owns = lower.endsWith("'s") && previous !== '' && !DETERMINERS.has(previous);
  return owns && !AFTER_IS.has(next) && !next.endsWith('ing') ? 'person' : undefined;
}
