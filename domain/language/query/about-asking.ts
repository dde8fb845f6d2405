/*
 * Parts of an English question about how to answer or where to look ("Can you list …", "throughout our
 * conversations"), rather than about its subject. No turn is found by them.
 */
const MODAL = `(?:(?:can|could|would|will) you (?:please )?|please |I(?:['’]d| would) like (?:you )?to |I want (?:you )?to |help me (?:to )?)?`;
const KIND =
  '(?:brief|short|quick|detailed|full|complete|comprehensive|concise|clear|thorough|chronological|general)';
const FORM = `(?:(?:me|us) )?(?:(?:a|an|the|some)(?: ${KIND}){0,2} )?(?:summar(?:y|ies)|overview|lists?|descriptions?|account|timeline|recap|outline|rundown|breakdown|details?) (?:of|about|on|for)`;
const REQUEST = new RegExp(
  String.raw`^\s*${MODAL}(?:(?:give|provide|show|write|make|get|share|list|present) ${FORM}|(?:list|tell (?:me|us)|describe|summari[sz]e|recap|explain|remind (?:me|us)(?: (?:of|about))?|walk (?:me|us) through|outline)(?: (?:all|everything))?)\b`,
  'i',
);
const WHICH = '(?:past|previous|earlier|different|multiple|prior|recent)';
/** Our own talks as the place to look; "my session with the therapist" is a question's subject instead. */
const WHERE = new RegExp(
  String.raw`\b(?:in|during|throughout|across|over|from|through) (?:(?:all|any|each) )?(?:of )?(?:our(?: ${WHICH})?|(?:my|these|those|the) ${WHICH}|${WHICH}) (?:conversations?|chats?|discussions?|sessions?|messages?|exchanges?)\b(?! (?:with|to|from|at)\b(?! you))`,
  'gi',
);
const SPOKE = '(?:brought up|mentioned|talked about|discussed|told you(?: about)?|asked you(?: about)?)';
const EVER = '(?: ever| first| just| also| already| previously| originally)?';
const ORDER = new RegExp(
  String.raw`\b(?:the )?(?:chronological )?order in which(?= (?:I|we)${EVER} ${SPOKE}\b)|,? in (?:the )?(?:chronological |same )?order(?=\s*[?.!]?\s*$)`,
  'gi',
);
const RAISED = new RegExp(
  String.raw`\b(?:that |which )?(?:I|we)(?: have|['’]ve|['’]d| had)?${EVER} ${SPOKE}\b|\bdid (?:I|we)${EVER} (?:bring up|mention|talk about|discuss|tell you(?: about)?|ask you(?: about)?)\b`,
  'gi',
);

/** Returns the question without these parts. */
export const withoutAsking = (q: string): string =>
  q.replace(REQUEST, ' ').replace(WHERE, ' ').replace(ORDER, ' ').replace(RAISED, ' ');
