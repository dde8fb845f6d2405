import { CATEGORIES } from './locomo.ts';
import { auroc, brier, ece, METRICS, meanMetrics, type QuestionMetrics, reliability } from './metrics.ts';

export interface Measured {
  category: number;
  metrics: QuestionMetrics;
}

const percent = (value: number): number => Math.round(value * 1000) / 10;

/** Mean metrics in percent, a group of questions a row: each category, 1-4 (the headline) and all five. */
export const metricRows = (measured: readonly Measured[]): Record<string, Record<string, number>> => {
  const rows: Record<string, Record<string, number>> = {};
  const add = (name: string, keep: (category: number) => boolean) => {
    const chosen = measured.filter(({ category }) => keep(category));
    if (chosen.length === 0) return;
    const mean = meanMetrics(chosen.map(({ metrics }) => metrics));
    rows[name] = {
      questions: chosen.length,
      ...Object.fromEntries(METRICS.map(metric => [metric, percent(mean[metric])])),
    };
  };
  for (const [category, name] of Object.entries(CATEGORIES))
    add(`${category} ${name}`, c => c === Number(category));
  add('1-4', c => c !== 5);
  add('all', () => true);
  return rows;
};

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

export const confidenceRow = (probabilities: readonly number[], labels: readonly number[]) => {
  const baseRate = labels.reduce((sum, label) => sum + label, 0) / Math.max(1, labels.length);
  return {
    questions: labels.length,
    baseRate: round(baseRate),
    auroc: round(auroc(probabilities, labels)),
    brier: round(brier(probabilities, labels)),
    brierOfBaseRate: round(baseRate * (1 - baseRate)),
    ece: round(ece(probabilities, labels)),
  };
};

export const reliabilityRows = (probabilities: readonly number[], labels: readonly number[]) =>
  reliability(probabilities, labels)
    .filter(bin => bin.count > 0)
    .map(bin => ({
      from: bin.from,
      count: bin.count,
      confidence: round(bin.meanConfidence),
      share: round(bin.share),
    }));
