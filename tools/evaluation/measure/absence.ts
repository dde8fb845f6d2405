/** Measures confidence without an answer: questions are asked again of a copy that lacks their evidence. */
import { inParallel } from '../../../test/support/http/client.ts';
import type { Client } from '../client.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { copiesWithoutEvidence } from '../datasets/without-evidence.ts';
import { evidenceNames, load } from '../load.ts';
import { type AskOptions, type QuestionRow, recallBody } from './measure.ts';
import { auroc } from './metrics.ts';

/** One question, asked of a copy of its conversation without its evidence. */
export interface AbsentRow {
  conversation: string;
  id: string;
  confidence: number;
}

export interface AbsenceOptions extends AskOptions {
  onConversation: (id: string, questions: number) => void;
}

/**
 * @param copies number of additional copies of each conversation, each without the evidence of other
 * questions
 */
export const measureAbsence = async (
  client: Client,
  { conversations, unit = 'turn' }: Dataset,
  copies: number,
  { mode, userPrefix, inFlight, onConversation }: AbsenceOptions,
): Promise<AbsentRow[]> => {
  const rows: AbsentRow[] = [];
  for (const [number, whole] of conversations.entries()) {
    for (const [i, copy] of copiesWithoutEvidence(whole, copies).entries()) {
      // Not named by the conversation's id, which may be as long as a user's may be.
      const user = `${userPrefix}without-evidence/${number + 1}/${i + 1}`;
      await load(client, user, copy, evidenceNames(copy.sessions, unit));
      const asked = new Array<AbsentRow>(copy.questions.length);
      await inParallel(copy.questions.length, inFlight, async q => {
        const question = copy.questions[q]!;
        const { confidence } = await client.recall(recallBody(client.orgId, user, question, mode));
        asked[q] = { conversation: whole.id, id: question.id, confidence };
      });
      rows.push(...asked);
    }
    onConversation(whole.id, rows.length);
  }
  return rows;
};

type Judged = Pick<QuestionRow, 'confidence' | 'answerable' | 'label'>;

/** A question and its weight. */
interface Weighted extends Judged {
  weight: number;
}

const BINS = 10;

/** Returns the expected calibration error of weighted questions, over ten bins of equal width. */
const weightedEce = (rows: readonly Weighted[]): number => {
  const gaps = new Float64Array(BINS);
  let all = 0;
  for (const { confidence, label, weight } of rows) {
    gaps[Math.min(BINS - 1, Math.floor(confidence * BINS))]! += weight * (confidence - label);
    all += weight;
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / all;
};

const weightedBrier = (rows: readonly Weighted[]): number =>
  rows.reduce((sum, { confidence, label, weight }) => sum + weight * (confidence - label) ** 2, 0) /
  rows.reduce((sum, { weight }) => sum + weight, 0);

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

/** Calibration as if `share` of all questions had no answer: it depends on that, and no data set knows it. */
export interface AbsenceReport {
  /** Questions asked again without their evidence. */
  questions: number;
  copies: number;
  /** Chosen, not measured. */
  share: number;
  /** Questions whose evidence was found against those without an answer; independent of the share. */
  auroc: number;
  brier: number;
  ece: number;
}

/**
 * @param rows the questions asked of the whole conversations
 * @returns null if none can be answered or none was left out
 */
export const absenceReport = (
  rows: readonly QuestionRow[],
  absent: readonly AbsentRow[],
  { copies, share }: { copies: number; share: number },
): AbsenceReport | null => {
  const answerable = rows.filter(row => row.answerable);
  if (answerable.length === 0 || absent.length === 0) return null;
  const without = withoutAnswer(rows, absent);
  const weighted = [
    ...answerable.map(row => ({ ...row, weight: (1 - share) / answerable.length })),
    ...without.map(row => ({ ...row, weight: share / without.length })),
  ];
  const told = [...answerable.filter(({ label }) => label === 1), ...without];
  return {
    questions: absent.length,
    copies,
    share,
    auroc: round(
      auroc(
        told.map(({ confidence }) => confidence),
        told.map(({ label }) => label),
      ),
    ),
    brier: round(weightedBrier(weighted)),
    ece: round(weightedEce(weighted)),
  };
};

const withoutAnswer = (rows: readonly QuestionRow[], absent: readonly AbsentRow[]): Judged[] => [
  ...rows.filter(row => !row.answerable),
  ...absent.map(({ confidence }) => ({ confidence, answerable: false, label: 0 as const })),
];

const GATES = [0.1, 0.2, 0.3, 0.4, 0.5] as const;

/**
 * Questions turned away by a gate, "below this confidence there is no answer", in percent; null without
 * questions.
 */
export interface GateRow {
  below: number;
  answerable: number | null;
  /** Answerable questions whose evidence was found: the gate's cost. */
  found: number | null;
  /** Unanswerable questions of the data, and questions whose evidence was left out: the gate's purpose. */
  unanswerable: number | null;
}

export const gateRows = (rows: readonly QuestionRow[], absent: readonly AbsentRow[]): GateRow[] => {
  const share = (judged: readonly Judged[], below: number): number | null =>
    judged.length === 0
      ? null
      : Math.round((1000 * judged.filter(({ confidence }) => confidence < below).length) / judged.length) /
        10;
  const answerable = rows.filter(row => row.answerable);
  const found = answerable.filter(({ label }) => label === 1);
  const without = withoutAnswer(rows, absent);
  return GATES.map(below => ({
    below,
    answerable: share(answerable, below),
    found: share(found, below),
    unanswerable: share(without, below),
  }));
};
