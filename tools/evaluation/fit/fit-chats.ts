import type { Chat } from '../../../domain/ranking/features/chat-kind.ts';
import { DEEP_FEATURES } from '../../../domain/ranking/features/deep-features.ts';
import { FEATURES } from '../../../domain/ranking/features/feature-names.ts';
import { weightsOf } from '../../../domain/ranking/rank.ts';
import shipped from '../../../domain/ranking/weights.json' with { type: 'json' };
import type { Mode } from '../measure/measure.ts';
import { CONSTRAINTS, DEEP_CONSTRAINTS } from './constraints.ts';
import { deepGroupOf, type Example, groupOf, PLAIN_WEIGHTS, scoredBy, WIDTH } from './examples.ts';
import { fitListwise, type Group } from './listwise.ts';

export type ByMode<T> = Record<Mode, T>;
export type ByChat<T> = Record<Chat, T>;
export type Weights = ByChat<ByMode<Float64Array>>;
/** The weights choose the passages that stand for long turns, so they are fitted twice. */
const ROUNDS = 2;
/** Strong, and to 0 for assistants too: the likelihood favours features that cost places on balance. */
const DEEP_RIDGE = 0.4;

interface ChatFit {
  /** Weights of active mode, by round. */
  rounds: Float64Array[];
  /** Weights of active mode's sum, then of the deep features. */
  deep: Float64Array;
}

/**
 * Fits one kind of chat. Questions without an answer are left out: their "evidence" is a distractor.
 *
 * @param weightOf weight of a question of its data set
 * @param prior weights to which active mode's are drawn, by round
 */
const fitChat = (
  examples: readonly Example[],
  weightOf: (example: Example) => number,
  prior?: ChatFit['rounds'],
): ChatFit => {
  const kept = examples.filter(({ question, evidence }) => question.answerable && evidence.length > 0);
  const rounds: Float64Array[] = [];
  const scored = () => {
    const by = rounds.at(-1) ?? PLAIN_WEIGHTS;
    return kept.map(example => ({ example, ...scoredBy(example, by) }));
  };
  for (let round = 0; round < ROUNDS; round++) {
    const groups = scored().map(
      ({ example, table, sums }): Group => ({
        ...groupOf(example.evidence, table.rows, WIDTH, sums),
        weight: weightOf(example),
      }),
    );
    const home = prior?.[round];
    rounds.push(fitListwise(groups, WIDTH, { constraints: CONSTRAINTS, ...(home && { prior: home }) }));
  }
  const behind = scored().flatMap(({ example, ...first }): Group[] => {
    const made = deepGroupOf(example, first);
    // Few evidence turns are behind the first ten, so a set with a low weight for words gets more here.
    return made ? [{ ...made, weight: Math.sqrt(weightOf(example)) }] : [];
  });
  const deep = fitListwise(behind, ACTIVE_ALONE.length, {
    ridge: DEEP_RIDGE,
    prior: ACTIVE_ALONE,
    constraints: DEEP_CONSTRAINTS,
  });
  return { rounds, deep };
};

/**
 * Fits the weights of each kind of chat, without the held-out examples. Those of active mode in chats with an
 * assistant are drawn to those of people, since few such chats are at hand.
 *
 * @param known fits on all examples; kept for a kind of chat without held-out examples
 */
export const fitChats = (
  examples: readonly Example[],
  weightOf: (example: Example) => number,
  { isHeld, known }: { isHeld: (example: Example) => boolean; known?: ByChat<ChatFit> },
): ByChat<ChatFit> => {
  const fitOf = (chat: Chat, prior?: ChatFit['rounds']): ChatFit => {
    const own = examples.filter(({ prepared }) => prepared.chat === chat);
    return known && !own.some(isHeld)
      ? known[chat]
      : fitChat(
          own.filter(example => !isHeld(example)),
          weightOf,
          prior,
        );
  };
  const people = fitOf('people');
  return { people, assistant: fitOf('assistant', people.rounds) };
};

export const weightsOfFits = (fits: ByChat<ChatFit>): Weights =>
  byChat(chat => ({ active: fits[chat].rounds.at(-1)!, deep: besideActive(fits[chat].deep) }));

/** The sum of active mode as it is, and nothing of the deep features. */
const ACTIVE_ALONE = Float64Array.from([1, ...DEEP_FEATURES.map(() => 0)]);

/** Returns the weights of the deep features beside a sum of weight 1. */
const besideActive = ([sum, ...added]: Float64Array): Float64Array =>
  Float64Array.from(added, weight => weight / sum!);

/** Returns the weights of weights.json. */
export const shippedWeights = (): Weights =>
  byChat(chat => ({
    active: weightsOf(FEATURES, shipped[chat].active.weights),
    deep: weightsOf(DEEP_FEATURES, shipped[chat].deep.weights),
  }));

const byChat = <T>(of: (chat: Chat) => T): ByChat<T> => ({
  people: of('people'),
  assistant: of('assistant'),
});
