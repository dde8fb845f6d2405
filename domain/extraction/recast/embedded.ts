/** Statements inside others: "I forgot to say I'm allergic to nuts", "my son's allergic to eggs". */

/** Words that lead to a statement of the speaker, which is meant as said. */
const TOLD =
  /(?:^|[,;:] |\b(?:and|but|so|oh|sorry|also) )(?:i (?:(?:also|just|already|totally|completely) )?(?:forgot|forgotten|(?:(?:should|must|have to|need to|wanted to|ought to) (?:say|mention|add|tell you)|(?:forgot to (?:say|mention|add|tell you))|told you|mentioned|said(?: already| before)?))(?: to (?:say|mention|add|tell you))?|did i (?:mention|say|tell you)|as i (?:said|mentioned|told you),?|you (?:already )?know) (?:that )?((?:i|we|my|our)\b(?!['’]?d\b)[^?]{4,200})$/i;
const SAY = /\b(?:say|mention|add|tell|told|mentioned|said|know|forgot)\b/i;
/** "My son's allergic to eggs", "our youngest's three": the short form of "is". */
const SHORT_IS =
  /\b([Mm]y|[Oo]ur) ((?:\p{Ll}+ )?\p{Ll}+)['’]s (?=(?:allergic|vegan|vegetarian|pescatarian|pregnant|married|single|engaged|divorced|diabetic|coeliac|lactose|deaf|blind|retired|based|called|named|from|in|at|on|not|\d{1,3})\b)/u;
/** "As a vegan I hate that place". */
const AS = /^as (an? \p{L}[\p{L}\d -]{2,30}?) (?=i\b)/iu;
/** "Vegan btw": what the speaker is, alone in its sentence. */
const ALONE =
  /^(?:(?:still|also|strictly|newly) )?(vegan|vegetarian|pescatarian|coeliac|diabetic|teetotal|gluten[- ]free|lactose intolerant)(?:,? (?:btw|fyi|by the way|remember|now))?$/i;
/** "We named the baby Otis". */
const NAMED =
  /\b(?:I|[Ww]e)(?:['’]ve| have)? (?:just |finally )?(?:named|called) (?:the|our|my) (?:new )?(baby|son|daughter|puppy|kitten|dog|cat|little one) (\p{Lu}\p{L}+)(?=$|[,.;!]| (?:after|and|because|in)\b)/u;
/** "I'm seeing someone, his name's Marek", "I'm dating somebody called Ana". */
const SOMEONE =
  /\b(?:I['’]m|I am) (?:now )?(?:dating|seeing|going out with) (?:someone|somebody)(?: new)?(?:, (?:and )?(?:(?:his|her|their) name(?:['’]s| is)|(?:he|she)(?:['’]s| is) called)|,? (?:called|named)) (\p{Lu}\p{L}+)(?=$|[,.;!]| (?:now|for|since|and|but)\b)/u;
/** "I'm dating a musician, he's called Ray". */
const DATING =
  /\b(?:I['’]m|I am) (?:now )?(?:dating|seeing|going out with) (?:an? [^,;]{3,40}, (?:and )?(?:he|she)(?:['’]s| is)|(?:an?|this) (?:\p{Ll}+ )?(?:guy|girl|man|woman|boy|lad|bloke)) called (\p{Lu}\p{L}+)(?=$|[,.;!]| (?:now|for|since|and|but)\b)/u;

/** Returns the statements as sentences of their own. */
export function embeddedIn(text: string): string[] {
  const found: string[] = [];
  const told = SAY.test(text) ? TOLD.exec(text)?.[1] : undefined;
  if (told !== undefined) found.push(told);
  if (/['’]s /.test(text) && SHORT_IS.test(text)) found.push(text.replace(SHORT_IS, '$1 $2 is '));
  const as = /^as an? /i.test(text) ? AS.exec(text)?.[1] : undefined;
  if (as !== undefined) found.push(`I'm ${as}`);
  const alone = text.length < 40 ? ALONE.exec(text)?.[1] : undefined;
  if (alone !== undefined) found.push(`I'm ${alone.toLowerCase()}`);
  const named = /\b(?:named|called) (?:the|our|my) /.test(text) ? NAMED.exec(text) : null;
  if (named !== null) found.push(`My ${named[1]!.replace('little one', 'baby')} is called ${named[2]}`);
  const dating = text.includes(' called ') ? DATING.exec(text)?.[1] : undefined;
  const someone = /\bsome(?:one|body)\b/.test(text) ? SOMEONE.exec(text)?.[1] : undefined;
  if ((dating ?? someone) !== undefined) found.push(`I'm dating ${dating ?? someone}`);
  return found;
}
