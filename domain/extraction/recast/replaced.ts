/** A new one in the place of another: "I changed jobs, I'm at Globex now", "X now instead of Y". */
import { MAKERS } from '../../facts/things.ts';
import { PLACES } from '../names/known-names.ts';
import { ANIMAL, relationOf } from '../reading/relations.ts';
import { NAME } from './name-pattern.ts';

/** Kinds of which one has one, in the plural as one changes them. */
const KIND = '(job|gym|bank|doctor|dentist|school|university|therapist|team|department)';
const CHANGED_KIND = new RegExp(
  `(?:^(?:[Jj]ust )?|\\b(?:I|[Ww]e)(?:['’]ve| have)?(?: just| finally)? )(?:[Cc]hanged|[Ss]witched|[Mm]oved|[Gg]ot a new|[Ff]ound a new|have a new) ${KIND}s?(?: (?:this|last) \\p{Ll}+| recently| again)?, (?:and |so |now )?(?:I['’]m (?:now )?(?:at|with|on|in)|I go to|I see|it['’]?s|I work (?:at|for)) (?<to>(?:Dr\\.? )?${NAME})(?=$|[,.;!]| now\\b)`,
  'u',
);
/** "My new job is at Globex". */
const JOB_AT = new RegExp(
  `^[Mm]y (?:new |current )?job is (?:now )?at (?<to>${NAME})(?=$|[,.;!]| now\\b)`,
  'u',
);
/** "I'm back in Ghent for good". */
const BACK_FOR_GOOD = new RegExp(
  `^(?:I['’]m|I am|[Ww]e['’]re|[Ww]e are) back in (?<to>${NAME}) (?:for good|permanently)(?=$|[,.;!])`,
  'u',
);
/** "I got a new phone number, 555 0188", "I have a new car, a Tesla". */
const NEW_ONE =
  /^(?:I|we)(?:['’]ve)? (?:just )?(?:have|got|bought|drive|chose|picked) a new ((?:phone |mobile |e-?mail )?(?:number|address|e-?mail|car|van|laptop|bike|phone)), (an? )?(?<to>(?:(?! for )[\p{Lu}\d+])(?:(?! for )[^,;]){1,50}|[^\s,;@]+@[^\s,;]+)$/iu;
/** "Replaced my Golf with a Tesla", "traded in the old van for a Volvo". */
const SWAPPED = new RegExp(
  `^(?:(?:I|[Ww]e)(?:['’]ve)? )?(?:just |finally )?(?:[Rr]eplaced|[Tt]raded in|[Tt]raded|[Ss]wapped|[Ee]xchanged) (?:my|our|the) (?:old )?(?:\\p{L}+ )?(?:car|van|motorbike|truck|${MAKERS}) (?:in )?(?:for|with) an? (?<to>\\p{Lu}[\\p{L}\\d-]*(?: [\\p{Lu}\\d][\\p{L}\\d-]*){0,2})(?=$|[,.;!]| (?:last|this|yesterday|because)\\b)`,
  'u',
);
/** "I have a new boyfriend, his name is Sam", "our daughter was born, her name is Mia". */
const NAMED_BEHIND =
  /\b(?:[Mm]y|[Oo]ur|(?:I|[Ww]e)(?:['’]ve| have)?(?: have| got| adopted| rescued)? an?) (?:(?:new|second|first|third) )?(?<kind>\p{Ll}+)(?: was born| arrived| is here)?(?:,| and) (?:his|her|its|their) name(?:['’]s| is) (?<name>\p{Lu}\p{L}+)(?=$|[,.;!]| (?:and|after)\b)/u;
/** "I take Ozempic now instead of metformin", "we play padel these days instead of squash". */
const INSTEAD =
  /^(?<who>I|[Ww]e) (?<verb>take|play) (?<to>[^,;]{2,30}?) (?:now|these days) (?:instead of|rather than) (?<from>[\p{L}\d-]+(?: [\p{L}\d-]+)?)$/u;
/** "My doctor changed my medication to Ozempic". */
const CHANGED_BY =
  /^(?:(?:my|the) )?(?:doctor|dr\.? \p{L}+|consultant|nurse|gp) (?:has |have )?(?:just )?(?:changed|switched) my (?<noun>medication|meds) (?:from [^,;]{2,30} )?to (?<to>[^\s,;]+)$/iu;
/** "We've swapped Neukölln for Pankow": a move, where both are places. */
const SWAPPED_PLACES = new RegExp(
  `^(?<who>I|[Ww]e|\\p{Lu}\\p{Ll}+)(?:['’]ve| have| has)? (?:just )?(?:swapped|exchanged|traded) (?<from>${NAME}) for (?<to>${NAME})(?=$|[,.;!]| (?:last|this|in|on|and|because|yesterday)\\b)`,
  'u',
);
const GAVE_AWAY = new RegExp(
  `\\b(?<who>I|[Ww]e)(?:['’]ve| have)?(?: had to)? (?:gave|given|give) (?<what>(?:my|our) (?:\\p{Ll}+ )?(?:${ANIMAL})) away(?=$|[,.;!]| (?:last|this|on|yesterday|because|to)\\b)`,
  'u',
);

/** Returns plain sentences of what is new, and of what is gone. */
export function replacedIn(text: string): string[] {
  const found: string[] = [];
  const kind = / new |[Cc]hanged |[Ss]witched |[Mm]oved /.test(text) ? CHANGED_KIND.exec(text) : null;
  if (kind !== null)
    found.push(kind[1] === 'job' ? `I work at ${kind.groups!.to}` : `My ${kind[1]} is ${kind.groups!.to}`);
  const job = text.includes(' job is ') ? JOB_AT.exec(text)?.groups?.to : undefined;
  if (job !== undefined) found.push(`I work at ${job}`);
  const home = text.includes(' back in ') ? BACK_FOR_GOOD.exec(text)?.groups?.to : undefined;
  if (home !== undefined) found.push(`I live in ${home}`);
  const [, noun, article = '', one] = text.includes(' a new ') ? (NEW_ONE.exec(text) ?? []) : [];
  if (one !== undefined) found.push(`My ${noun} is ${article}${one}`);
  const named = / name(?:['’]s| is) /.test(text) ? NAMED_BEHIND.exec(text)?.groups : undefined;
  if (named !== undefined && relationOf(named.kind!) !== undefined)
    found.push(`My ${named.kind} is called ${named.name}`);
  const instead = / (?:instead of|rather than) /.test(text) ? INSTEAD.exec(text)?.groups : undefined;
  if (instead !== undefined)
    found.push(
      `${instead.who} ${instead.verb} ${instead.to}`,
      `${instead.who} don't ${instead.verb} ${instead.from} any more`,
    );
  const swapped = / (?:for|with) an? /.test(text) ? SWAPPED.exec(text)?.groups?.to : undefined;
  if (swapped !== undefined) found.push(`I drive a ${swapped}`);
  const changed = / my .+ to /.test(text) ? CHANGED_BY.exec(text)?.groups : undefined;
  if (changed !== undefined) found.push(`My ${changed.noun} is now ${changed.to}`);
  const places =
    text.includes(' for ') && / (?:swapped|exchanged|traded) /.test(text)
      ? SWAPPED_PLACES.exec(text)?.groups
      : undefined;
  if (places !== undefined && [places.from!, places.to!].every(each => PLACES.has(each.toLowerCase())))
    found.push(`${places.who} moved from ${places.from} to ${places.to}`);
  const given = text.includes(' away') ? GAVE_AWAY.exec(text)?.groups : undefined;
  if (given !== undefined) found.push(`${given.who} gave away ${given.what}`);
  return found;
}
