/** Measures evidence recall by tokens: the evidence in a context, and in the hits cut to the same budget. */
import { inQuotes } from '../../../domain/context/quote.ts';
import { withinTokens } from '../../../domain/context/within-tokens.ts';

/** Maximum tokens of a context, or of all hits together. */
export const BUDGETS = [500, 1_000, 2_000] as const;

/** A hit in the one ranked list. */
interface Said {
  /** The turns that the hit is, or names. */
  ids: readonly string[];
  tokens: number;
  /** The bare words; an entity has none. */
  content?: string | undefined;
}

/** Recall for one question, each value from 0 to 1: the share of its evidence turns. */
export interface BudgetRecall {
  budget: number;
  /** Share among the hits with `max_tokens`. */
  hits: number;
  /** Share quoted whole in the context. */
  context: number;
  /** Tokens used of the budget. */
  hitTokens: number;
  contextTokens: number;
}

/** Whether the words are quoted whole, apart from the marks of omissions before and after a part. */
const isQuoted = (words: string, context: string | null): boolean =>
  ['"', '"… '].some(before => ['"', ' …"'].some(after => context?.includes(`${before}${words}${after}`)));

/** @param list best first, long turns as their parts; at least as long as the context's material */
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

/** Returns means over questions that have evidence; recall in percent. */
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
