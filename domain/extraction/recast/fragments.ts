/** Sentences without a subject or a verb of their own: "Vegan here", "New number: …". */

/** "Vegan here, since 2020", "Pilot here": what the speaker is. */
const HERE =
  /^(?!(?:no|not|nobody|nothing|never|the|this|that|my|our|it|i|we|you|is|are|do|what|who|over|up|down|back|out|only|still|right|from|been|all|any)\b)((?:\p{L}[\p{L}'’-]*)(?: [\p{L}'’-]+){0,3}) here(?=[,.!;:]|$)(?:, ((?:since|for) [^,.;!]{2,30}))?/iu;
/** "Vegetarian since school", "Teacher for 20 years": what the speaker is. */
const SINCE =
  /^(?:(?:proud|happy|lifelong) )?(?!(?:it|not|best|first|ever|been|long|up|the|this|that|my)\b)(\p{L}[\p{L}-]+(?: [\p{L}-]+)?) ((?:since|for) (?:\p{L}+ )?[\p{L}\d]+(?: years| months)?)(?=$|[,.;!]| and\b)/iu;
/** "Name's Delphine Aubry", "Email is …". */
const OWN_NOUN =
  /^(?:new )?(name|surname|number|phone number|e-?mail|address|birthday)(?:['’]s| is) ([^;!?]{2,60})$/i;
/** "As a type 1 diabetic, can I …": what the speaker is. */
const AS = /^as (an? [\p{L}\d -]{3,30}),/iu;
/** "Penicillin allergy": a note. */
const NOTE = /^(?:(?:please )?note|fyi|reminder|also|btw)?[:,]? ?(\p{L}+(?: \p{L}+)?) allergy$/iu;
/** "Add soy to my allergies". */
const ADD =
  /^(?:please |can you |could you )?(?:add|put) (\p{L}[\p{L} -]{1,30}?) (?:to|on) my (?:list of )?([\p{L} ]{3,20}?)(?: list)?(?:,? please)?$/iu;
/** "The doctor says I'm allergic to wasps", "tests confirmed that I have asthma". */
const FOUND =
  /(?:^|[,;:] |\b(?:and|but|so) )(?:(?:the|my|our) )?(?:doctor|gp|consultant|specialist|hospital|tests?|results?|physio|allergist|nurse|dentist|dr\.? \p{L}+)s? (?:says?|said|told me|confirmed|confirms?|show(?:s|ed)?)(?: that)? ((?:I['’]m|I am|I have|I['’]ve got) [^,;]{3,60})/iu;
/** "NYC resident since 2011". */
const RESIDENT =
  /^(?:(?:proud|happy|long-?time|lifelong|new) )*(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,3}) (?:resident|dweller)\b(?: (since [^,.;!]{2,20}|for [^,.;!]{2,20}))?/u;
/** "Down to 82 kg", "Up to 84 kg": a measure of the speaker. */
const MEASURE =
  /^(?:(?:back )?(?:down|up)|at|now) (?:to |at )?(\d{1,3}(?:[.,]\d)? ?(?:kg|kilos?|lbs?|pounds|stone))\b/i;
/** "New number: 0170 …", "my new address: …". */
const LABELLED =
  /(?:^|[.,!] )(?:my |our )?(?:new|current|updated) ((?:phone |mobile |e-?mail |home |postal )?(?:number|address|email|e-?mail|mobile|surname|job|employer|car|phone|username|handle)): ?([^;!?]{3,80})$/i;
/** "First week at Kvarn Foods done", "Yesterday was my last day at St Luke's". */
const FIRST_OR_LAST =
  /^(?:(?<when>yesterday|today|this|last \w+|\w+day)\b(?: \w+)? (?:was|is) )?(?:my )?(?:very )?(?<which>first|last|final) (?:day|week|month|shift) (?:at|with|for) (?<place>[^,.;!?]{2,60}?)(?: (?:done|over|is over|was|today|yesterday|behind me|in the books|complete)\b[^,;]*)?$/i;

/** Returns what a fragment says of its speaker. */
export function fragmentsIn(text: string): string[] {
  return [
    here(text),
    resident(text),
    measure(text),
    labelled(text),
    firstOrLast(text),
    ...since(text),
    OWN_NOUN.test(text) ? `My ${text.charAt(0).toLowerCase()}${text.slice(1)}` : undefined,
    /^as an? /i.test(text) ? asWhat(text) : undefined,
    text.endsWith(' allergy') ? noted(text) : undefined,
    / I(?: am| have|['’])/.test(text) ? FOUND.exec(text)?.[1] : undefined,
    / my /.test(text) ? added(text) : undefined,
  ].filter(each => each !== undefined);
}

function here(text: string): string | undefined {
  const [, who, since] = text.includes(' here') ? (HERE.exec(text) ?? []) : [];
  if (who === undefined) return undefined;
  const plain = who.replace(/^an? /i, '');
  const what = plain.charAt(0).toLowerCase() + plain.slice(1);
  const said = `${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`;
  return since === undefined ? `I'm ${said}` : `I've been ${said} ${since}`;
}

function resident(text: string): string | undefined {
  const [, place, since] = /\b(?:resident|dweller)\b/.test(text) ? (RESIDENT.exec(text) ?? []) : [];
  if (place === undefined) return undefined;
  return since === undefined ? `I live in ${place}` : `I've lived in ${place} ${since}`;
}

function since(text: string): string[] {
  const [, what, when] = / (?:since|for) /.test(text) ? (SINCE.exec(text) ?? []) : [];
  if (what === undefined) return [];
  const said = what.charAt(0).toLowerCase() + what.slice(1);
  return [`I've been ${/^[aeiou]/.test(said) ? 'an' : 'a'} ${said} ${when}`];
}

const asWhat = (text: string): string | undefined => {
  const [, what] = AS.exec(text) ?? [];
  return what === undefined ? undefined : `I'm ${what}`;
};

const noted = (text: string): string | undefined => {
  const [, what] = NOTE.exec(text) ?? [];
  return what === undefined ? undefined : `I have a ${what.charAt(0).toLowerCase()}${what.slice(1)} allergy`;
};

function added(text: string): string | undefined {
  const [, what, noun] = ADD.exec(text) ?? [];
  return what === undefined ? undefined : `My ${noun} are also ${what}`;
}

const measure = (text: string): string | undefined => {
  const [, weight] = /^(?:back|down|up|at|now)\b/i.test(text) ? (MEASURE.exec(text) ?? []) : [];
  return weight === undefined ? undefined : `I weigh ${weight}`;
};

const labelled = (text: string): string | undefined => {
  const [, noun, value] = text.includes(':') ? (LABELLED.exec(text) ?? []) : [];
  return noun === undefined ? undefined : `My ${noun.toLowerCase()} is ${value}`;
};

function firstOrLast(text: string): string | undefined {
  if (!/\b(?:first|last|final) /i.test(text)) return undefined;
  const comma = text.indexOf(',');
  const match = FIRST_OR_LAST.exec(comma < 0 ? text : text.slice(0, comma));
  if (match === null) return undefined;
  const { when, which, place } = match.groups!;
  // "My last day at Nordbeam is the 31st" is a plan.
  if (/ (?:is|will|was|were) /.test(place!)) return undefined;
  const isWeekday = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/i.test(when ?? '');
  const day =
    when === undefined || /^this$/i.test(when)
      ? ''
      : isWeekday
        ? ` on ${when!.charAt(0).toUpperCase()}${when!.slice(1)}`
        : ` ${when.toLowerCase()}`;
  return which!.toLowerCase() === 'first' ? `I started at ${place}${day}` : `I left ${place}${day}`;
}
