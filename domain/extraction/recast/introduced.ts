/** Names and values that stand apart from what they are: "Leeds born and bred", "the same car, a Toyota". */
import { INSTRUMENTS } from '../../facts/things.ts';
import { singular } from '../attributes/names-of-kin.ts';
import { NAME } from './name-pattern.ts';

/** "I'm Ada, living in Lund", "for those who don't know me: Ingmar, living in Lund". */
const INTRODUCED =
  /(?:\bknow me: |(?:^|[.!,] )I(?:['’]m| am) )(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?), ((?:currently |now )?(?:living|based|working|studying) .{3,80})$/u;
/** "Swansea born and bred, and I still live here". */
const BORN = new RegExp(
  `^(?:I['’]m |I am )?(${NAME}) born and (?:bred|raised)(?=$|[,.;!]| and\\b)([^.;]{0,60})`,
  'u',
);
const STILL_THERE = /\bstill (?:live |living )?(?:here|there)\b/;
/** "We've had the same car for years, a Toyota Yaris", "I bought a motorbike as well, a Honda Rebel". */
const OF_KIND = new RegExp(
  `\\b(?:I|[Ww]e)(?:['’]ve| have)?(?: got| had| have| own| drive| bought| got myself| use)+ (?:the same|an?|one)(?: \\p{Ll}+)? (car|van|phone|laptop|bike|motorbike|motorcycle|scooter|truck)(?<more> as well| too)?(?: now| for (?:\\p{Ll}+ ){0,2}(?:years|ages|months))?, an? (${NAME})(?=$|[,.;!]| (?:and|which|that)\\b)`,
  'u',
);
/** "Of all books, Emma is my favourite". */
const OF_ALL =
  /^(?:Out of|Of) all (?:the |my )?(\p{Ll}{3,15}s)(?: [^,]{2,20})?, (?:I['’]d say )?([^,;]{2,40}) is (?:still |now |by far )?my (?:absolute )?favou?rite$/iu;
/** "Got an accordion from my grandpa and play it every evening". */
const PLAYED = new RegExp(
  `\\b(?:[Gg]ot|[Oo]wn|have|bought|inherited) (?:an?|my|the) (?:old |new |second-hand )?(${INSTRUMENTS})\\b(?:(?! for )[^.;?!]){0,50}? (?:and|which)(?: I| now| I now)? play(?: it)?(?=$|[,.;!]| (?:every|most|daily|all|a lot|in|at|on|with|when)\\b)`,
  'u',
);
/** "I'm back with HSBC", without its subject. */
const BACK = new RegExp(`^Back (with|at) (${NAME})(?=$|[,.;!]| (?:now|again|and|since)\\b)`, 'u');
/** "We go to Riverside, it's our gym": the nearest name before what it is. */
const IT_IS = new RegExp(
  `^(?:I|[Ww]e)\\b[^,]{2,30}? (?:to|at|with) (${NAME}), (?:it|that)(?:['’]s| is) (?:my|our|the) (gym|bank|school|university|uni)(?=$|[,.;!]| (?:in|near|by|round|around|next|down|on|at|for|since|and|I)\\b)`,
  'u',
);

/** "My Deezer subscription, a gift, runs until September": who has it, has it. */
const SUBSCRIBED =
  /\b(?:[Mm]y|[Oo]ur) (?!Ex\b)(\p{Lu}[\p{L}+]*(?: \p{Lu}[\p{L}+]*)?) subscription(?:, [^,]{3,40},)? (?:runs (?<until>until [^,.;]{3,40})|costs|renews|is paid|goes up|went up|comes up)(?=$|[ ,.;!])/u;

/** Returns what is introduced by the speaker, as plain sentences. */
export function introducedIn(text: string): string[] {
  const found: string[] = [];
  const [, name, doing] =
    text.includes(', ') && / (?:living|based|working|studying) /.test(text)
      ? (INTRODUCED.exec(text) ?? [])
      : [];
  if (name !== undefined) found.push(`I'm ${name}`, `I'm ${doing}`);
  const paid = text.includes(' subscription') ? SUBSCRIBED.exec(text) : null;
  if (paid !== null) found.push(`I have a subscription to ${paid[1]} ${paid.groups?.until ?? ''}`.trim());
  const born = text.includes(' born and ') ? BORN.exec(text) : null;
  if (born !== null) {
    found.push(`I was born and raised in ${born[1]}`);
    if (STILL_THERE.test(born[2]!)) found.push(`I live in ${born[1]}`);
  }
  if (text.includes(', ')) {
    const kind = /, an? /.test(text) ? OF_KIND.exec(text) : null;
    if (kind !== null)
      found.push(
        kind.groups?.more !== undefined
          ? `I also have a ${kind[3]}`
          : /^(?:motor|scoo|tru)/.test(kind[1]!)
            ? `I have a ${kind[3]}`
            : `My ${kind[1]} is a ${kind[3]}`,
      );
    const [, nouns, value] = text.includes('f all ') ? (OF_ALL.exec(text) ?? []) : [];
    if (nouns !== undefined)
      found.push(
        `My favourite ${/^(?:mov|cook)ies$/i.test(nouns) ? nouns.slice(0, -1) : singular(nouns)} is ${value}`,
      );
    const place = /, (?:it|that)(?:['’]s| is) /.test(text) ? IT_IS.exec(text) : null;
    if (place !== null) found.push(`My ${place[2]} is ${place[1]}`);
  }
  const [, instrument] = text.includes(' play') ? (PLAYED.exec(text) ?? []) : [];
  if (instrument !== undefined) found.push(`I play the ${instrument}`);
  const back = text.startsWith('Back ') ? BACK.exec(text) : null;
  if (back !== null) found.push(`I'm back ${back[1]} ${back[2]}`);
  return found;
}
