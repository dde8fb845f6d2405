import { sentencesRead } from '../../../../domain/ranking/present/focus.ts';
import {
  tokensOf,
  UNKNOWN,
  type WordingWeights,
  wordsOfSentence,
} from '../../../../domain/ranking/present/wording.ts';
import type { Wordings } from '../../../training/changes/read-attributes.ts';
import type { Chat, Mark } from '../../../training/chats/read-chats.ts';
import { rounded } from '../rounded.ts';

/** One wording of the training stories. */
export interface Line {
  author: string;
  attribute: string;
  kind: 'told' | 'changed' | 'unchanged';
  text: string;
}

/** A word that stands for a value: it is in no wording, so that it is unknown. */
const VALUE = 'qqq';

export const linesOf = ({ author, attributes }: Wordings): Line[] =>
  attributes
    .filter(({ holds }) => holds === 'one')
    .flatMap(attribute => {
      const of = (kind: Line['kind'], texts: readonly string[]): Line[] =>
        texts.map(text => ({
          author,
          attribute: attribute.name,
          kind,
          text: text
            .split(' || ')
            .at(-1)!
            .replace(/\{\w\}/g, VALUE),
        }));
      return [
        ...of('told', attribute.told),
        ...of('changed', attribute.changed),
        ...of('unchanged', [...attribute.unchanged.map(({ text }) => text), ...attribute.remembered]),
      ];
    });

/** Returns how the wording around a marked value tells it; a plan is neither true nor false. */
const kindOf = ({ answer, attribute }: Chat, turn: number, mark: Mark): Line['kind'] | undefined => {
  if (mark.stance === 'plan') return undefined;
  if (mark.stance !== 'now' && mark.stance !== 'then') return 'unchanged';
  if (mark.whose !== 'me') return undefined;
  return answer.includes(turn) && mark.attribute === attribute ? 'changed' : 'told';
};

/** Returns the sentences of a chat that hold a value. */
export const linesOfChat = (chat: Chat): Line[] =>
  chat.turns.flatMap(({ text, marks }, turn) =>
    marks.flatMap(mark => {
      const kind = kindOf(chat, turn, mark);
      const hidden = `${text.slice(0, mark.from)}${VALUE}${text.slice(mark.to)}`;
      const sentence = sentencesRead(hidden).find(one => one.includes(VALUE));
      const { author } = chat;
      return kind && sentence ? [{ author, attribute: mark.attribute, kind, text: sentence }] : [];
    }),
  );

/** A word or a pair counts if so many attributes have it. */
const [LEAST_WORD, LEAST_TOKEN] = [6, 10];
const RIDGE = 0.005;
const [STEPS, FAST_STEPS] = [400, 250];

const inAttributes = (lines: readonly Line[], tokens: (text: string) => Iterable<string>, least: number) => {
  const attributes = new Map<string, Set<string>>();
  for (const { text, attribute } of lines)
    for (const token of tokens(text))
      attributes.set(token, (attributes.get(token) ?? new Set()).add(attribute));
  return [...attributes].flatMap(([token, all]) => (all.size >= least ? [token] : []));
};

/**
 * Fits a logistic regression on the tokens of lines, both labels with equal weight, with a ridge; Adam, full
 * batch, a fixed number of steps.
 */
const fitTokens = (
  rows: readonly (readonly number[])[],
  labels: readonly boolean[],
  tokens: readonly string[],
): { intercept: number; words: Record<string, number> } => {
  const positives = labels.filter(Boolean).length;
  const counts = labels.map(label => rows.length / 2 / (label ? positives : rows.length - positives));
  const bias = tokens.length;
  const weights = new Float64Array(bias + 1);
  const momentum = new Float64Array(bias + 1);
  const variance = new Float64Array(bias + 1);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = Float64Array.from(weights, (weight, f) => (f === bias ? 0 : RIDGE * weight));
    rows.forEach((row, r) => {
      const sum = row.reduce((odds, f) => odds + weights[f]!, weights[bias]!);
      const slope = (counts[r]! * (1 / (1 + Math.exp(-sum)) - (labels[r] ? 1 : 0))) / rows.length;
      for (const f of row) gradient[f]! += slope;
      gradient[bias]! += slope;
    });
    const rate = step < FAST_STEPS ? 0.05 : 0.01;
    for (let f = 0; f <= bias; f++) {
      momentum[f] = 0.9 * momentum[f]! + 0.1 * gradient[f]!;
      variance[f] = 0.999 * variance[f]! + 0.001 * gradient[f]! ** 2;
      const unbiased = momentum[f]! / (1 - 0.9 ** step);
      weights[f]! -= (rate * unbiased) / (Math.sqrt(variance[f]! / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return {
    intercept: rounded(weights[bias]!),
    words: Object.fromEntries(tokens.map((token, f) => [token, rounded(weights[f]!)])),
  };
};

/** Fits by which words a wording says what holds, and by which it says so as news. */
export const fitWording = (lines: readonly Line[]): WordingWeights => {
  const known = new Set(inAttributes(lines, wordsOfSentence, LEAST_WORD));
  known.delete(VALUE);
  const isKnown = (word: string): boolean => known.has(word);
  const tokens = inAttributes(lines, text => tokensOf(text, isKnown), LEAST_TOKEN).filter(
    token => token !== UNKNOWN && token !== `${UNKNOWN} ${UNKNOWN}`,
  );
  const places = new Map(tokens.map((token, f) => [token, f]));
  const rowOf = ({ text }: Line): number[] =>
    [...tokensOf(text, isKnown)].flatMap(token => places.get(token) ?? []);
  const fitOn = (some: readonly Line[], isRight: (line: Line) => boolean) =>
    fitTokens(some.map(rowOf), some.map(isRight), tokens);
  return {
    holds: fitOn(lines, ({ kind }) => kind !== 'unchanged'),
    news: fitOn(
      lines.filter(({ kind }) => kind !== 'unchanged'),
      ({ kind }) => kind === 'changed',
    ),
  };
};
