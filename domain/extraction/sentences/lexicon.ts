import model from 'wink-eng-lite-web-model';

/** The properties of English words that the extraction of facts and names needs. */
export interface Lexicon {
  /** Whether the lower-case word, or the word without an English ending, is in the dictionary. */
  isCommon(word: string): boolean;
  /** Whether verb is the first part of speech of the lower-case word. */
  isVerb(word: string): boolean;
}

/** The used part of the model: its dictionary of 87,000 lexemes with their first part of speech. */
interface ModelCore {
  lexicon: Uint32Array;
  packing: { size: number; layout: Record<'pos', readonly [word: number, mask: number, shift: number]> };
  features: { lexeme: { list: string[] }; pos: { list: string[] } };
}

/** Endings by their last letter. */
const ENDINGS: Record<string, readonly string[]> = {
  s: ['s', 'es', 'ers', 'ness', 'less', 'ies'],
  g: ['ing'],
  d: ['ed', 'd'],
  r: ['er'],
  y: ['ly', 'y'],
  l: ['ful'],
};
const NONE: readonly string[] = [];

/**
 * Makes a lexicon of the wink model's dictionary, without its tagger: tagging costs 85 µs per turn, and its
 * cache keeps every new word forever, which a service that reads untrusted texts can't afford. The dictionary
 * is read once (150 ms, 10 MB) and never grows.
 */
export function makeLexicon(): Lexicon {
  const core = (model as unknown as { core(): ModelCore }).core();
  const { size, layout } = core.packing;
  const [word, mask, shift] = layout.pos;
  const verb = core.features.pos.list.indexOf('VERB');
  const common = new Map<string, boolean>();
  for (const [index, lexeme] of core.features.lexeme.list.entries()) {
    if (!/^[a-z][a-z'-]*$/.test(lexeme)) continue;
    common.set(lexeme, ((core.lexicon[index * size + word] ?? 0) & mask) >>> shift === verb);
  }
  const isCommon = (text: string): boolean => {
    if (common.has(text)) return true;
    for (const ending of ENDINGS[text.charAt(text.length - 1)] ?? NONE) {
      if (text.length < ending.length + 3 || !text.endsWith(ending)) continue;
      const stem = text.slice(0, -ending.length);
      if (common.has(stem) || common.has(`${stem}e`) || common.has(`${stem}y`)) return true;
      // "running" → "run"
      if (stem.at(-1) === stem.at(-2) && common.has(stem.slice(0, -1))) return true;
    }
    return false;
  };
  return { isCommon, isVerb: text => common.get(text) === true };
}
