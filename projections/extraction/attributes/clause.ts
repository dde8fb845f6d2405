/** A clause in the form that the rules read: contractions written out, marks of one kind, openers and asides gone. */

const LONG_FORMS: readonly [RegExp, string][] = [
  [/[’‘]/g, "'"],
  [/\b[Ii]'m\b/g, 'I am'],
  [/\b[Ii]m\b(?= )/g, 'I am'],
  [/\b[Ii]'ve\b/g, 'I have'],
  [/\b[Ii]ve\b(?= )/g, 'I have'],
  [/\b[Ii]'ll\b/g, 'I will'],
  [/\b[Ii]'d\b/g, 'I would'],
  [/\bi\b/g, 'I'],
  [/\b([Ww]e)'re\b/g, '$1 are'],
  [/\b([Ww]e)'ve\b/g, '$1 have'],
  [/\b([Ww]e)'ll\b/g, '$1 will'],
  [/\b(is|are|was|were|do|does|did|have|has|had|would|could|should)n'?t\b/g, '$1 not'],
  [/\bcan(?:'t|not)\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/\bgonna\b/g, 'going to'],
  [/\bfavorite\b/g, 'favourite'],
  [
    /\b(\p{Lu}[\p{L}-]+|[Ss]he|[Hh]e)'s (?=(?:an?|the|been|not|now|in|at|from|moving|working|living|allergic|dating|married|engaged|studying|learning|going|planning|vegan|vegetarian)\b)/gu,
    '$1 is ',
  ],
  [/\s+/g, ' '],
];

const OPENER =
  /^(?:(?:so|well|and|but|yes|yeah|yep|no|oh|ok|okay|actually|anyway|btw|by the way|also|plus|hey|hi|look|listen|honestly|good news|big news|news|update|quick update|correction|sorry|wait|guess what|fyi|just so you know|as of (?:today|now|this week)|today|yesterday|now|nowadays|these days|currently|right now|at the moment|recently|finally|this (?:morning|week|month|year)|last (?:night|week|month|year|summer|winter|spring|autumn)|(?:in|since|on|from) (?:\d{4}|[A-Z][a-z]+(?: \d{1,2})?(?:,? \d{4})?)|after [^,]{3,40}|\p{Lu}\p{L}+)\b ?[,:;!.–—-]* ?)(?=[\p{Lu}\p{L}])/iu;
const MOST_OPENERS = 4;

/** What isn't said to be so: conditions, wishes, hearsay, jokes. */
const UNREAL =
  /^(?:if|unless|when|whenever|suppose|imagine|what if|even if|in case)\b|\b(?:wish|would|could|might|maybe|perhaps|probably|pretend|dreamt|dreamed|used to think|jok(?:e|ing)|kidding|as if|should|supposed to|almost|nearly|sarcas\w+|allegedly|apparently)\b|\bsays? (?:that )?(?:he|she|they|I)\b/i;

/** Not the month. */
const MAY = /\bmay (?:be|have|get|go|not|\p{Ll}+ to)\b/u;

export const isUnreal = (clause: string): boolean => UNREAL.test(clause) || MAY.test(clause);

export const plainClause = (clause: string): string => {
  let text = clause;
  for (const [pattern, form] of LONG_FORMS) text = text.replace(pattern, form);
  return text.trim().replace(/[.!…]+$/, '');
};

const STARTS = /^(?:I|we|We|my|My|our|Our)\b/;

/** Without what comes before the subject, as far as these are words that change nothing. */
export const fromSubject = (clause: string): string => {
  let text = clause;
  for (let n = 0; n < MOST_OPENERS && !STARTS.test(text); n++) {
    const [opener] = OPENER.exec(text) ?? [];
    if (!opener || isSubject(text, opener)) break;
    text = text.slice(opener.length);
  }
  return text;
};

/** "Grace moved": a name at the beginning is the subject, unless a mark follows ("Grace, I moved"). */
const isSubject = (text: string, opener: string): boolean =>
  /^\p{Lu}/u.test(opener) && !/[,:;!.–—-]/.test(opener) && !LOWER_OPENERS.test(text);
const LOWER_OPENERS =
  /^(?:so|well|and|but|yes|yeah|yep|no|oh|ok|okay|actually|anyway|btw|by the way|also|plus|hey|hi|look|honestly|good news|update|correction|sorry|wait|guess what|today|yesterday|now|nowadays|currently|recently|finally|this|last|in|since|on|from|after|as|these|right|at)\b/i;
