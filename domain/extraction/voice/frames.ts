import type { Range } from './range.ts';

/** Where a sentence may begin. */
const START = '(?:^|[.!?…]\\s+|\\n[^\\S\\n]*)';
const POLITE =
  "(?:(?:please|pls|hey|hi|ok(?:ay)?|so|now|and|then|just),? |(?:can|could|would|will) you (?:please |help me (?:to )?)?|(?:i(?:['’]d| would) like|i want|i need) you to |help me (?:to )?|let['’]?s |let us )*";
/** Work on a text that is given. */
const WORK =
  'summari[sz]e|translate|polish|proofread|proof-read|rewrite|rephrase|reword|paraphrase|edit|correct|fix|improve|review|shorten|expand|simplify|check|analy[sz]e|explain|convert|format|extract|classify|reply to|respond to|answer|continue|complete|finish|grade|critique|read|quote|repeat|parse|transcribe';
/** A text to be made. */
const MAKE = 'write|draft|compose|create|generate|make up|invent|tell|give';
const TEXT =
  'text|e-?mail|mail|message|letter|story|poem|song|lyrics|scene|dialogue|dialog|conversation|script|speech|post|tweet|caption|essay|article|paragraph|sentence|passage|paper|report|note|quote|review|grammar|spelling|joke|riddle|bio|ad|example|excerpt|transcript|chat|snippet|code|function|prompt|monologue|diary|entry|novel|chapter|fiction|testimonial|statement|line|lines|phrase';
/** "Summarize: …", "Correct my grammar: …", "Write a story: …": the text follows the colon. */
const TASK_COLON = new RegExp(
  `${START}${POLITE}(?:(?:${WORK})\\b[^:.!?\\n]{0,80}|(?:${MAKE})\\b[^:.!?\\n]{0,60}\\b(?:${TEXT})s?\\b[^:.!?\\n]{0,60}):`,
  'gi',
);
/** "Translate this sentence. …", "Please proofread the following\n…": the text follows the sentence. */
const TASK_THIS = new RegExp(
  `${START}${POLITE}(?:${WORK})\\b[^:.!?\\n]{0,40}\\b(?:this|the following|these|below)\\b(?: (?:${TEXT})s?)?[^:.!?\\n]{0,30}[.:!?\\n]`,
  'gi',
);
/** From here on somebody plays a role. */
const PLAY = new RegExp(
  `${START}${POLITE}(?:role-?play|do (?:a |some )?role-?play|play (?:a game where|the (?:role|part) of|pretend)|act (?:as|like)|pretend (?:to be|you(?:['’]re| are)|i(?:['’]m| am))|you (?:are|play) (?:now )?(?:an? |the |my )?(?:role|character)|in this (?:story|game|scenario|role-?play|scene)|stay in character)\\b|\\b(?:let us|let['’]?s) role-?play\\b|\\[(?:role-?play|in character)\\]`,
  'gi',
);
/** "The recruiter wrote: …", "My sister texted me: …", "He said: …": the text follows the colon. */
const SAYS =
  /(?:^|[.!?…]\s+|\n[^\S\n]*)(?!(?:i|we)\b)(?:[^\s.!?:\n]+ ){1,8}?(?:said|says|wrote|writes|texted|replied|replies|asked|asks|answered|e-?mailed|messaged|posted|commented|told (?:me|us|him|her|them)|goes|went|shouted|read|reads|quote|tweeted|sent(?: me| us)?|was like|is like)(?: (?:me|us|back|this|that|today|yesterday|earlier|in (?:an|the|his|her|their) \w+))*: ?/gi;
/** "My friend's dating profile: …", "got this dm: …", "Listing: …": the text follows the colon. */
const PASTED =
  /(?:^|[.!?…]\s+|\n[^\S\n]*)(?!(?:my|note|reminder|fyi|about me|me)\b[^:]{0,12}:)(?:[^\s.!?:\n]+ ){0,8}?(?:profile|bio|dms?|message|msg|tweet|caption|listing|advert|ad|rental|wanted|for (?:rent|sale|hire)|to let|be like)(?: (?:from|by|of) [^:.!?\n]{1,30})?: ?/gi;
/** Cheap tests that spare most turns the patterns. */
const MAY_TASK = new RegExp(`\\b(?:${WORK})\\b`, 'i');
const MAY_PLAY = /role|\bact (?:as|like)|pretend|character|scenario|\bgame where/i;

/** Returns the ranges that a frame gives away: a text to work on, a role that is played, words of others. */
export function framesIn(text: string): Range[] {
  const ranges: Range[] = [];
  const restFrom = (pattern: RegExp): void => {
    pattern.lastIndex = 0;
    if (pattern.exec(text) !== null) push(ranges, pattern.lastIndex, text.length);
  };
  if (text.includes(':')) {
    restFrom(TASK_COLON);
    for (const pattern of [SAYS, PASTED])
      for (const match of text.matchAll(pattern)) {
        const from = match.index + match[0].length;
        const end = text.indexOf('\n\n', from);
        push(ranges, from, end < 0 ? text.length : end);
      }
  }
  if (MAY_TASK.test(text)) restFrom(TASK_THIS);
  if (MAY_PLAY.test(text)) {
    PLAY.lastIndex = 0;
    const play = PLAY.exec(text);
    if (play !== null) push(ranges, play.index, text.length);
  }
  return ranges;
}

function push(ranges: Range[], from: number, to: number): void {
  if (from < to) ranges.push({ from, to });
}
