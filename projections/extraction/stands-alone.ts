/** Whether a fact can be understood, and is worth reading, without the turn that it comes from. */

/** Words that mean nothing without what stands before them. */
const POINTS_BACK =
  /\b(it|it's|its|this|these|those|them|themselves|they|there|here|one|ones|such|he|she|him|her|hers|his|then|so|too|either|what|way)\b|\bthat(?=[.,;!?]|$|'s|\s+(is|was|were|would|will|can|could|made|makes)\b)|^(and|but|so|because|or|for example|now|time)\b/i;
/** What a picture shows, what somebody thinks of the world, and what one is feeling at the moment. */
const NOT_LASTING =
  /\b(shared|sent|posted) (a|an|the|some|another)? ?(photo|photography|picture|image|video|screenshot)|\bsaid\b|\b(is|are|was|feels?|felt) (so |really |very |super |kinda |totally )?(excited|lucky|glad|happy|sorry|thankful|grateful|hooked|sure|curious|stoked|impressed)\b/i;
/** Letters and digits of a word that may carry a fact; shorter ones are grammar. */
const CONTENT_WORD = /[\p{L}\p{N}]{4,}/gu;
const LEAST_WORDS = 3;
const LONGEST = 240;

export const standsAlone = (text: string): boolean =>
  text.length <= LONGEST &&
  !POINTS_BACK.test(text) &&
  !NOT_LASTING.test(text) &&
  (text.match(CONTENT_WORD) ?? []).length >= LEAST_WORDS;

/** What is only thought or felt, or said to be polite. */
const MUSING =
  /\b(would(?! (?:like|love|prefer|rather))|wouldn't|reckons?|guess(?:es)?|assumes?|supposes?|imagines?|wonders?|swears?|bets?|hopes? so|agrees?|totally|takes? back|can't believe|can't wait|appreciates?|scared|forgives?|everybody|everyone|nobody|always forgets?)\b/i;
/** "In that case, …", "If it's an allergy, …": the condition is elsewhere. */
const CONDITIONAL =
  /^(?:if|unless|when|whenever|while|in that case|after|before|otherwise|quick|reminder|whos?|not|okay|ok|thanks|sorry)\b/i;

const POINTER =
  /\b(?:it|its|them|they|he|she|him|her|hers|his|one|ones|there|here|such|this(?! (?:week|month|year|morning|summer|spring|autumn|winter))|these|those|then|that(?=[.,;!?]|$|['’]s|\s+(?:is|was|were|would|will|can|could|made|makes|one)\b))\b/iu;
const OPENS_WITH_POINTER = /^(?:and|but|so|because|or|for example|now|time)\b/i;
/** A noun with an article or whose it is, several of something, or somebody by name: what a pronoun behind it may stand for. */
const ANTECEDENT = /(?:\b(?:an?|the|some|two|three|four|five|many|new)|['’]s?|\btheir) \p{L}|\s\p{Lu}\p{L}/u;
/** These stand for nothing that a sentence has named. */
const ELSEWHERE = /\b(?:this|these|those|there|here|such|then|one|ones)\b/i;

/** "Ada's sister had a parrot and it bit everybody" says what it is; "Ada ordered it" doesn't. */
const pointsBack = (text: string): boolean => {
  if (OPENS_WITH_POINTER.test(text)) return true;
  const pointer = POINTER.exec(text);
  if (!pointer) return false;
  return ELSEWHERE.test(pointer[0]) || !ANTECEDENT.test(text.slice(0, pointer.index));
};

/** Whether a sentence of which no attribute is known is worth keeping: precision comes first. */
export const isWorthKeeping = (text: string): boolean =>
  text.length <= LONGEST &&
  !pointsBack(text) &&
  [NOT_LASTING, MUSING, CONDITIONAL].every(pattern => !pattern.test(text));
