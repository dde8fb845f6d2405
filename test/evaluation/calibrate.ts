/** The calibration of confidence for one kind of chat. */
import { CONFIDENCE_FEATURES, CONFIDENCE_FREE, confidenceOf } from '../../projections/ranking/confidence.ts';
import type { Case } from './calibration-cases.ts';
import { fitMonotone, type LogisticOptions } from './logistic.ts';
import { confidenceRow, reliabilityRows } from './report.ts';
import { named, rounded } from './rounded.ts';

/** Where an outcome comes from. */
export interface About {
  fold: string;
  data: string;
  /** What a question of its data set counts in the fit of the ranking. */
  weight: number;
  of: Case;
}

/** A calibration has to know every kind of chat: a question of a set that hardly counts in the ranking counts half in it. */
const LEAST_COUNT = 0.5;
/**
 * What the cases of a kind count together, beside the questions of their data set. This chooses the prior: of a hundred recalls that
 * look like neither, so many have no answer.
 */
const SHARES: Record<Exclude<Case, 'asked'>, number> = { absent: 0.03, small: 0.03 };

const isFree = (column: number): boolean => CONFIDENCE_FREE.has(CONFIDENCE_FEATURES[column]!);

const countsOf = (about: readonly About[]): number[] => {
  const name = ({ data, of }: About) => `${data} ${of}`;
  const sizes = Map.groupBy(about, name);
  return about.map(one => {
    const count = Math.max(one.weight, LEAST_COUNT);
    if (one.of === 'asked') return count;
    const asked = sizes.get(name({ ...one, of: 'asked' }))?.length ?? 0;
    return (count * SHARES[one.of] * asked) / sizes.get(name(one))!.length;
  });
};

/** A calibration of one kind of chat, with how good it is on conversations that it never saw. */
export const calibrate = (
  outcomes: readonly { row: number[]; label: 0 | 1 }[],
  about: readonly About[],
  options: LogisticOptions,
) => {
  const counts = countsOf(about);
  const regress = (kept: readonly number[]) =>
    fitMonotone(
      kept.map(e => outcomes[e]!.row),
      kept.map(e => outcomes[e]!.label),
      isFree,
      { ...options, counts: kept.map(e => counts[e]!) },
    );
  const places = [...outcomes.keys()];
  const held = new Map(
    [...new Set(about.map(({ fold }) => fold))].map(fold => [
      fold,
      regress(places.filter(e => about[e]!.fold !== fold)),
    ]),
  );
  const probabilities = outcomes.map(({ row }, e) => confidenceOf(row, held.get(about[e]!.fold)!));
  const row = (kept: readonly number[]) =>
    [kept.map(e => probabilities[e]!), kept.map(e => outcomes[e]!.label)] as const;
  const asked = places.filter(e => about[e]!.of === 'asked');
  const byData = Map.groupBy(places, e => `${about[e]!.data}, ${about[e]!.of}`);
  const { intercept, weights } = regress(places);
  return {
    intercept: rounded(intercept),
    weights: named(CONFIDENCE_FEATURES, weights),
    leaveOneOut: confidenceRow(...row(asked)),
    byData: Object.fromEntries([...byData].map(([data, kept]) => [data, confidenceRow(...row(kept))])),
    reliability: reliabilityRows(...row(asked)),
  };
};
