import { ANY_MONTH } from '../../dates/calendar.ts';
import { ORGANIZATIONS, PRODUCTS } from '../../names/known-names.ts';
import { textOf } from '../../reading/tokens.ts';
import { type Frame, frame } from '../frame.ts';
import { place } from '../place-type.ts';
import { isOneOf, matching, oneOf, type ValueType } from '../values.ts';

const NATIONALITIES =
  'american|british|english|irish|scottish|welsh|canadian|mexican|brazilian|australian|indian|african|spanish|french|german|italian|portuguese|dutch|belgian|danish|swedish|norwegian|finnish|polish|czech|russian|ukrainian|greek|turkish|chinese|japanese|korean|thai|vietnamese|filipino|egyptian|nigerian|kenyan|ghanaian|moroccan|swiss|austrian|hungarian|romanian|bulgarian|croatian|serbian|colombian|argentinian|argentine|chilean|peruvian|cuban|israeli|lebanese|iranian|pakistani|bangladeshi|indonesian|malaysian|singaporean|icelandic|estonian|latvian|lithuanian|slovak|slovenian|syrian|iraqi|afghan|ethiopian|jamaican|venezuelan|bolivian';
export const LANGUAGES =
  'english|french|german|spanish|italian|portuguese|dutch|russian|polish|czech|greek|turkish|arabic|hebrew|hindi|chinese|mandarin|cantonese|japanese|korean|thai|vietnamese|swedish|norwegian|danish|finnish|hungarian|romanian|ukrainian|persian|farsi|urdu|bengali|tamil|swahili|catalan|welsh|irish|latin|icelandic|croatian|serbian|bulgarian|tagalog|indonesian|estonian|latvian|lithuanian|sign language|asl|bsl|georgian|afrikaans|zulu|yoruba|basque|galician|slovak|slovenian|malay|punjabi|gujarati|amharic|esperanto';
const DEMONYMS = `${NATIONALITIES}|${NATIONALITIES.split('|')
  .map(each => `${each} citizen`)
  .join('|')}`;
const PASSPORT = /^(?<v>\p{Lu}[a-z]{2,14}) (?:passport|citizenship|nationality)/u;

/** How long, or that it is so now. */
const LIVES_NOW = new RegExp(
  `\\b(?:now|nowadays|these days|for (?:about |almost |over |like |nearly |the last |the past )?[\\w-]+ (?:years|months)|since (?:(?:early|late) )?(?:[\\p{L}]+ )?(?:19|20)\\d\\d|since (?:${ANY_MONTH}))\\b`,
  'u',
);
/** "In Lyon now", "in Lyon for seven years": not the place of a weekend. */
const placeNow: ValueType = item => {
  const { tokens, phrase, end } = item;
  const after = tokens
    .slice(phrase.from, end)
    .map(({ lower }) => lower)
    .join(' ');
  // "In Rome now, back on Sunday" visits.
  if (/\bnow\b/.test(after) && end < tokens.length) return undefined;
  if (/\bnow (?!for good|permanently|for (?:about |almost |over )?[\w-]+ (?:years|months))\S/.test(after))
    return undefined;
  return LIVES_NOW.test(after) ? place(item) : undefined;
};

/** "To Antwerp for the weekend", "to Notion for all my notes". */
const STAYS =
  /^(?:for (?:the|a|one|two|an) (?:weekend|night|day|afternoon|evening|week|few days|couple of days|holidays?|days)|for (?:all )?(?:my|our|the) (?!family|job|work|studies|husband|wife|partner|boyfriend|girlfriend|kids|phd|degree|sister|brother|mother|mum|health)|in (?:the|a) (?:quiz|game|paintball|queue|table|ranking))/i;
/** Words behind "moved" that are none of a thing. */
const WITHOUT_OBJECT =
  /^(?:from|back|out|over|down|up|away|abroad|house|houses|home|here|in|together|all|recently|finally|just|permanently|again|temporarily|with|to|into|last|this|a|two|three|yesterday|today|after|at|for|because)|day$/;

