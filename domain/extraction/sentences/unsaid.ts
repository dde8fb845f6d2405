import type { Lexicon } from './lexicon.ts';
import { isAuxiliary, isFiniteVerb, isPast } from './verbs.ts';

/** Verbs and openings whose omitted subject, in a chat, is the speaker. */
const UNSAID: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:can['’]t wait to|cannot wait to|can['’]t (?!believe)|couldn['’]t|haven['’]t|hadn['’]t|didn['’]t)\b/i,
    'I ',
  ],
  [
    /^(?:love|loved|hate|hated|enjoyed|miss|missed|want|wanted|need|prefer|tried|had|have to|used to|might|gotta)\s+(?!you\b|it\b|that\b|this\b)/i,
    'I ',
  ],
  [
    /^(?:going to|gonna|planning|starting (?:at|as|with)|hoping to|thinking (?:of|about)|trying to|looking (?:for|forward to|into)|working on|getting (?:ready|into|back)|saving up|feeling|(?:so |super |really )?(?:nervous|ready|thrilled) (?:to|about)|(?:so |super |really )(?:excited|determined) (?:to|about|for))\s+(?!you\b|it\b)/i,
    "I'm ",
  ],
  [
    /^(?:excited|interested|tired|bored|surprised|pleased|amazed|relaxed|determined|honou?red|relieved|motivated|worried|scared|obsessed|married|engaged|hooked|addicted|allergic)\b/i,
    "I'm ",
  ],
  [
    /^(?:been|never been)\s+(?!a\b|so\b|great\b|tough\b|hard\b|too\b|there\b|crazy\b|busy\b|good\b)/i,
    "I've ",
  ],
  [
    /^(?:(?:currently|now|still|also) )?(?:living|based|studying|employed) (?:in|at|near|with|by)\b|^(?:currently|now|still|also) (?:working (?:at|for|as)|at|with|on)\b/i,
    "I'm ",
  ],
  // "Learning Portuguese, two lessons a week", but "Learning Portuguese is hard".
  [/^(?:(?:[Cc]urrently|[Nn]ow|[Ss]till|[Aa]lso) )?[Ll]earning(?= \p{Lu}\p{L}{2,20}(?:$|[,.;!]))/u, "I'm "],
  [/^(?:born|raised) (?:and (?:raised|bred) )?in\b/i, 'I was '],
];
const ADVERB_FIRST =
  /^(?:just|recently|finally|also|already|still|once|even|actually|yesterday|then)\s+(?=\w)/i;
/** Past forms that are something else at the start of a sentence: a command, a passive, an echo. */
const NO_START =
  /^(?:was|were|had|did|put|set|let|cut|hit|cost|hurt|shut|bet|lit|read|upset|united|blessed|based|inspired|compared|said|been|meant|agreed|liked|done)$/;

/** Words that begin an object or another clause. */
const NO_NOUN =
  /^(?:an?|the|my|our|his|her|their|your|its|this|that|these|those|some|any|no|one|two|three|it|me|us|him|them|of|in|on|at|to|for|from|with|by|about|up|out|off|down|over|into|back|away|through|around|which|who|when|while|where|what|how|and|but|or|because|since|so|as|if|after|before|until|[A-Z0-9].*)$/;
/** Whether the participle precedes its noun, and the verb follows both: "Cooked rice freezes well". */
function describes(text: string, lexicon: Lexicon): boolean {
  for (const [at, word] of text.split(' ', 6).slice(1).entries()) {
    if (NO_NOUN.test(word) || (at === 0 && (!lexicon.isCommon(word) || lexicon.isVerb(word)))) return false;
    if (isAuxiliary(word) || (!isPast(word) && word.endsWith('s') && at > 0 && isFiniteVerb(word, lexicon)))
      return true;
    if (/[,.;:]$/.test(word)) return false;
  }
  return false;
}

/** Adds the omitted subject: "Joined a travel club" → "I joined a travel club". */
export function withSubject(text: string, lexicon: Lexicon): string {
  const adverb = ADVERB_FIRST.exec(text)?.[0] ?? '';
  const rest = text.slice(adverb.length);
  const joined = (prefix: string): string =>
    prefix + adverb.toLowerCase() + rest.charAt(0).toLowerCase() + rest.slice(1);
  for (const [pattern, prefix] of UNSAID) if (pattern.test(rest)) return joined(prefix);
  const space = rest.indexOf(' ');
  const first = (space < 0 ? rest : rest.slice(0, space)).toLowerCase();
  // "Inspired by her, I started": a participle; the subject follows.
  const verb = isPast(first) && (lexicon.isVerb(first) || lexicon.isCommon(first)) && !NO_START.test(first);
  if (!verb || /^made (?:me|us|it|my|our|sense|a difference)\b/i.test(rest)) return text;
  const speaks = /,\s+(?:I|we|you|he|she|they|it)(?:['’]\w+)?\s/.test(rest);
  // "Took him two hours": the subject is not the speaker. "Cooked rice freezes well": another verb follows.
  const other =
    /^(?:took|cost|gave|made|left|kept|got) (?:me|us|him|her|them|you|forever|ages|hours|days|weeks)\b/i.test(
      rest,
    ) || describes(rest, lexicon);
  const byOthers = space >= 0 && /^by(?: |$)/i.test(rest.slice(space + 1));
  return text.split(' ').length > 2 && !byOthers && !speaks && !other ? joined('I ') : text;
}
