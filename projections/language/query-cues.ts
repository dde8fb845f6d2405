/** The kind of answer that a query asks for, by English cues. */
export interface QueryCues {
  when: boolean;
  howMany: boolean;
  /** Who, where, which: asks for a name. */
  name: boolean;
  howLong: boolean;
}

const WHEN =
  /\b(when|how (long|often|recently|soon|old)|(what|which|on what|on which) (year|month|day|date|time|week|weekend|season|holiday)|since when)\b/i;
const HOW_MANY = /\bhow (many|much|often|old)\b|\bnumber of\b/i;
const NAME =
  /\b(who|whom|whose|where|which|what (is|was|are|were) the names?|what (city|country|state|place|town|company|game|book|movie|band|artist))\b/i;
const HOW_LONG = /\bhow long\b|\bhow many (years|months|weeks|days|hours)\b/i;

export const queryCues = (q: string): QueryCues => ({
  when: WHEN.test(q),
  howMany: HOW_MANY.test(q),
  name: NAME.test(q),
  howLong: HOW_LONG.test(q),
});
