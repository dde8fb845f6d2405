import { PLACES } from '../names/known-names.ts';
import type { Lexicon } from '../sentences/lexicon.ts';

/** The kind of phrase that a value is; it decides where the phrase ends and which words it excludes. */
export type ValueKind = 'place' | 'organization' | 'job' | 'thing' | 'name' | 'words' | 'verb';

const MONTH = 'January|February|March|April|May|June|July|August|September|October|November|December';
/** A calendar time as dates.ts writes it, with the words that lead to it. */
const CALENDAR_TIME = new RegExp(
  `(?:^|,? )(?:(?:on|in|at|since|from|until|till|by|before|after|around|early|late|mid|as of|back in|starting|of) )*(?:(?:the|a|several|some) [a-z ]{3,30}? (?:of|before|after) |(?:spring|summer|autumn|fall|winter) |(?:Christmas|Thanksgiving|Halloween) )?(?:\\d{1,2} )?(?:(?:${MONTH}) )?(?<![\\d,.])(?:1[89]|20)\\d\\d\\b.*$`,
);
const PHRASE_END = /[;:!?"“”()[\]…]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|Prof))\.(?=\s|$)| [-–—]+ |, /;
const LEADING =
  /^(?:(?:a|an|the|my|our|his|her|their|its|this|some|about|around|just|actually|really|now|currently|still|another|called|named) )+/i;
const TRAILING =
  /(?:^|,? )(?:now|then|today|tonight|currently|again|any ?more|too|also|already|finally|these days|at the moment|at the minute|right now|full[- ]time|part[- ]time|instead|actually|though|tho|lol|haha|permanently|recently|there|here|so far|still|really|at all|yet|as well|anyway|btw|please|pls|obviously|mostly|mainly|for now|for good|from now on|by the way|of course|thankfully|unfortunately|honestly|you know|last year|forever|all the time|a lot|so much|very much|every day|every week|every weekend|for years|for ages|for a while|for a living|(?:a|two|three|\w+) (?:times|days) a week|since|(?:last|this|next) [A-Z][a-z]+|nowadays|lately|after all|myself|originally|again|twice|once|before|sometimes|often)$/i;
const CONNECTORS =
  /,? (?:and (?:I|we|my|it|he|she|they|then|now|am|is|was|love|have)|but|so|because|since|when|where|which|who|that|while|although|though|if|unless|until|before|after|whenever|cause|cuz|as I|as we|as my|yet|than|except)\b.*$/i;
const CUTS: Readonly<Record<ValueKind, RegExp | undefined>> = {
  place: / (?:with|for|to|from|near|by|as|and|about|during|over|because|full)\b.*$/i,
  organization:
    / (?:in|with|for|as|to|from|on|near|by|doing|and (?!\p{Lu})|until|over|about|full|part)\b.*$/iu,
  job: / (?:at|in|for|with|from|by|on|to|and|or|here|who|since|based)\b.*$/i,
  thing: / (?:in|with|for|to|from|on|at|and|by|about|because|during|off|after|as)\b.*$/i,
  name: / (?:in|with|for|to|from|on|at|and|or|by|because|when|who|is|was|not)\b.*$/i,
  words: undefined,
  verb: undefined,
};
/** Words that point to something else, or to nothing. */
const NO_VALUE =
  /^(?:it|that|this|these|those|them|they|him|her|me|you|us|there|here|home|one|ones|something|someone|somebody|anything|anyone|everything|everyone|nothing|nobody|none|same|same place|thing|things|stuff|place|way|more|less|lot|lots|bit|so|much|what|how|where|who|own|myself|somewhere|elsewhere|another|person|people|guy|idea|other|others)$/i;
const POINTS = /\bI\b|\b(?:it|that|this|these|those|them|they|him|there|here|you|your|one)\b/i;
const NO_PLACE =
  /^(?:fear|peace|hope|pain|denial|constant|the moment|moment|past|present|middle|bed|dark|shadow|bubble|world|building|room|hurry|luck|love|touch|charge|trouble|shape)\b/i;
const HOUSES =
  /\b(?:flat|apartment|house|studio|village|town|city|street|road|avenue|lane|suburbs?|countryside|neighbou?rhood|farm|cottage|dorm|boat|van|north|south|east|west|coast|mountains?|island|outskirts|downtown|loft|bungalow|estate)\b/i;
const LONGEST_VALUE = 64;
/** A value cut off in the middle of a phrase. */
const UNFINISHED =
  /(?:^|\s)(?:the|a|an|to|for|with|of|in|on|at|and|or|like|by|than|from|ones?|about|make|their|my|our|as|is|are|be|some|more|very|so|into|this|that|not)$/i;

/**
 * Returns the short phrase at the start of `text`, without article and adverbs. Undefined if there is none of
 * that kind.
 */
export function phraseOf(text: string, kind: ValueKind, lexicon: Lexicon): string | undefined {
  let value = text.replace(CALENDAR_TIME, '');
  const end = PHRASE_END.exec(value);
  if (end !== null) value = value.slice(0, end.index);
  value = value.replace(CONNECTORS, '');
  const cut = CUTS[kind];
  if (cut !== undefined) value = value.replace(cut, '');
  for (let round = 0; round < 4; round++) {
    const shorter = value.replace(TRAILING, '').trim();
    if (shorter === value) break;
    value = shorter;
  }
  if (kind !== 'verb') value = value.replace(LEADING, '');
  value = value.replace(/[,.\s]+$/, '').replace(/^[\s,]+/, '');
  if (value === '' || value.length > LONGEST_VALUE || NO_VALUE.test(value)) return undefined;
  if (UNFINISHED.test(value) || /^(?:and|or|but|something|anything|also) /i.test(value)) return undefined;
  if (kind === 'verb')
    return value
      .replace(/\bmy\b/gi, 'their')
      .replace(/\b(?:me|us)\b/gi, 'them')
      .replace(/\bour\b/gi, 'their')
      .replace(/\b(?:myself|ourselves)\b/gi, 'themselves');
  if (POINTS.test(value)) return undefined;
  if (value.split(' ').length > 7) return undefined;
  return isOfKind(value, kind, lexicon)
    ? value.replace(/\b(?:my|our) /gi, '').replace(/\bmyself\b/gi, 'themselves')
    : undefined;
}

const isOfKind = (value: string, kind: ValueKind, lexicon: Lexicon): boolean => {
  if (kind === 'place') return isPlace(value, lexicon);
  if (kind === 'name')
    return /^\p{Lu}/u.test(value) || (!value.includes(' ') && !lexicon.isCommon(value.toLowerCase()));
  return true;
};

/**
 * Whether it is a name, a kind of dwelling, or a word that isn't English: many people write cities in lower
 * case.
 */
const isPlace = (value: string, lexicon: Lexicon): boolean => {
  if (NO_PLACE.test(value)) return false;
  const lower = value.toLowerCase();
  return (
    /\p{Lu}/u.test(value) ||
    PLACES.has(lower) ||
    HOUSES.test(value) ||
    (!value.includes(' ') && !lexicon.isCommon(lower))
  );
};
