import { type Token, textOf } from '../reading/tokens.ts';

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
/** A calendar time as dates.ts writes it, with the words that lead to it. */
const time = (leads: string): string =>
  `(?:(?:${leads}) )*(?:the (?:end|start|beginning|middle|week) of )?(?:(?:early|late|mid|spring|summer|autumn|winter) )?(?:\\d{1,2} )?(?:(?:${MONTHS}) )?(?:19|20)\\d\\d`;
/** Words behind an ended value that leave the end whole: how long ago, for good, why. */
const WHOLE =
  "any ?more|any longer|after all|now|nowadays|these days|at all|either|though|actually|anyway|for good|for ever|completely|altogether|entirely|finally|recently|already|again|instead|too|as well|ages ago|(?:\\w+ )?\\w+ (?:weeks|months|years) ago|after (?:\\w+ ){0,3}(?:weeks|months|years)|(?:last|this|next) (?:week|month|year|spring|summer|autumn|fall|winter|christmas)|lol|haha|sadly|thank god|btw|if you're wondering|on (?:[\\w'’]+ ){1,3}(?:orders|advice)|after (?:the|an?|our|my|his|her|that|all) (?!(?:first|second|third|last|minute|hour|set|match|game|meal|lunch|dinner|shift|party|meeting|concert|film|movie|call)\\b).+";
const REASON =
  '(?:because|cause|cos|since (?:i|we|he|she|it|they|my|our|the|that|there|then)|so|as|and|but|which|who)\\b.*';
const behind = (leads: string): RegExp =>
  new RegExp(`^(?: ?(?:${WHOLE}|${time(leads)}))* ?(?:${REASON})?$`, 'i');
/** "I don't live there since May" is so since then; "I'm not working on 6 May" is of one day. */
const BEHIND = {
  denial: behind('since|as of|from|starting'),
  end: behind('on|in|at|since|from|around|by|back in|as of|starting'),
};
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
export const isNarrowed = (
  tokens: readonly Token[],
  from: number,
  to: number,
  kind: keyof typeof BEHIND,
): boolean => {
  if (LIMITS.test(tokens[to]?.lower ?? '')) return true;
  // Behind a comma follows another remark.
  if (from >= to || /[,;:.!?)–—]/.test(tokens[from - 1]?.tail ?? '')) return false;
  const [rest = ''] = textOf(tokens, from, to).split(/[,;:.!?(–—]| - /, 1);
  return !BEHIND[kind].test(rest.trim());
};