/** "I moved from Netflix to Mubi" is no change of address. */
const placeMovedTo: ValueType = item => {
  // "I moved the server to Frankfurt", "moved on to Tolstoy".
  const verb = item.tokens.findLastIndex(
    ({ lower }, at) => at < item.phrase.bare && /^(?:mov|relocat|emigrat)/.test(lower),
  );
  const next = item.tokens[verb + 1]?.lower ?? '';
  if (verb >= 0 && verb + 2 < item.phrase.bare && !WITHOUT_OBJECT.test(next)) return undefined;
  const from = item.tokens.findIndex(({ lower }) => lower === 'from');
  const left = from < 0 ? '' : (item.tokens[from + 1]?.lower ?? '');
  if (ORGANIZATIONS.has(left) || PRODUCTS.has(left) || PRODUCTS.has(item.tokens[item.phrase.from]!.lower))
    return undefined;
  const to = place(item);
  return to === undefined || STAYS.test(textOf(item.tokens, item.phrase.to, item.end)) ? undefined : to;
};

/** "I'm back from Rome" was there. */
const notBack: ValueType = item =>
  /^(?:back|just|fresh|home|returned)$/.test(item.tokens[item.phrase.bare - 2]?.lower ?? '')
    ? undefined
    : place(item);

/** "14 Larkrise Lane": a number and capitals. */
const address = matching(
  /^(?<v>\d{1,4}[a-z]?(?: \p{Lu}[\p{L}'’.-]*){1,4})(?=$|[,.;!]| (?:in|near|and|now|since)\b)/u,
);

export const PLACE_FRAMES: readonly Frame[] = [
  frame('address', 'state', 'live reside', '~at', address),
  frame('address', 'event', 'move', '~to', address),
  frame('home', 'state', 'live reside dwell', '~in|on|near|at|around', place),
  frame('home', 'state', 'be', 'based|settled|located in|on|near|at', place),
  frame('home', 'event', 'move relocate emigrate', '~to|into|in', placeMovedTo),
  frame('home', 'state', 'be', 'in', placeNow),
  frame(
    'home',
    'state',
    'be',
    'in my|our old|new|own|little|first? house|flat|apartment|studio|place|cottage in|on|near',
    place,
  ),
  frame('home', 'event', 'settle', '~in', place),
  frame('hometown', 'state', 'be come', 'from', notBack),
  frame('hometown', 'ever', 'grow', '~in|near|around', place, { particle: 'up' }),
  frame('hometown', 'ever', 'be', 'raised in|near', place),
  frame('birthplace', 'ever', 'be', 'born in', place),
  frame('birthplace', 'ever', 'be', 'born and raised|bred in', place),
  frame('nationality', 'state', 'be', '', isOneOf(DEMONYMS)),
  frame('nationality', 'state', 'have hold', '', matching(PASSPORT)),
  frame('nationality', 'event', 'get receive', '', matching(PASSPORT)),
  frame('language', 'state', 'speak learn', '', oneOf(LANGUAGES), { list: true }),
  frame('language', 'event', 'start begin', '', isOneOf(LANGUAGES)),
  frame('language', 'event', 'enrol enroll', '~in|for', oneOf(LANGUAGES)),
  frame('language', 'event', 'give', '', oneOf(LANGUAGES), { particle: 'up', ended: true }),
  frame('language', 'event', 'quit drop', '', isOneOf(LANGUAGES), { ended: true }),
  frame('language', 'state', 'be', 'fluent in', oneOf(LANGUAGES), { list: true }),
  frame('language', 'state', 'be', 'a native speaker of', oneOf(LANGUAGES), { list: true }),
  frame('language', 'event', 'start begin', 'learning|studying|taking', oneOf(LANGUAGES), { list: true }),
  frame('language', 'event', 'start begin', 'to learn|study', oneOf(LANGUAGES), { list: true }),
  frame(
    'timezone',
    'state',
    'be',
    'in|on',
    matching(/^(?:the )?(?<v>(?:[A-Z]{3,4}|UTC ?[+-]\d{1,2}|[A-Z][a-z]+)(?: time(?: ?zone)?))\b/),
  ),
];
