import { type Rule, rule } from '../rule.ts';

const ADVERBS =
  '(?:(?:right |all |back |up |down |over |out |here |abroad |alone |happily |part[- ]time |full[- ]time )*)';
const WITH = "(?:with (?:my |our |his |her |their |a |an )?[\\w'’ -]{2,30}? )?";
const NATIONALITIES =
  'american|british|english|irish|scottish|welsh|canadian|mexican|brazilian|australian|indian|african|spanish|french|german|italian|portuguese|dutch|belgian|danish|swedish|norwegian|finnish|polish|czech|russian|ukrainian|greek|turkish|chinese|japanese|korean|thai|vietnamese|filipino|egyptian|nigerian|kenyan|ghanaian|moroccan|swiss|austrian|hungarian|romanian|bulgarian|croatian|serbian|colombian|argentinian|argentine|chilean|peruvian|cuban|israeli|lebanese|iranian|pakistani|bangladeshi|indonesian|malaysian|singaporean|icelandic|estonian|latvian|lithuanian';
const LANGUAGES =
  'english|french|german|spanish|italian|portuguese|dutch|russian|polish|czech|greek|turkish|arabic|hebrew|hindi|chinese|mandarin|cantonese|japanese|korean|thai|vietnamese|swedish|norwegian|danish|finnish|hungarian|romanian|ukrainian|persian|farsi|urdu|bengali|tamil|swahili|catalan|welsh|irish|latin|icelandic|croatian|serbian|bulgarian|tagalog|indonesian|estonian|latvian|lithuanian|sign language|asl|bsl|georgian|afrikaans|zulu|yoruba';

export const PLACE_RULES: readonly Rule[] = [
  rule(
    'home',
    'state',
    'live lives lived living reside resides resided residing',
    new RegExp(`^${ADVERBS}${WITH}(?:in|on|near|at|around) (?<v>.+)`, 'i'),
    'place',
  ),
  rule(
    'home',
    'state',
    'be',
    new RegExp(
      `^(?:now |currently )?(?:based|living|settled|staying|located) ${ADVERBS}(?:in|on|near|at) (?<v>.+)`,
      'i',
    ),
    'place',
  ),
  rule(
    'home',
    'state',
    'be',
    /^(?:living )?in (?<v>\p{Lu}[\p{L} .'’-]{1,30}?) (?:now|these days|for (?:about |over |almost )?[\w]+ (?:years|months))\b/u,
    'place',
  ),
  rule(
    'home',
    'event',
    'moved moving move moves relocated relocating relocate relocates settled settling',
    /^(?:back |down |up |over |out |away |here |house |all the way |from .{2,30}? )*(?:to|into|in) (?!with\b)(?<v>.+)/i,
    'place',
  ),
  rule('hometown', 'state', 'be', /^(?:originally |actually )?from (?<v>\p{Lu}.+)/u, 'place'),
  rule('hometown', 'state', 'come comes', /^(?:originally )?from (?<v>\p{Lu}.+)/u, 'place'),
  rule('hometown', 'ever', 'grew growing', /^up (?:in|near|around) (?<v>.+)/i, 'place'),
  rule('hometown', 'ever', 'be', /^raised (?:in|near) (?<v>.+)/i, 'place'),
  rule(
    'birthplace',
    'ever',
    'be',
    /^born (?:and (?:raised|bred) )?in (?<v>(?!\d|January|February|March|April|May|June|July|August|September|October|November|December).+)/,
    'place',
  ),
  rule(
    'nationality',
    'state',
    'be',
    new RegExp(
      `^(?:an? |half[- ]|originally )?(?<v>(?:${NATIONALITIES})(?:[- ](?:american|british|canadian))?)(?: citizen)?(?=$|[,.]| (?:but|and|by|myself|citizen|so))`,
      'i',
    ),
    'thing',
    { oneOf: NATIONALITIES },
  ),
  rule(
    'nationality',
    'state',
    'have hold holds',
    /^(?:an? )?(?:dual )?(?<v>\p{Lu}[a-z]{2,14}) (?:passport|citizenship|nationality)/u,
  ),
  rule(
    'nationality',
    'event',
    'got received',
    /^(?:my |an? )?(?<v>\p{Lu}[a-z]{2,14}) (?:passport|citizenship|nationality)/u,
  ),
  rule(
    'language',
    'state',
    'speak speaks learning learn learns studying',
    new RegExp(
      `^(?:fluent |some |a (?:bit of|little) |basic |decent |good |both )?(?<v>(?:${LANGUAGES})(?:,? (?:and )?(?:${LANGUAGES})){0,3})\\b`,
      'i',
    ),
    'words',
    { oneOf: LANGUAGES },
  ),
  rule(
    'language',
    'state',
    'be',
    new RegExp(
      `^(?:fluent in|a native speaker of) (?<v>(?:${LANGUAGES})(?:,? (?:and )?(?:${LANGUAGES})){0,3})\\b`,
      'i',
    ),
    'words',
    { oneOf: LANGUAGES },
  ),
  rule(
    'language',
    'event',
    'started began',
    new RegExp(`^(?:learning|studying|taking|to learn) (?<v>${LANGUAGES})\\b`, 'i'),
    'thing',
    { oneOf: LANGUAGES },
  ),
  rule(
    'timezone',
    'state',
    'be',
    /^(?:in|on) (?:the )?(?<v>(?:[A-Z]{3,4}|UTC ?[+-]\d{1,2}|[A-Z][a-z]+)(?: time(?: ?zone)?))\b/,
  ),
];
