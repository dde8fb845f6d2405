/*
 * Parts of an English question that say how to answer or where to look ("Can you list …", "throughout our conversations"), not what
 * about. Nothing that was said is found by them.
 */
const MODAL = String.raw`(?:(?:can|could|would|will) you (?:please )?|please |I(?:['’]d| would) like (?:you )?to |I want (?:you )?to |help me (?:to )?)?`;
const ARTICLE = String.raw`(?:(?:me|us) )?(?:(?:a|an|the|my|some)(?: [\w-]+){0,2} )?`;
const FORM = String.raw`(?:summar(?:y|ies)|overview|lists?|descriptions?|account|timeline|recap|outline|rundown|breakdown|details?)`;
const REQUEST = new RegExp(
  String.raw`^\s*${MODAL}(?:(?:give|provide|show|write|make|get|share|list|present)(?: ${ARTICLE}${FORM}(?: (?:of|about|on|for))?)|(?:list|tell (?:me|us)|describe|summari[sz]e|recap|explain|remind (?:me|us)(?: (?:of|about))?|walk (?:me|us) through|outline)(?: (?:all|everything))?)\b`,
  'i',
);
const TALK = 'conversations?|chats?|discussions?|sessions?|messages?|exchanges?|talks?';
const WHERE = new RegExp(
  String.raw`\b(?:(?:in|during|throughout|across|over|from|through) )?(?:(?:all|any|each) )?(?:of )?(?:our|my|these|those|past|previous|earlier|different|multiple|prior|recent)(?: (?:past|previous|earlier|different|multiple|prior|recent))? (?:${TALK})\b`,
  'gi',
);
const ORDER = /\b(?:the )?(?:chronological )?order in which\b|\bin (?:the )?(?:chronological )?order\b/gi;
const RAISED =
  /\b(?:that |which )?(?:I|we)(?: have|['’]ve|['’]d| had)?(?: ever| first| just| also| already| previously| originally)? (?:brought up|mentioned|talked about|raised|discussed|told you(?: about)?|said|asked(?: you)?(?: about)?)\b|\bdid (?:I|we)(?: ever| first)? (?:bring up|mention|talk about|raise|discuss|tell you(?: about)?|say|ask(?: you)?(?: about)?)\b/gi;

/** The question without them. */
export const withoutAsking = (q: string): string =>
  q.replace(REQUEST, ' ').replace(WHERE, ' ').replace(ORDER, ' ').replace(RAISED, ' ');
