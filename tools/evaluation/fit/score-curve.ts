import { descending, type Example } from './examples.ts';
import { fitLogistic } from './logistic.ts';
import { rounded } from './rounded.ts';

/** A score curve needs the turns that could be mistaken for evidence, not all the others. */
const SCORED = 50;

/** Fits the curve that makes a score of a linear sum: how often a turn with this sum is evidence. */
export const scoreCurve = (
  questions: readonly (Pick<Example, 'question' | 'evidence'> & { sums: Float64Array })[],
) => {
  const scored = questions.flatMap(({ question, evidence, sums }) =>
    descending(sums)
      .slice(0, SCORED)
      .map(c => ({ sum: sums[c]!, label: question.answerable && evidence.includes(c) ? 1 : 0 })),
  );
  const { weights, intercept } = fitLogistic(
    scored.map(({ sum }) => [sum]),
    scored.map(({ label }) => label),
    { ridge: 0 },
  );
  return { slope: rounded(weights[0]!), intercept: rounded(intercept) };
};
