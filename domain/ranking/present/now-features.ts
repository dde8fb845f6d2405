import type { Present } from './asks-for-present.ts';
import { type Judged, sharedWords } from './turn-features.ts';

const OWN = [
  'answers',
  'late',
  'lateNow',
  'lateAttribute',
  'elapsed',
  'lateChange',
  'lateUnreal',
  'last',
  'lateNews',
  'lateHolds',
  'newsBefore',
  'holdsBefore',
  'answeredLaterByNews',
  'answeredLaterHolding',
  'answeredLater',
  'answeredLaterByChange',
  'answeredLaterFirmly',
  'answeredLaterAlike',
  'answeredLaterNow',
  'answeredLaterAttribute',
  'answeredBefore',
  'changesBefore',
  'overBefore',
] as const;
export const NOW_OWN = OWN;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** The features of a turn's time among the others, by the log-odds that each answers the question. */
export const nowRows = (turns: readonly Judged[], answers: readonly number[], present: Present): Float64Array[] => {
  const best = Math.max(...answers);
  return turns.map((turn, i) => {
    const firm = (c: Judged['cues']) => 1 - Math.max(c.unreal, c.over, c.passing, c.asks);
    const news = (one: Judged) => sigmoid(one.wording.news);
    const holds = (one: Judged) => sigmoid(one.wording.holds);
    const { cues } = turn;
    let [byNews, holding] = [0, 0];
    let [later, byChange, firmly, alike, before, last] = [0, 0, 0, 0, 0, 1];
    turns.forEach((other, j) => {
      const weight = sigmoid(answers[j]! - answers[i]!);
      if (other.late > turn.late) {
        later = Math.max(later, weight);
        byChange = Math.max(byChange, weight * Math.max(other.cues.change, other.cues.news));
        byNews = Math.max(byNews, weight * news(other));
        firmly = Math.max(firmly, weight * firm(other.cues));
        holding = Math.max(holding, weight * holds(other));
        alike = Math.max(alike, weight * sharedWords(turn.words, other.words));
        if (answers[j]! > best - 2) last = 0;
      } else if (other.late < turn.late) before = Math.max(before, weight);
    });
    const own: Record<(typeof OWN)[number], number> = {
      answers: answers[i]! - best,
      late: turn.late,
      lateNow: present === 'now' ? turn.late : 0,
      lateAttribute: present === 'attribute' ? turn.late : 0,
      elapsed: turn.elapsed,
      lateChange: turn.late * Math.max(cues.change, cues.news),
      lateNews: turn.late * news(turn),
      lateUnreal: turn.late * Math.max(cues.unreal, cues.passing, cues.over),
      lateHolds: turn.late * holds(turn),
      last,
      answeredLater: later,
      answeredLaterByChange: byChange,
      answeredLaterFirmly: firmly,
      answeredLaterAlike: alike,
      answeredLaterNow: present === 'now' ? later : 0,
      answeredLaterAttribute: present === 'attribute' ? later : 0,
      answeredBefore: before,
      changesBefore: before * Math.max(cues.change, cues.news),
      newsBefore: before * news(turn),
      overBefore: before * Math.max(cues.unreal, cues.over, cues.passing),
      holdsBefore: before * holds(turn),
      answeredLaterByNews: byNews,
      answeredLaterHolding: holding,
    };
    return Float64Array.from([...OWN.map(name => own[name]), ...turn.row]);
  });
};
