import type { UseCases } from '../../core/use-cases.ts';
import type { Metrics } from '../../core/watch/metrics.ts';
import { VERDICTS } from '../../schemas/events/curation/judgement.ts';
import { MODEL_NAMES, type RecallAnswer } from '../../schemas/http/recall.ts';

type Counting = Pick<Metrics, 'counter' | 'histogram'>;

/** The bounds between the words for a confidence, and some within them. */
const CONFIDENCES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

const FACT_STATES = ['holds', 'superseded', 'disputed'] as const;
type FactState = (typeof FACT_STATES)[number];
const DIRECTIONS = ['in', 'out'] as const;
const BILLED_CALLS = ['ingest', 'recall', 'say', 'correct'] as const;

/** A hit that may be a fact, or a fact within the hit of its turn. */
interface MaybeFact {
  attribute?: string;
  superseded_by?: string;
  disputed_by?: readonly string[];
}

const stateOf = ({ superseded_by, disputed_by = [] }: MaybeFact): FactState => {
  if (disputed_by.length > 0) return 'disputed';
  return superseded_by === undefined ? 'holds' : 'superseded';
};

/** Counts the facts among the hits by their state. */
const factsIn = ({ hits: { turns, observations } }: RecallAnswer): Record<FactState, number> => {
  const counts = { holds: 0, superseded: 0, disputed: 0 };
  const count = (those: readonly MaybeFact[]): void => {
    for (const one of those) if (one.attribute !== undefined) counts[stateOf(one)]++;
  };
  count(observations);
  for (const { observations: own } of turns) if (own) count(own);
  return counts;
};

/** Counts how sure recalls are, how many find nothing, and what they know of facts; never any words. */
const makeCountRecall = ({ counter, histogram }: Counting): ((answer: RecallAnswer) => void) => {
  const confidence = histogram({
    name: 'turnstone_recall_confidence',
    help: 'The confidence of answered recalls',
    buckets: CONFIDENCES,
  });
  const empty = counter({
    name: 'turnstone_recalls_empty_total',
    help: 'Answered recalls that found nothing, since the start',
  });
  const degraded = counter({
    name: 'turnstone_recalls_degraded_total',
    help: 'Answered recalls in which a configured model took no part, since the start',
    labels: ['model'],
  });
  const facts = counter({
    name: 'turnstone_recalled_facts_total',
    help: 'Facts among the hits of answered recalls, since the start, by whether they hold',
    labels: ['state'],
  });
  empty(0);
  for (const model of MODEL_NAMES) degraded(0, { model });
  for (const state of FACT_STATES) facts(0, { state });
  return answer => {
    confidence(answer.confidence);
    // Exactly 0 is said of nothing but an empty answer.
    if (answer.confidence === 0) empty(1);
    for (const model of answer.degraded ?? []) degraded(1, { model });
    const counts = factsIn(answer);
    for (const state of FACT_STATES) if (counts[state] > 0) facts(counts[state], { state });
  };
};

/** Returns the use cases with what they answer counted, for the dashboards of memory quality and billing. */
export const countAnswers = (useCases: UseCases, counting: Counting): UseCases => {
  const countRecall = makeCountRecall(counting);
  const tokens = counting.counter({
    name: 'turnstone_tokens_billed_total',
    help: 'Tokens that the calls of this process were billed, since the start',
    labels: ['call', 'direction'],
  });
  const feedback = counting.counter({
    name: 'turnstone_recall_feedback_total',
    help: 'Verdicts on hits of recalls, since the start',
    labels: ['verdict'],
  });
  for (const verdict of VERDICTS) feedback(0, { verdict });
  for (const call of BILLED_CALLS) for (const direction of DIRECTIONS) tokens(0, { call, direction });
  const billed = <Answer extends object>(call: (typeof BILLED_CALLS)[number], answer: Answer): Answer => {
    // A caller that may not read is answered with the id alone.
    if (!('usage' in answer)) return answer;
    const { tokens_in, tokens_out } = answer.usage as { tokens_in: number; tokens_out: number };
    tokens(tokens_in, { call, direction: 'in' });
    tokens(tokens_out, { call, direction: 'out' });
    return answer;
  };
  return {
    ...useCases,
    giveFeedback: async (...asked) => {
      const answer = await useCases.giveFeedback(...asked);
      feedback(1, { verdict: answer.verdict });
      return answer;
    },
    ingest: async (...asked) => billed('ingest', await useCases.ingest(...asked)),
    say: async (...asked) => billed('say', await useCases.say(...asked)),
    correct: async (...asked) => billed('correct', await useCases.correct(...asked)),
    recall: async (...asked) => {
      const answer = billed('recall', await useCases.recall(...asked));
      countRecall(answer);
      return answer;
    },
  };
};
