/** Sentences that put one part forward: "Trieste is where I live", "The dentist I go to is Dr Castellano". */
import { NAME } from './name-pattern.ts';

const SELF = "(I|we)(['’](?:m|re|ve))?";
const STATE =
  '((?:(?:now|currently|still|also|have|am|are) )*)(live|lived|living|work|worked|working|study|studied|studying|grew up|train|shop|bank)';

/** "Here in Plovdiv, where I live", "from Lugo, that's where I live", "Trieste is where I live". */
const WHERE = new RegExp(
  `(${NAME}),? (?:(?:which|that|it)(?:['’]s| is) |is )?where ${SELF} ${STATE}\\b`,
  'u',
);
/** "Celery is the one thing I'm allergic to", "that's who I work for". */
const WHAT = new RegExp(
  `^(?:.*(?:[,:]| at| for| with| to) )?([\\p{L}][\\p{L}\\p{N}'’&-]*(?: [\\p{L}\\p{N}'’&-]+){0,2}?)(?:,? that['’]s| is| are) (?:the (?:one|only) (?:thing|food|place|company|person)(?: that)?|what|who) ${SELF} ((?:[\\p{L}'’]+ ){0,3}[\\p{L}'’]+?)(?: (?:now|these days))?$`,
  'u',
);
/** "The dentist I go to is Dr Castellano", "The firm that I work for is called Nordbeam". */
const THE_ONE = new RegExp(
  `^(?:the|The) ([\\p{L}-]+) (?:that |who |whom )?${SELF} ((?:[\\p{L}'’]+ ){0,2}[\\p{L}'’]+) (?:is|are)(?: called| now)? ([^,;]{2,60})$`,
  'u',
);

/** Returns the sentence with the part in its usual place. */
export function uncleft(text: string): string[] {
  const found: string[] = [];
  const where = text.includes('where ') ? WHERE.exec(text) : null;
  if (where !== null) {
    const [, place, who, short = '', adverbs, verb] = where;
    const preposition = /^(?:work|stud|train|shop|bank)/.test(verb!) ? 'at' : 'in';
    found.push(`${who}${short} ${adverbs}${verb} ${preposition} ${place}`);
  }
  const what = / (?:I|we)\b/.test(text) ? WHAT.exec(text) : null;
  if (what !== null) {
    const [, value, who, short = '', predicate] = what;
    found.push(`${who}${short} ${predicate!.replace(/ (?:now|these days)$/, '')} ${value}`);
  }
  const one = /^the /i.test(text) ? THE_ONE.exec(text) : null;
  if (one !== null) {
    const [, noun, who, short = '', predicate, value] = one;
    found.push(`My ${noun} is ${value}`, `${who}${short} ${predicate} ${value}`);
  }
  return found;
}
