/** Whether a fact can be understood, and is worth reading, without the turn that it comes from. */

/** Words that mean nothing without the text before them. */
const POINTS_BACK =
  /\b(it|it's|its|this|these|those|them|themselves|they|there|here|one|ones|such|he|she|him|her|hers|his|then|so|too|either|what|way)\b|\bthat(?=[.,;!?]|$|'s|\s+(is|was|were|would|will|can|could|made|makes)\b)|^(and|but|so|because|or|for example|now|time)\b/i;
/** Contents of a picture, opinions, and feelings of the moment. */
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
