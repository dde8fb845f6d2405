/** Facts that stand beside a sentence, or have the value first: "Bergen, my home for ten years". */
import { relationOf } from '../reading/relations.ts';
import { NAME } from './name-pattern.ts';

/** Things of which a person has one with a name. */
const THING =
  '(?:(?:new|own|home|old|first|only) )?(?:home(?: ?town)?|city|bank|gym|school|university|uni|college|company|employer|car|van|motorbike|surname|last name|first name|bike|department|favou?rite [\\p{L}]+)';
/** Nouns that stand after "the only … I'm on", "another … of mine". */
const OWNED = '[\\p{L}-]+(?: [\\p{L}-]+)?';

/** "Bergen, my home for ten years": the name before its noun. */
const BESIDE = new RegExp(
  `(${NAME}), (?:now |also |still )?(?:my|our) (${THING})(?=$|[,.;!]| (?:for|since|at|in|these|now|and)\\b)(?: ((?:for|since) [^,.;!]{2,30}))?`,
  'u',
);
/** "Kowalska, that's my surname", "All my accounts are with ING, that's my bank". */
const NAMED_BEFORE = new RegExp(
  `(?!(?:I|We|My|Our|All)\\b)(${NAME})(?: [^,]{1,20})?(?:,[^,]{1,40})?,? (?:and )?(?:that|it|this)(?:['’]s| is) (?:my|our) (${THING})(?=$|[,.;!]| and\\b)`,
  'u',
);
/** "Omeprazole is the only medication I'm on", "Birdwatching is another hobby of mine". */
const ONE_OF = new RegExp(
  `^([\\p{L}][\\p{L}\\p{N}'’& -]{1,40}?) (?:is|are) (?:the only|the main|another|an|a|one) (${OWNED}) (?:of (?:mine|ours)|(?:that )?(?:I|we)(?:['’](?:m|ve|re)| am| have)?(?: got| on| take| taking| have| play| do| own| use| speak| like)*)(?=$|[,.;!]| (?:since|now|at the moment))`,
  'u',
);
/** "I've changed my email to …", "I'm changing the target to 74". */
const CHANGED =
  /\b(?:I|we)(?:['’](?:ve|m|re)| have| am| are)?(?: just| now| also)? (?:chang(?:ed|ing)|switch(?:ed|ing)|updat(?:ed|ing)|rais(?:ed|ing)|lower(?:ed|ing)) (?:my|our|the) ((?:[\p{L}-]+ ){0,2}[\p{L}-]+?) (?:from [^,;]{1,30} )?to ([^\s,;][^,;]{0,60})/iu;
/** "Pork isn't something I eat". */
const NOT_ONE =
  /^([\p{L}][\p{L}-]{2,20}(?: [\p{L}-]{2,20})?) (?:is|are)(?:n['’]t| not) (?:something|a thing|things) (?:that )?(I|we) (?:ever |would ever )?(eat|drink|like|do|have|touch|enjoy)\b/iu;
/** "My new doctor, whom I met this morning, is Dr Yilmaz". */
const RELATIVE_CLAUSE = /, (?:who|whom|whose|which)\b[^,;:.!?]{3,90}, (?=\p{Ll}+)/gu;
/** "My husband Kwame – he's a pilot – is allergic". */
const BETWEEN_DASHES =
  / [–—-] [^–—]{3,70} [–—-] (?=(?:is|are|was|has|have|had|lives?|works?|loves?|hates?|takes?|eats?|plays?|speaks?)\b)/g;
/** "She is 3 years old and 97 cm tall", "I'm vegan and allergic to nuts": two things that somebody is. */
const IS_BOTH =
  /^(.{1,40}?(?: is| am| are|['’]m|['’]re|['’]s)) [^,;:]{2,40}? and (?!(?:I|we|he|she|it|they|my|our|you|also|so|then|now)\b)([\p{L}\d][^,;.!?]{2,40})$/iu;
/** "My rent has gone up, it's 960 euros now". */
const CHANGED_SINCE =
  /\b(?:my|our) ((?:(?!has |have )[\p{L}-]+ ){0,2}?(?!has\b|have\b)[\p{L}-]+?)(?: has| have|['’]s)(?: just| now)? (?:changed|gone (?:up|down)|risen|dropped|increased|been (?:raised|cut|changed)), (?:and |so )?it['’]?s (?:now )?([^,;]{2,60})/iu;
/** "I changed my number, it's 555-0199 now". */
const I_CHANGED =
  /(?:^|\bI(?:['’]ve| have)? )(?:just )?(?:changed|got|switched) (?:my|a new) ((?:phone |mobile |e-?mail )?(?:number|address|e-?mail|surname|name|job|car|gym|bank|degree|major|course|diet|doctor|dentist|school)), (?:and )?(?:it['’]?s|it is) (?:now )?([^,;]{2,60}?)(?:,? not [^,;]{2,30}?)?(?: now)?$/iu;
/** "A good friend of mine, Yusuf". */
const OF_MINE =
  /\b(?:[Aa]n? )?(?:(?:good|old|close|best|dear) )?(friend|colleague|cousin|neighbour|neighbor|flatmate|roommate) of (?:mine|ours),? (\p{Lu}\p{L}+)/iu;

/** "My new car, a Skoda Octavia": the noun before its name. */
const NOUN_FIRST = new RegExp(
  `\\b(?:[Mm]y|[Oo]ur) ((?:(?:new|old|first|current) )?(?:car|van|bike|motorbike|phone|laptop|bank|gym|company|employer|school|uni|university|college)), (?:an? |the )?(${NAME})(?=$|[,.;!)]| (?:and|which|that|is|has|since|in|at)\\b)`,
  'u',
);
/** "Dr Mbeki, he's been my dentist for ages". */
const PERSON_BEFORE = new RegExp(
  `(?!(?:I|We|My|Our)\\b)(${NAME})[^,\\p{Lu}]{0,40}, (?:and )?(?:he|she|they)(?:['’]s|['’]re| is| are| has| have)(?: been)? (?:still |now |also )?(?:my|our) ((?:[\\p{L}-]+ )?[\\p{L}-]+?)(?=$|[,.;!]| (?:for|since|now|and)\\b)`,
  'u',
);
/** "My number has changed to 555-0119", "our rent went up to 910 euros". */
const HAS_CHANGED =
  /\b(?:my|our) ((?:(?!has |have )[\p{L}-]+ ){0,2}?(?!has\b|have\b)[\p{L}-]+?)(?: has| have|['’]s)?(?: just| now)? (?:changed|switched|risen|dropped|fallen|increased|gone (?:up|down)|went (?:up|down)|rose|fell)(?: from [^,;]{1,30})? to ([^\s,;][^,;]{0,60})/iu;
/** "My favourite film isn't Alien any more, it's Arrival". */
const NOT_BUT =
  /\b(?:my|our) ((?:[\p{L}-]+ ){0,2}[\p{L}-]+?)(?:['’]s not| is not| isn['’]t) [^,]{1,40}?(?: any ?more| any longer)?, (?:it['’]s|it is|but) (?:now )?([^,;]{2,60})/iu;
/** "My niece Thandeka, a midwife in Durban, says", "Benedikta (our new deputy head) wants". */
const APPOSED =
  /((?:\b[Mm]y |\b[Oo]ur )(?:\p{Ll}+ ){1,2}\p{Lu}\p{L}+|\b(?:[Mm]y|[Oo]ur) (?:\p{Ll}+ )?\p{Ll}+(?=, an? )|(?<=^|[.!?] )\p{Lu}\p{L}+)(?:,| \() ?(an? [^,()]{3,50}|(?:my|our) [^,()]{3,40})(?:,|\)) (?=\p{Ll})/u;
/** "My brother in Angers", "my aunt Perpetua in Kerala": where somebody lives. */
const IN_PLACE =
  /\b(?:my|our) ((?:(?:best|little|big|older|younger|other) )?\p{Ll}+(?: \p{Lu}\p{L}+)?) in (\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)(?=$|[,.;!)]| (?:and|who|has|is|says|said|now|for|left)\b)/u;
/** "We bought a house in Leeds and moved in on Friday". */
const MOVED_IN = new RegExp(
  `\\b(?:bought|rented|found|got) (?:a|an|the|our|my) (?:[\\p{L}-]+ ){0,2}(?:house|flat|apartment|place|room|studio|cottage|bungalow) in (${NAME})[^;]{0,30}\\bmoved in\\b`,
  'u',
);

/** Returns what is said of a noun out of its usual place. */
export function turnedRound(text: string): string[] {
  const found: (string | undefined)[] = [];
  if (/\b(?:my|our) /i.test(text)) {
    const [, name, thing, since] = text.includes(', ') ? (BESIDE.exec(text) ?? []) : [];
    if (name !== undefined)
      found.push(`My ${thing} ${since === undefined ? 'is' : 'has been'} ${name} ${since ?? ''}`.trim());
    const [, before, noun] = /(?:t|s)(?:['’]s| is) (?:my|our) /.test(text)
      ? (NAMED_BEFORE.exec(text) ?? [])
      : [];
    if (before !== undefined) found.push(`My ${noun} is ${before}`);
    found.push(ofOwn(text));
  }
  const own = /, (?:and )?it(?:['’]?s| is) /.test(text) ? I_CHANGED.exec(text) : null;
  if (own !== null) found.push(`My ${own[1]} is ${own[2]}`);
  const [, place] = text.includes('moved in') ? (MOVED_IN.exec(text) ?? []) : [];
  if (place !== undefined) found.push(`I moved to ${place}`);
  const one = / (?:is|are) (?:the|an?|another|one) /.test(text) ? ONE_OF.exec(text) : null;
  if (one !== null) found.push(`My ${one[2]!.replace(/^other |^main /, '')} is ${one[1]}`);
  const changed = / (?:chang|switch|updat|rais|lower)\w+ (?:my|our|the) /.test(text)
    ? CHANGED.exec(text)
    : null;
  if (changed !== null) found.push(`My ${changed[1]} is now ${changed[2]}`);
  const not = /(?:n['’]t| not) (?:some|a )?things? /.test(text) ? NOT_ONE.exec(text) : null;
  if (not !== null) found.push(`${not[2]} don't ${not[3]} ${not[1]!.toLowerCase()}`);
  const apposed = /, an? |, (?:my|our) | \(/.test(text) ? APPOSED.exec(text) : null;
  if (apposed !== null) found.push(`${apposed[1]} is ${apposed[2]}`);
  const both = text.includes(' and ') ? IS_BOTH.exec(text) : null;
  if (both !== null) found.push(`${both[1]} ${both[2]}`);
  if (/ [–—-] /.test(text)) {
    const plain = text.replace(BETWEEN_DASHES, ' ');
    if (plain.length < text.length) found.push(plain);
  }
  if (/, who|, which/.test(text)) {
    const plain = text.replace(RELATIVE_CLAUSE, ' ');
    if (plain.length < text.length) found.push(plain);
  }
  const [, relation, who] = text.includes(' of ') ? (OF_MINE.exec(text) ?? []) : [];
  if (who !== undefined) found.push(`My ${relation!.toLowerCase()} is called ${who}`);
  return found.filter(each => each !== undefined);
}

/** Reads what stands after "my …": a name, a change, a correction. */
function ofOwn(text: string): string | undefined {
  if (text.includes(', ')) {
    const noun = NOUN_FIRST.exec(text);
    if (noun !== null) return `My ${noun[1]} is a ${noun[2]}`;
    const person = PERSON_BEFORE.exec(text);
    if (person !== null) return `My ${person[2]} is called ${person[1]}`;
    const since = CHANGED_SINCE.exec(text);
    if (since !== null) return `My ${since[1]} is now ${since[2]}`;
    const other = NOT_BUT.exec(text);
    if (other !== null) return `My ${other[1]} is ${other[2]}`;
  }
  const place = text.includes(' in ') ? IN_PLACE.exec(text) : null;
  if (
    place !== null &&
    relationOf(place[1]!.split(' ').findLast(word => /^\p{Ll}/u.test(word))!) !== undefined
  )
    return `My ${place[1]} lives in ${place[2]}`;
  const changed = / to \S/.test(text) ? HAS_CHANGED.exec(text) : null;
  // "My wife switched from Chase to Ally": a person is nothing else now.
  const isPerson = relationOf(changed?.[1]?.split(' ').at(-1) ?? '') !== undefined;
  return changed === null || isPerson ? undefined : `My ${changed[1]} is now ${changed[2]}`;
}
