import type { Language } from '../../language/language.ts';
import type { Candidate, Document } from '../../search/document.ts';
import type { Prepared } from '../features/features.ts';
import { inverseNorm } from '../vectors/centred-kernels.ts';
import { dotInt8 } from '../vectors/dot.ts';

/** Number of characters of a turn that are read, and of its sentences. */
const READ = 2_000;
const MOST_SENTENCES = 16;
/** The end of a sentence; not behind a title or an initial. */
const END = /(?<!\b(?:Dr|Mr|Ms|St|Mrs|Prof|\p{Lu}))(?<=[.!?…]["'”’)]*)\s+|\n+/u;

/** The sentence of a turn that is nearest to a question, among all that were read. */
export interface Focus {
  sentences: readonly string[];
  /** Similarity of each sentence and the question, as `fit`. */
  fits: readonly number[];
  sentence: string;
  /** With the sentences before and after it. */
  around: string;
  /** Similarity of the sentence and the question, 0 to about 2: cosine of the texts and of the words. */
  fit: number;
}

/** Returns the first sentences of a turn. */
export const sentencesRead = (text: string): string[] =>
  text.slice(0, READ).split(END).slice(0, MOST_SENTENCES);

export const cosine = (a: Int8Array, b: Int8Array): number =>
  dotInt8(a, 0, b, 0, a.length) * inverseNorm(a) * inverseNorm(b);

const fitOf = ({ query, matcher, scope }: Prepared, document: Document): number => {
  const { best } = matcher.match(document);
  let words = 0;
  for (let i = 0; i < best.length; i++) words += scope.idf[i]! * best[i]!;
  return cosine(query.vector, document.vector) + words / scope.idfSum;
};

/** Finds the sentence of a turn that says most of what is asked; a long turn tells of many things. */
export const focusOf = (
  { analyse }: Pick<Language, 'analyse'>,
  prepared: Prepared,
  { role, timestamp, document }: Pick<Candidate, 'role' | 'timestamp' | 'document'>,
  text: string,
): Focus => {
  const sentences = sentencesRead(text);
  if (sentences.length === 1) {
    const fit = fitOf(prepared, document);
    return { sentences, fits: [fit], sentence: text, around: text, fit };
  }
  const fits = sentences.map(sentence => fitOf(prepared, analyse(sentence, { role, timestamp })));
  const at = fits.indexOf(Math.max(...fits));
  const around = sentences.slice(Math.max(0, at - 1), at + 2).join(' ');
  return { sentences, fits, sentence: sentences[at]!, around, fit: fits[at]! };
};
