/** Evidence recall by tokens: how much evidence is in a context, and in the hits cut to the same budget. */
import { inQuotes } from '../../projections/context/quote.ts';
import { withinTokens } from '../../projections/context/within-tokens.ts';

/** Most tokens of a context, or of all hits together. */
export const BUDGETS = [500, 1_000, 2_000] as const;

/** A hit in the one ranked list. */
interface Said {
  /** The turns that the hit is, or names. */
  ids: readonly string[];
  tokens: number;
  /** The bare words; none of an entity. */
  content?: string | undefined;
}

/** Of one question, each from 0 to 1: the share of its evidence turns. */
export interface BudgetRecall {
  budget: number;
  /** Among the hits with `max_tokens`. */
  hits: number;
  /** Quoted whole in the context. */
  context: number;
  /** Used of the budget. */
  hitTokens: number;
  contextTokens: number;
}

/** Whole, but for the marks of what stands before and after a part. */
const isQuoted = (words: string, context: string | null): boolean =>
  ['"', '"… '].some(before => ['"', ' …"'].some(after => context?.includes(`${before}${words}${after}`)));

/** @param list best first, long turns as their parts; at least as long as what the context is made of */
export const budgetRecall = (
  list: readonly Said[],
  evidence: readonly string[],
  context: string | null,
  budget: number,
  countTokens: (text: string) => number,
): BudgetRecall => {
  const wanted = new Set(evidence);
  const share = (hits: readonly Said[]): number =>
    new Set(hits.flatMap(({ ids }) => ids)).intersection(wanted).size / wanted.size;
  const kept = withinTokens(
    list.map(({ tokens }) => tokens),
    budget,
  ).map(at => list[at]!);
  const quoted = list.filter(({ content }) => content !== undefined && isQuoted(inQuotes(content), context));
  return {
    budget,
    hits: share(kept),
    context: share(quoted),
    hitTokens: kept.reduce((sum, { tokens }) => sum + tokens, 0),
    contextTokens: context === null ? 0 : countTokens(context),
  };
};

/** Means over questions that have evidence; recall in percent. */
export const budgetRows = (questions: readonly (readonly BudgetRecall[])[]): BudgetRecall[] =>
  BUDGETS.flatMap(budget => {
    const rows = questions.flat().filter(row => row.budget === budget);
    if (rows.length === 0) return [];
    const mean = (name: Exclude<keyof BudgetRecall, 'budget'>): number =>
      rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
    return [
      {
        budget,
        hits: Math.round(mean('hits') * 1_000) / 10,
        context: Math.round(mean('context') * 1_000) / 10,
        hitTokens: Math.round(mean('hitTokens')),
        contextTokens: Math.round(mean('contextTokens')),
      },
    ];
  });
