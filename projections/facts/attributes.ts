/**
 * The attributes that are known by name. Others are kept alike, and then all of their values hold side by side. A question that
 * asks for one is recognised by its wording; to add an attribute, add a row.
 */

export interface Attribute {
  /** snake_case; a trailing underscore stands for a family, such as `favourite_colour`. */
  name: string;
  /** Whether one value holds at a time, so that a later one replaces it, or several side by side. */
  holds: 'one' | 'several';
  /** What it is, in a few words. */
  is: string;
  /** How a question asks for it. */
  asked: RegExp;
}

const one = (name: string, is: string, asked: RegExp): Attribute => ({ name, holds: 'one', is, asked });
const several = (name: string, is: string, asked: RegExp): Attribute => ({
  name,
  holds: 'several',
  is,
  asked,
});

export const ATTRIBUTES: readonly Attribute[] = [
  // Where somebody is.
  one(
    'home',
    'where somebody lives',
    /\b(?:liv(?:e|es|ed|ing) (?:now|these days|at present|currently|at the moment)|liv(?:e|es|ed|ing)\b(?! (?:with|together|for|off|on|music|concert|through|without))|(?:home|new|current|postal|mailing|street|present) ?address|address\b(?=[^.]*\?)(?<!email address)|home ?town now|resid(?:e|es|ing|ence)|based\b(?! on)|mov(?:e|es|ed|ing) to|relocat\w+|(?:which|what) (?:city|town|country|neighbou?rhood|street) .*\b(?:in|live|lives|living|home)\b|where(?:'s| is) (?:my|his|her|their|your|\w+['’]s) (?:home|house|flat|apartment|place)|where (?:am|is|are) .*\bhome\b)/i,
  ),
  one(
    'hometown',
    'where somebody comes from',
    /\b(?:home ?town|grow up|grew up|born (?:in|at)|where .*\b(?:come|comes|coming) from|where .*\bfrom\b(?! (?:to|work|home)))/i,
  ),
  one('nationality', 'a citizenship', /\b(?:nationality|citizen(?:ship)?|passport (?:do|does|from))\b/i),
  // Work and learning.
  one(
    'employer',
    'whom somebody works for',
    /\b(?:employ(?:er|ed by|s)|work(?:s|ed|ing)? (?:for|at)\b|(?:which|what) (?:company|firm|employer|organi[sz]ation|hospital|school|bank|agency|studio) .*\bwork|where .*\bwork(?:s|ed|ing)?\b(?! out))/i,
  ),
  one(
    'job',
    'what somebody works as',
    /\b(?:(?:current |new |day )?jobs?\b(?! interview)|profession|occupation|career\b|work(?:s|ed|ing)? as|for a living|do(?:es)? .* for work|job title|(?:what|which) (?:position|role|title)\b)/i,
  ),
  one(
    'boss',
    'whom somebody reports to',
    /\b(?:boss|manager|supervisor|line manager|report(?:s|ing)? to|in charge of (?:me|my team))\b/i,
  ),
  one(
    'salary',
    'what somebody earns',
    /\b(?:salary|earn(?:s|ing)?|get(?:s)? paid|paid (?:a|per) (?:year|month|hour)|wage)\b/i,
  ),
  one(
    'school',
    'the school or university that somebody attends',
    /\b(?:(?:which|what|where) .*\b(?:school|university|college|uni)\b|go(?:es)? to (?:school|college|university)|attend(?:s|ing)?)\b/i,
  ),
  one(
    'studies',
    'what somebody studies',
    /\b(?:stud(?:y|ies|ied|ying)|major(?:s|ing)?\b|degree|course .* taking|phd|thesis)\b/i,
  ),
  one('team', 'the team that somebody is in', /\b(?:(?:which|what) team|team .*\b(?:on|in)\b)/i),
  // People.
  one(
    'partner',
    'a wife, husband, girlfriend, boyfriend',
    /\b(?:partner|wife|husband|spouse|girlfriend|boyfriend|fianc[eé]e?|married to|engaged to|dat(?:e|es|ing)\b|seeing anyone|going out with|in a relationship)\b/i,
  ),
  one(
    'relationship_status',
    'single, married, divorced',
    /\b(?:single\b|relationship status|married\b(?! to)|divorced|widowed)/i,
  ),
  several('child', 'a son or daughter', /\b(?:kids?|children|sons?|daughters?|baby|babies|toddler)\b/i),
  several('parent', 'a mother or father', /\b(?:mother|father|mum|mom|dad|parents?)\b/i),
  several('sibling', 'a brother or sister', /\b(?:brothers?|sisters?|siblings?)\b/i),
  several(
    'relative',
    'another relative',
    /\b(?:uncles?|aunts?|cousins?|grand(?:ma|pa|mother|father|parents?)|nieces?|nephews?|relatives?)\b/i,
  ),
  several('friend', 'a friend', /\b(?:(?:best |close |old )?friends?|mates?)\b/i),
  several('colleague', 'somebody one works with', /\b(?:colleagues?|co-?workers?)\b/i),
  several(
    'roommate',
    'whom somebody lives with',
    /\b(?:room-?mates?|flat-?mates?|house-?mates?|liv(?:e|es|ing) with|share .* (?:flat|house|apartment))\b/i,
  ),
  several(
    'pet',
    'an animal that somebody keeps',
    /\b(?:pets?|dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrots?|horses?|greyhound)\b/i,
  ),
  one(
    'doctor',
    'a doctor or therapist',
    /\b(?:doctor|gp|physician|dentist|therapist|paediatrician|pediatrician|vet)\b/i,
  ),
  // Who somebody is.
  one(
    'name',
    'what somebody is called',
    /\b(?:my name|full name|last name|surname|maiden name|what (?:am i|is (?:he|she)) called)\b/i,
  ),
  one('nickname', 'a short name', /\b(?:nickname|call me|goes by|go by)\b/i),
  one('pronouns', 'how to speak of somebody', /\bpronouns\b/i),
  one('age', 'how old somebody is', /\b(?:how old|age\b|turn(?:s|ed|ing)? \d+)/i),
  one('birthday', 'the day of birth', /\b(?:birthdays?|born on|when .*\bborn|date of birth|b-?day)\b/i),
  one('religion', 'a faith', /\b(?:religio\w+|faith|believe in god)\b/i),
  one('height', 'how tall somebody is', /\b(?:how tall|height)\b/i),
  one('weight', 'what somebody weighs', /\b(?:weigh(?:s|t)?)\b/i),
  several(
    'language',
    'a language that somebody speaks or learns',
    /\b(?:languages?|speak(?:s|ing)?|learn(?:s|ing)? (?:spanish|french|german|italian|japanese|chinese|mandarin|korean|portuguese|dutch|arabic|russian))\b/i,
  ),
  // Body and food.
  several('allergy', 'what somebody is allergic to', /\b(?:allerg\w+|intoleran\w+|react(?:s)? to)\b/i),
  one(
    'diet',
    'how somebody eats',
    /\b(?:diet|vegan|vegetarian|pescatarian|eat(?:s|ing)? meat|gluten-free|keto|kosher|halal)\b/i,
  ),
  several(
    'health',
    'an illness, an injury',
    /\b(?:health|ill(?:ness)?|injur\w+|diagnos\w+|condition|sick|disease|surgery|pregnant)\b/i,
  ),
  several(
    'medication',
    'what somebody takes',
    /\b(?:medications?|medicines?|pills?|prescri\w+|dose|tablets?)\b/i,
  ),
  // Things.
  one(
    'vehicle',
    'what somebody drives or rides',
    /\b(?:car|vehicle|truck|motor(?:bike|cycle)|driv(?:e|es|ing)\b|bike|bicycle|van)\b/i,
  ),
  one(
    'phone',
    'a phone number',
    /\b(?:phone number|(?:cell|mobile) number|reach (?:me|him|her) (?:at|on)|my number)\b/i,
  ),
  one('email', 'an email address', /\be-?mail(?: address)?\b/i),
  one('phone_model', 'the phone that somebody uses', /\b(?:which|what) (?:phone|smartphone|mobile)\b/i),
  one('bank', 'a bank', /\b(?:bank(?: with)?|bank account)\b/i),
  several('subscription', 'what somebody subscribes to', /\b(?:subscri\w+|membership|streaming)\b/i),
  several('owns', 'a thing that somebody has', /\b(?:own(?:s)?\b|possess)\b/i),
  // Likes and habits.
  one('favourite_', 'a favourite: favourite_colour, favourite_food', /\bfavou?rite (\w+)/i),
  several(
    'likes',
    'what somebody likes',
    /\b(?:like(?:s)? (?:to|doing)?|enjoy(?:s)?|love(?:s)? (?:to|doing))\b/i,
  ),
  several(
    'dislikes',
    'what somebody does not like',
    /\b(?:dislike(?:s)?|hate(?:s)?|can(?:no|')t stand|avoid(?:s)?)\b/i,
  ),
  several(
    'preference',
    'a standing wish',
    /\b(?:prefer(?:s|red|ence|ences)?|rather have|usual(?:ly)? (?:order|take|want))\b/i,
  ),
  several(
    'hobby',
    'what somebody does for fun',
    /\b(?:hobb(?:y|ies)|free time|spare time|for fun|pastimes?|interests?)\b/i,
  ),
  several(
    'sport',
    'a sport',
    /\b(?:sports?|play(?:s)? (?:tennis|football|soccer|basketball|golf|rugby|hockey|badminton|volleyball)|exercise|work(?:s|ing)? out)\b/i,
  ),
  several(
    'instrument',
    'an instrument that somebody plays',
    /\b(?:instruments?|play(?:s|ing)? the|guitar|piano|violin|cello|drums|flute)\b/i,
  ),
  one('gym', 'where somebody trains', /\bgym\b/i),
  several(
    'goal',
    'what somebody works towards',
    /\b(?:goals?|aim(?:s|ing)?|train(?:ing)? for|saving (?:up )?for|resolution)\b/i,
  ),
  several(
    'plan',
    'what somebody is going to do',
    /\b(?:plans?|planning|going to|will i|upcoming|next (?:week|month|year|weekend|summer|trip)|this (?:weekend|summer))\b/i,
  ),
];

const BY_NAME = new Map(ATTRIBUTES.map(attribute => [attribute.name, attribute]));

/** Its row: that of its family, where it has none of its own. */
const rowOf = (attribute: string): Attribute | undefined =>
  BY_NAME.get(attribute) ?? BY_NAME.get(attribute.slice(0, attribute.indexOf('_') + 1));

/** Whether one value holds at a time. Of an unknown attribute all do. */
export const holdsOne = (attribute: string): boolean => rowOf(attribute)?.holds === 'one';

/** Longer questions are texts: to look for wordings in them finds too much. */
const LONGEST_QUESTION = 300;

const AMERICAN = /^favorite_/;
const named = ({ name }: Attribute, found: RegExpExecArray): string =>
  name.endsWith('_') ? `${name}${found[1]!.toLowerCase()}` : name;

/** One spelling of an attribute's name. */
export const attributeName = (name: string): string => name.replace(AMERICAN, 'favourite_');

/** The attributes that a question asks for, in the table's order; none where it isn't sure. */
export const attributesAskedFor = (question: string): string[] => {
  if (question.length > LONGEST_QUESTION) return [];
  return ATTRIBUTES.flatMap(attribute => {
    const found = attribute.asked.exec(question);
    return found ? [named(attribute, found)] : [];
  });
};
