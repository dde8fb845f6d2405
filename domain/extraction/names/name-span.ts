/** Finds where a capitalised name begins and ends. */

import type { Lexicon } from '../sentences/lexicon.ts';
import type { Word } from '../sentences/sentences.ts';
import { HONORIFICS, knownKind } from './entity-kinds.ts';
import { PLACES } from './known-names.ts';
import { isOpening, isPossessive, isUpper, mayBegin, withoutPossessive } from './name-words.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
/** Lower-case words inside a name. */
const CONNECTORS = set('of de la del von van der den di da al bin le');
export const MOST_PARTS = 7;
const ARTICLES = set('the a an my our his her their');
/** "I owe Luca 40 euros": the number belongs to these words, not to the name. */
const COUNTED = set(
  'euro euros dollars bucks pounds quid cents kg kilos km miles metres meters minutes hours days weeks months years times people percent',
);
/** "J.K.", "R.": the dot does not end a name. */
const INITIALS = /^(?:[A-Z]\.)+$/;

/** "Guy's Hospital", "Sam's Club": one name. */
const OWNED_PLACES = set(
  'hospital club college square park church cathedral school academy market bay island square pub inn',
);
const isOwnedPlace = ({ core, lower }: Word): boolean => isUpper(core) && OWNED_PLACES.has(lower);

/** "d'Aubigné", "l'Hôpital": the particle is written with its name. */
const ELIDED = /^[dl]['’]\p{Lu}/u;

/** Returns how many words lead over particles ("van der") to a capital; 0 where none does. */
const particlesTo = (words: readonly Word[], from: number): number => {
  let at = from;
  while (at < from + 3 && CONNECTORS.has(words[at]?.lower ?? '') && words[at]!.tail === '') at++;
  return at > from && mayBegin(words[at]) ? at - from + 1 : 0;
};

/**
 * Returns the index of the last word of the name that starts at `start`: capitals, connectors and a trailing
 * number.
 */
export function endOfName(words: readonly Word[], start: number, honorific: boolean): number {
  // "@Ben Can you …": after a mention a sentence may start.
  const mentioned = words[start]!.core.startsWith('@');
  const goesOn = (word: Word | undefined): boolean =>
    mayBegin(word) && !(mentioned && isOpening(word!.lower));
  let end = start;
  while (end - start < MOST_PARTS - 1) {
    const word = words[end]!;
    const tail = honorific && end === start ? word.tail.replace('.', '') : word.tail;
    const next = words[end + 1];
    if (
      next === undefined ||
      (/[,.;:!?)"”]/.test(tail) && !INITIALS.test(word.core + word.tail)) ||
      (isPossessive(word) && !isOwnedPlace(next)) ||
      /["“(]/.test(next.lead)
    )
      break;
    if (goesOn(next)) end += 1;
    else if (
      /^\d{1,4}$/.test(next.core) &&
      !/^(?:19|20)\d\d$/.test(next.core) &&
      !PLACES.has(word.lower) &&
      !COUNTED.has(words[end + 2]?.lower ?? '')
    )
      end += 1;
    else if (next.lead === '&' && mayBegin(words[end + 2])) end += 2;
    else if (CONNECTORS.has(next.lower) && next.tail === '' && particlesTo(words, end + 1) > 0)
      end += particlesTo(words, end + 1);
    else if (ELIDED.test(next.core)) end += 1;
    else if (next.lower === 'of' && words[end + 2]?.lower === 'the' && mayBegin(words[end + 3])) end += 3;
    else break;
  }
  return end;
}

/** "Visited Paris", "The Elbow Inn": whether the capital is only due to the sentence's start. */
export function isStarter(words: readonly Word[], at: number, lexicon: Lexicon): boolean {
  const lower = withoutPossessive(words[at]!.lower);
  const next = words[at + 1]!;
  if (knownKind(lower) !== undefined || knownKind(`${lower} ${withoutPossessive(next.lower)}`) !== undefined)
    return false;
  if (isOpening(lower)) return true;
  if (!lexicon.isCommon(lower)) return false;
  return (
    lexicon.isVerb(lower) ||
    /(?:ing|ly)$/.test(lower) ||
    knownKind(withoutPossessive(next.lower)) !== undefined ||
    !isUpper(next.core)
  );
}

/**
 * Returns the words of a name as its label has them: without an article, a mention's sign and a possessive
 * ending.
 */
export function partsOf(words: readonly Word[], from: number, end: number): string[] {
  const parts: string[] = [];
  for (let at = from; at <= end; at++) {
    const { core, lower, tail } = words[at]!;
    if (parts.length === 0 && at < end && (ARTICLES.has(lower) || (at > from && CONNECTORS.has(lower))))
      continue;
    const bare = at === from && core.startsWith('@') ? core.slice(1) : core;
    if (bare === '') parts.push(words[at]!.lead);
    else
      parts.push(
        at === end ? withoutPossessive(bare) : HONORIFICS.has(lower) && tail === '.' ? `${bare}.` : bare,
      );
  }
  return parts;
}
