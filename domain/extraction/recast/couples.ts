/** Sentences about the speaker and one other: "Mateo and I are back together". */
import { GIVEN_NAMES } from '../names/known-names.ts';

const COUPLE =
  /(?:^|[,;:] |\b(?:and|but|so|since) )(\p{Lu}\p{L}+) and (?:I|me) (?:(?:have|just|finally|officially|are|were|['’]re) )*(?<what>(?:back |still )?together|(?:got )?(?:engaged|married)|getting (?:married|divorced)|broke(?:n)? up|split(?: up)?|over(?=$|[,.;!])|separated|divorced|(?:aren['’]t|not|no longer) (?:together|a couple|friends|speaking)(?: any ?more)?)(?=$|[,.;!]| (?:again|now|in|on|last|this|since|for|but|and|two|a (?:week|month|year|few))\b)(?<when>(?: (?:in|on|last|this|since) [^,.;]{2,20})?)/u;

/** The end of the sentence, or when it was. */
const WHEN_OR_END =
  '(?=$|[,.;!]| (?:(?:last|this) (?:week|month|year|spring|summer|autumn|winter|night)|yesterday|by text|for good|(?:a|two|three|\\d+) (?:days?|weeks?|months?|years?) ago|in (?:\\p{Lu}\\p{L}+|\\d{4})|on \\p{Lu}\\p{L}+day)\\b)';
/** "Mateo left me", "Marco broke up with me", "I've dumped Sandu", "I ended things with Marco". */
const LEFT = new RegExp(
  `(?:^|[,;:] |\\b(?:and|but|so) )(?:(\\p{Lu}\\p{Ll}+) (?:has |just |finally )*(?:(?:dumped|broke up with|split up with|divorced) me|left me(?: for (?:someone|somebody|another|his|her) ?\\p{L}*)?)|I(?:['’]ve)? (?:just |finally )*(?:dumped|ended (?:things|it) with|called it quits with) (\\p{Lu}\\p{Ll}+)|(\\p{Lu}\\p{Ll}+) (?:is (?:now )?my ex|is(?:n['’]t| not| no longer) my (?:boyfriend|girlfriend|husband|wife|partner|fiancée?))(?: any ?more| now)?)${WHEN_OR_END}`,
  'u',
);
/** "I'm no longer with Marco", "I'm not at Acme any more". */
const NOT_WITH =
  /\bI(?:['’]m| am) (?:no longer (?<long>with|at) (?<one>\p{Lu}[\p{L}&'’]*(?: \p{Lu}[\p{L}&'’]*)?)|not (?<more>with|at) (?<two>\p{Lu}[\p{L}&'’]*(?: \p{Lu}[\p{L}&'’]*)?) (?:any ?more|any longer))(?=$|[,.;!]| (?:because|since|after|as)\b)/u;

/** "The divorce came through today". */
const DIVORCED =
  /^(?:(?:and|so|well),? )?(?:[Tt]he|[Mm]y|[Oo]ur) divorce (?:(?:has |finally |just )*(?:come|came|went|gone) through|is (?:now |finally )?(?:final|finalised|finalized|official))\b/u;

/** Returns how things stand between the two. */
export function coupleIn(text: string): string[] {
  if (DIVORCED.test(text)) return ['I got divorced'];
  const left = /\b(?:left|dumped|broke|split|divorced|ended|quits|my) /.test(text) ? LEFT.exec(text) : null;
  if (left !== null) return [`I broke up with ${left[1] ?? left[2] ?? left[3]}`];
  const not = / (?:not|no longer) (?:with|at) /.test(text) ? NOT_WITH.exec(text) : null;
  if (not !== null) {
    const { long, one, more, two } = not.groups!;
    const [how, whom] = one === undefined ? [more, two!] : [long, one];
    const isPerson = how === 'with' && GIVEN_NAMES.has(whom.toLowerCase());
    return [isPerson ? `I broke up with ${whom}` : `I no longer work at ${whom}`];
  }
  const match = / and (?:I|me) /.test(text) ? COUPLE.exec(text) : null;
  if (match === null) return [];
  const name = match[1]!;
  const { what, when } = match.groups!;
  // "Anna and I are together in the same team".
  if (/together/.test(what!) && / together in (?:the|an?|our|my) /.test(text)) return [];
  if (/friends|speaking/.test(what!)) return [`I'm no longer friends with ${name}`];
  if (/^(?:back |still )?together$/.test(what!)) return [`I'm in a relationship with ${name}`];
  if (/^(?:got )?(?:engaged|married)$/.test(what!)) return [`I'm ${what!.replace('got ', '')} to ${name}`];
  if (/^getting/.test(what!)) return [];
  return [`I broke up with ${name}${when ?? ''}`];
}
