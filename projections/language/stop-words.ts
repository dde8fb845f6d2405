const list = (words: string): Set<string> => new Set(words.split(/\s+/).filter(Boolean));

/** English function words that are words of nothing else much: one of them shows that a text is English. */
const ENGLISH = list(`
  the this that these those what which who whom whose when where why how
  and or but if because with from into about against between through during before after above below under
  is are been being have has had having does did doing would should could can shall might must
  she they them his her hers their theirs its you your yours we our ours my mine myself yourself
  himself herself itself ourselves themselves there here than then too very just only both each few more most other
  some such nor not own same once again further until while of to for by at be were
`);

/** English function words that are words of other languages too: `was` and `will` ask a German question. */
const AMBIGUOUS = list(
  `i a an as am was so no me he him it in on do up out off over down all any will now us don t s m re ve ll d`,
);

/** Words that carry no content if the text is English. A document keeps them all: only queries and MaxSim leave them out. */
export const isStopWord = (word: string): boolean => ENGLISH.has(word) || AMBIGUOUS.has(word);

/** An English function word that makes the text English. */
export const isEnglishMarker = (word: string): boolean => ENGLISH.has(word);
