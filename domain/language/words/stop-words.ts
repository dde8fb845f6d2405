const list = (words: string): Set<string> => new Set(words.split(/\s+/).filter(Boolean));

/** English function words that hardly occur in other languages: they identify a text as English. */
const ENGLISH = list(`
  the this that these those what which who whom whose when where why how
  and or but if because with from into about against between through during before after above below under
  is are been being have has had having does did doing would should could can shall might must
  she they them his her hers their theirs its you your yours we our ours my mine myself yourself
  himself herself itself ourselves themselves there here than then too very just only both each few more most other
  some such nor not own same once again further until while of to for by at be were
`);

/** English function words that are also words in other languages: `was` and `will` are German too. */
const AMBIGUOUS = list(
  `i a an as am was so no me he him it in on do up out off over down all any will now us don t s m re ve ll d`,
);

/** All English words without content. */
export const STOP_WORDS: readonly string[] = [...ENGLISH, ...AMBIGUOUS];

/**
 * Whether a word has no content, if the text is English. Documents keep such words; only queries and MaxSim
 * omit them.
 */
export const isStopWord = (word: string): boolean => ENGLISH.has(word) || AMBIGUOUS.has(word);

/**
 * Function words of other languages in Latin letters, without accents, that are not English words. They
 * outweigh words such as `by`, which is a town in Danish, and `most`, which is a bridge in Czech.
 */
const FOREIGN = list(`
  der das und ist nicht ein eine einen wie wo wer wann warum welche welcher fur von zu auf dem
  el los las una que como donde cuando quien cual por para del
  le les des une est qui ou quand pourquoi dans avec pour
  il gli che di chi dove perche della nel os uma quem onde nao em
  het een waar wanneer niet och att det som vad hvad hvor nar jag jeg har ikke inte til
  sie jest nie kto gdzie kiedy jak czy kdo kde kdy bir bu ne kim nerede mi ile icin
`);

/**
 * Whether the words are English: they include English function words, and at least as many of these as of
 * other languages.
 */
export const isEnglish = (words: readonly string[]): boolean => {
  let english = 0;
  let foreign = 0;
  for (const word of words) {
    if (ENGLISH.has(word)) english++;
    else if (FOREIGN.has(word)) foreign++;
  }
  return english > 0 && english >= foreign;
};
