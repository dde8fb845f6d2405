/**
 * Light stemming by script: removes endings of case, number and verb, and prefixed particles, where they
 * inflect most words of the script's largest language (Savoy 2006; for Arabic Larkey et al. 2007, "light10").
 * Each step processes the result of the previous one. Words are folded: no accents, й is и, ة is ه, ς is σ.
 */
interface Step {
  cut: RegExp;
  /** Minimum number of letters that must remain. */
  least: number;
  /** Whether to repeat the step while enough letters remain. */
  repeated?: boolean;
}

const CYRILLIC: readonly Step[] = [
  { cut: /(?<=л[аои]?|ть?|шь|м|[ую]|те)с[яь]$/, least: 3 },
  { cut: /[аеиоуыя]ть$/, least: 3 },
  {
    cut: /(?:и?ями|ами|и?ях|ах|и?ям|ам|[ие]ев|ев|ов|ием|[еоиы]м|[еоиы]го|[ео]му|[иы]ми|[иы]х|[ую]ю|[ая]я|[оиые]е|[иыо]и|[ео]ю|и?я|ью|[аеиоуыьюя])$/,
    least: 3,
  },
  { cut: /[аеиоуыя]л$/, least: 3 },
  { cut: /(?:[аеиоуыюя]т|ешь|ишь|и?те|[аяы]в)$/, least: 4 },
  { cut: /(?<![аеиоуыьюя])[аеиоуыьюя]+$/, least: 3 },
];
const GREEK: readonly Step[] = [
  {
    cut: /(?:ματοσ|ματων|ματα|ουσαν|ουσα|ουμε|ουνε|ουν|ησαμε|ησαν|ησεισ|ησα|ησε|ετε|εισ|ουσ|εωσ|[αεηιο]σ|ου|[οωη]ν|[οαε]ι|ει|[αεηιουω])$/,
    least: 3,
  },
];
const ARABIC: readonly Step[] = [
  { cut: /^و(?=.{3})/, least: 3 },
  { cut: /^(?:[بكف]?ال|لل)/, least: 2 },
  { cut: /(?:ها|ان|ات|ون|ين|يه|ه|ي)$/, least: 3 },
  { cut: /(?:ان|ات|ون|ين|يه|ه|ي)$/, least: 3 },
];
const HEBREW: readonly Step[] = [
  { cut: /^[והבלמשכ]/, least: 3, repeated: true },
  { cut: /(?:יות|ים|ות|ית|ה|ת)$/, least: 3 },
];
const DEVANAGARI: readonly Step[] = [
  {
    cut: /(?:ियों|ियां|ाओं|ाएं|ुओं|ुएं|ाएग[ाीे]|ेंगे|ेग[ाी]|ूंग[ाी]|ान[ाेी]|ात[ाेी]|ाय[ाे]|न[ाेी]|त[ाेी]|कर|[ाे]ं|ों|ीं|ाई|ाए|ाओ|[ािीुूेैोौं])$/,
    least: 2,
  },
];

/** Returns the steps for the Unicode block of a word's first letter. */
const stepsOf = (letter: number): readonly Step[] => {
  if (letter >= 0x400 && letter <= 0x52f) return CYRILLIC;
  if (letter >= 0x600 && letter <= 0x6ff) return ARABIC;
  if (letter >= 0x900 && letter <= 0x97f) return DEVANAGARI;
  if (letter >= 0x370 && letter <= 0x3ff) return GREEK;
  if (letter >= 0x590 && letter <= 0x5ff) return HEBREW;
  return [];
};

/** Returns the stem of a folded word in a non-Latin script; the word itself in scripts without rules here. */
export const lightStem = (word: string): string => {
  let stem = word;
  for (const { cut, least, repeated } of stepsOf(word.charCodeAt(0))) {
    for (let more = true; more; more = more && repeated === true) {
      const shorter = stem.replace(cut, '');
      more = shorter !== stem && shorter.length >= least;
      if (more) stem = shorter;
    }
  }
  return stem;
};
