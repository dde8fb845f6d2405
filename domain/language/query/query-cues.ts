/** The kind of answer that a query asks for, by English cues. */
export interface QueryCues {
  when: boolean;
  howMany: boolean;
  /** Asks for a name: who, where, which. */
  name: boolean;
  howLong: boolean;
  /** Asks for help or for something to be made, so that the user's wishes matter. */
  advice: boolean;
}

const WHEN =
  /\b(when|how (long|often|recently|soon|old)|(what|which|on what|on which) (year|month|day|date|time|week|weekend|season|holiday)|since when)\b/i;
const HOW_MANY = /\bhow (many|much|often|old)\b|\bnumber of\b/i;
const NAME =
  /\b(who|whom|whose|where|which|what (is|was|are|were) the names?|what (city|country|state|place|town|company|game|book|movie|band|artist))\b/i;
const HOW_LONG = /\bhow long\b|\bhow many (years|months|weeks|days|hours)\b/i;
const ADVICE = new RegExp(
  [
    String.raw`^\s*(?:(?:hey|hi|ok|okay|so|now|please),? )*(?:write|draft|make|create|give|plan|design|explain|translate|cook|suggest|recommend|help|show|book|find|pick|fix|review|refactor|generate|build|prepare|compose|rewrite|convert|add|set up|sketch)\b`,
    String.raw`\b(?:can|could|would|will) you\b`,
    String.raw`\bhow (?:do|can|should|would|could|might) (?:I|we|you)\b(?! (?:say|tell|mention|know|feel)\b)`,
    String.raw`\b(?:what|where|which|who|when)\b[^.?!]{0,80}\b(?:should|could|can) (?:I|we)\b(?! (?:say|tell|mention)\b)`,
    String.raw`\bshould (?:I|we)\b|\b(?:how|what|where|which [\w-]+) to\b`,
    String.raw`\b(?:any|some|good|best) (?:[\w-]+ )?(?:ideas?|tips?|advice|suggestions?|recommendations?|options?|ways?|tools?|books?)\b`,
    String.raw`\bwhat (?:are|is) (?:some|a good|the best)\b`,
    String.raw`\bI(?:['’]m| am) (?:looking|planning|thinking|about|going|trying|working)\b`,
  ].join('|'),
  'i',
);

export const queryCues = (q: string): QueryCues => ({
  when: WHEN.test(q),
  howMany: HOW_MANY.test(q),
  name: NAME.test(q),
  howLong: HOW_LONG.test(q),
  advice: ADVICE.test(q),
});
