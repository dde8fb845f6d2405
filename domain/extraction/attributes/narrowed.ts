import { ANY_MONTH } from '../dates/calendar.ts';
import { type Token, textOf } from '../reading/tokens.ts';

/** A calendar time as dates.ts writes it, with the words that lead to it. */
const time = (leads: string): string =>
  `(?:(?:${leads}) ){0,3}(?:the (?:end|start|beginning|middle|week) of )?(?:(?:early|late|mid|spring|summer|autumn|winter) )?(?:\\d{1,2} )?(?:(?:${ANY_MONTH}) )?(?:19|20)\\d\\d`;
/** Words behind an ended value that leave the end whole: how long ago, for good, how it was said. */
const WHOLE =
  "any ?more|any longer|after all|now|nowadays|these days|at all|either|though|actually|anyway|for good|for ever|completely|altogether|entirely|finally|recently|already|again|instead|too|as well|ages ago|(?:\\w+ )?\\w+ (?:weeks|months|years) ago|after (?:\\w+ ){0,3}(?:weeks|months|years)|(?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter|christmas)|lol|haha|sadly|thank god|btw|if you're wondering|by (?:text|phone|e-?mail|letter)";
/** A reason, which takes what follows with it. */
const REASON =
  /^(?:because|cause|cos|due to|thanks to|since (?:i|we|he|she|it|they|my|our|the|that|there|then)|so|as|and|but|which|who|on (?:[\w'’]+ ){1,3}(?:orders|advice)|for (?:an?|another|my|the) (?:\w+ ){0,2}(?:jobs?|role|position|company|firm|reasons?|health|sake|kids|baby|family)|to (?:an?|my|our|some|his|her) \w+|after (?:the|an?|our|my|his|her|that|all) (?!(?:first|second|third|last|minute|hour|set|match|game|meal|lunch|dinner|shift|party|meeting|concert|film|movie|call)\b)\w)/i;
const part = (leads: string): RegExp => new RegExp(`^(?:${WHOLE}|${time(leads)})(?=$| )`, 'i');
/** "I don't live there since May" is so since then; "I'm not working on 6 May" is of one day. */
const PARTS = {
  denial: part('since|as of|from|starting'),
  end: part('on|in|at|since|from|around|by|back in|as of|starting'),
};
const MOST_PARTS = 6;
/** A clause that limits the one before it: "until my ankle's better". */
const LIMITS = /^(?:when|whenever|while|until|till|unless|if|before|during)$/;

/**
 * Whether the words behind a value narrow what is said of it, to a time, a place, a manner or a degree: who
 * doesn't play the piano in front of people still plays it.
 *
 * @param from index of the first word behind the value
 * @param to index behind the predicate
 * @param kind `denial`: it is not so ("don't play"); `end`: it has ended ("gave up", "left")
 */
export function isNarrowed(
  tokens: readonly Token[],
  from: number,
  to: number,
  kind: keyof typeof PARTS,
): boolean {
  if (LIMITS.test(tokens[to]?.lower ?? '')) return true;
  // Behind a comma follows another remark.
  if (from >= to || /[,;:.!?)–—]/.test(tokens[from - 1]?.tail ?? '')) return false;
  let [rest = ''] = textOf(tokens, from, to).split(/[,;:.!?(–—]| - /, 1);
  for (let parts = 0; parts < MOST_PARTS; parts++) {
    rest = rest.trim();
    const [found] = PARTS[kind].exec(rest) ?? [];
    if (found === undefined) break;
    rest = rest.slice(found.length);
  }
  return rest !== '' && !REASON.test(rest);
}
