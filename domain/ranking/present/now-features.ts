/** Features of a turn's time among the others, by which one is found that says what holds now. */
import { type Described, sharedWords } from './turn-features.ts';

/** Names of the features, in the order of a row; the turn's own features follow. */
export const NOW_FEATURES = [
  'answers',
  'late',
  'elapsed',
  'lateChange',
  'lateNews',
  'lateHolds',
  'lateUnreal',
  'answeredLater',
  'answeredLaterByChange',
  'answeredLaterByNews',
  'answeredLaterHolding',
  'answeredLaterFirmly',
  'answeredLaterAlike',
  'answeredBefore',
  'newsBefore',
  'changeBefore',
  'holdsBefore',
  'unrealBefore',
] as const;

type Feature = (typeof NOW_FEATURES)[number];

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const flag = (is: boolean): number => (is ? 1 : 0);

/** The kinds of a turn, from 0 to 1. */
export const kindsOf = ({ cues, wording }: Described) => ({
  change: flag(cues.change || cues.news),
  news: sigmoid(wording.news),
  holds: sigmoid(wording.holds),
  unreal: flag(cues.unreal || cues.over || cues.passing),
});

/**
 * Returns a row per turn, in the order of `NOW_FEATURES`: its place in time, alone and with how it says what
 * it says; and how much better a later or an earlier turn answers the question.
 *
 * @param answers the log-odds that each turn answers the question, whether its answer still holds or not
 */
export const nowRows = (turns: readonly Described[], answers: readonly number[]): Float64Array[] => {
  const best = Math.max(...answers);
  const kinds = turns.map(kindsOf);
  return turns.map(({ late, elapsed, words }, i) => {
    const { change, news, holds, unreal } = kinds[i]!;
    const most = (others: (other: Described, j: number) => number): number =>
      turns.reduce(
        (max, other, j) => Math.max(max, others(other, j) * sigmoid(answers[j]! - answers[i]!)),
        0,
      );
    const later = (share: (j: number) => number): number =>
      most((other, j) => (other.late > late ? share(j) : 0));
    const before = most(other => (other.late < late ? 1 : 0));
    const row: Record<Feature, number> = {
      answers: answers[i]! - best,
      late,
      elapsed,
      lateChange: late * change,
      lateNews: late * news,
      lateHolds: late * holds,
      lateUnreal: late * unreal,
      answeredLater: later(() => 1),
      answeredLaterByChange: later(j => kinds[j]!.change),
      answeredLaterByNews: later(j => kinds[j]!.news),
      answeredLaterHolding: later(j => kinds[j]!.holds),
      answeredLaterFirmly: later(j => (turns[j]!.cues.asks ? 0 : 1 - kinds[j]!.unreal)),
      answeredLaterAlike: later(j => sharedWords(words, turns[j]!.words)),
      answeredBefore: before,
      newsBefore: before * news,
      changeBefore: before * change,
      holdsBefore: before * holds,
      unrealBefore: before * unreal,
    };
    return Float64Array.from(NOW_FEATURES, name => row[name]);
  });
};
