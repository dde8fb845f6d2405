/**
 * Lowers the confidence where none of the best turns has words of the kind that is asked for, about the
 * person that is asked about. The ranking finds the turns nearest to a question whether or not one of them
 * answers it: "How old is Anneke?" finds turns about Anneke, and turns about ages.
 */
import { sentencesOf } from '../extraction/sentences/sentences.ts';
import { answerKinds, isOpenEnded } from '../language/query/answer-kinds.ts';
import { askedPersons, bearing, isAmbiguous, namesByRelation } from '../language/query/asked-persons.ts';
import { isAssistant } from '../language/query/speakers.ts';

interface Said {
  text: string;
  role: string;
}

/** The first turns that are read. */
export const READ_FOR_FIT = 4;
/** Factors of the confidence by the number of turns that fit. */
const BY_FITTING = [0.5, 0.8, 0.95] as const;
/** All that is found is about somebody else of that name. */
const ONLY_OTHERS = 0.3;
/** Several persons have the name. */
const AMBIGUOUS = 0.6;

/** Each sentence with its neighbours: an age may be in the sentence after the name. */
const windows = (text: string): string[] => {
  const sentences = sentencesOf(text);
  return sentences.length < 3
    ? [text]
    : sentences.map((_, i) => sentences.slice(Math.max(0, i - 1), i + 2).join(' '));
};

/**
 * Returns the factor of the confidence, 1 where nothing speaks against it.
 *
 * @param best the first turns, best first
 * @param isUnsure whether nothing but the ranking speaks for them, in a chat with an assistant
 */
export const answerFit = (question: string, best: readonly Said[], isUnsure: boolean): number => {
  const persons = askedPersons(question);
  const names = namesByRelation(persons, best);
  const bearings = best.map(one => bearing(persons, one, names));
  if (bearings.includes('other') && !bearings.includes('same')) return ONLY_OTHERS;
  const doubt = isAmbiguous(persons, best) ? AMBIGUOUS : 1;
  const { form, things } = answerKinds(question);
  if (
    !isUnsure ||
    isOpenEnded(question) ||
    (form === undefined && things.length === 0 && persons.length === 0)
  )
    return doubt;
  const fits = ({ text, role }: Said): boolean =>
    windows(text).some(
      part =>
        (form?.test(part) ?? true) &&
        (things.length === 0 || things.some(words => words.test(part))) &&
        (persons.length === 0 ||
          bearing(persons, { text: part, role: isAssistant(role) ? '' : role }, names) === 'same'),
    );
  const fitting = best.filter(fits).length;
  return fitting === best.length ? doubt : doubt * (BY_FITTING[fitting] ?? 1);
};
