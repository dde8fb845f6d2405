import type { ReadCase } from './fit-weights.ts';

/** Index of the turn that comes first. */
export type FirstOf = (one: ReadCase) => number;
/** The turns that may be marked, each with its probability. */
export type MarksOf = (one: ReadCase) => { label: string; probability: number }[];

const mean = (values: readonly number[]): number =>
  Math.round((1_000 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length)) / 10;

/** Share of a data set's evidence among the first hits, where only the first of them moved. */
const recall = (one: ReadCase, first: number, depth: number): number =>
  [first, ...[...one.labels.keys()].filter(i => i !== first)]
    .slice(0, depth)
    .filter(i => one.labels[i] === 'holds').length / one.evidence;

/** How often what holds is first, in percent; by words alone unless told which turn is first. */
export const orderFigures = (cases: readonly ReadCase[], firstOf: FirstOf = () => 0) => {
  // By words alone where the question isn't taken for one about the present.
  const firstIn: FirstOf = one => (one.isAsked ? firstOf(one) : 0);
  const rights = (kind: string): number =>
    mean(cases.filter(one => one.kind === kind).map(one => (one.labels[firstIn(one)] === 'holds' ? 1 : 0)));
  const questions = cases.filter(({ kind }) => kind === 'question');
  const recallAt = (depth: number): number => mean(questions.map(one => recall(one, firstIn(one), depth)));
  return { change: rights('change'), keep: rights('keep'), 'R@1': recallAt(1), 'R@3': recallAt(3) };
};

/** How many are marked and how many of them wrongly, in percent of stories, by the probability from which. */
export const markFigures = (cases: readonly ReadCase[], marksOf: MarksOf, thresholds: readonly number[]) => {
  const judged = cases.filter(({ isAsked }) => isAsked).map(one => ({ one, marks: marksOf(one) }));
  return thresholds.map(from => {
    const of = (kind: string, isCounted: (labels: string[], one: ReadCase) => boolean): number =>
      mean(
        judged
          .filter(({ one }) => one.kind === kind)
          .map(({ one, marks }) =>
            isCounted(
              marks.filter(({ probability }) => probability >= from).map(({ label }) => label),
              one,
            )
              ? 1
              : 0,
          ),
      );
    const isFalse = (labels: string[]): boolean => labels.includes('holds');
    return {
      from,
      'change, old unmarked': of(
        'change',
        (labels, one) => one.labels.includes('over') && !labels.includes('over'),
      ),
      'change, another': of('change', labels => labels.some(label => label !== 'over')),
      'keep, false': of('keep', isFalse),
      'keep, any': of('keep', labels => labels.length > 0),
      'several, false': of('several', isFalse),
      'twice, false': of('twice', isFalse),
      'data set, evidence': of('question', isFalse),
    };
  });
};
