import { expect, it } from 'vitest';
import type { IngestBody } from '../../../../../schemas/http/ingestion.ts';
import type { Client } from '../../../../../tools/evaluation/client.ts';
import type { Conversation } from '../../../../../tools/evaluation/datasets/dataset.ts';
import { absenceReport, gateRows, measureAbsence } from '../../../../../tools/evaluation/measure/absence.ts';
import type { QuestionRow } from '../../../../../tools/evaluation/measure/measure.ts';

const row = (confidence: number, members: Partial<QuestionRow> = {}): QuestionRow => ({
  conversation: 'c',
  id: 'q',
  category: null,
  answerable: true,
  metrics: null,
  present: null,
  bm25: null,
  confidence,
  label: 1,
  milliseconds: 1,
  contents: [],
  budgets: [],
  ...members,
});
const absent = (confidence: number) => ({ conversation: 'c', id: 'q', confidence });

it('asks each question of a partition of its own that never held the evidence', async () => {
  const partitions = new Map<string, string[]>();
  const client: Client = {
    orgId: 'acme',
    ingest: async ({ scope, turns }: IngestBody) => {
      const said = partitions.get(scope.user_id!) ?? [];
      partitions.set(scope.user_id!, [...said, ...turns.map(({ text }) => text)]);
      return { job_id: 'j', active_fragment_ids: turns.map(({ text }) => text) };
    },
    isQueued: async () => false,
    lacksVectors: async () => false,
    recall: async ({ scope, q, mode, top_k }) => {
      expect({ mode, top_k }).toEqual({ mode: 'deep', top_k: 30 });
      // The question asks for a turn by its text.
      expect(partitions.get(scope.user_id!)).not.toContain(q);
      expect(partitions.get(scope.user_id!)!.length).toBeGreaterThan(30);
      return { hits: { turns: [], observations: [], entities: [] }, confidence: 0.3, context: null };
    },
  };
  const texts = Array.from({ length: 40 }, (_, i) => `t${i}`);
  const conversation: Conversation = {
    id: 'c',
    sessions: [
      {
        id: 's',
        turns: texts.map(text => ({ id: text, text, role: 'Ada', timestamp: '2026-01-05T09:00:00Z' })),
      },
    ],
    questions: ['t5', 't20'].map(text => ({ id: text, question: text, evidence: [text], answerable: true })),
  };
  const asking = { mode: 'deep', userPrefix: 'p/', inFlight: 2, onConversation: () => {} } as const;
  const dataset = { headline: 'answerable', conversations: [conversation] };
  const rows = await measureAbsence(client, dataset, 2, asking);
  expect(rows.map(({ conversation, id, confidence }) => [conversation, id, confidence]).sort()).toEqual([
    ['c', 't20', 0.3],
    ['c', 't5', 0.3],
  ]);
  expect([...partitions.keys()]).toEqual(['p/without-evidence/1/1', 'p/without-evidence/1/2']);
  expect(await measureAbsence(client, dataset, 0, asking)).toEqual([]);
});

it('weighs questions without an answer by the share that was chosen, and their AUROC does not depend on it', () => {
  const rows = [row(0.9), row(0.7), row(0.5, { label: 0 }), row(0.1, { answerable: false, label: 0 })];
  const report = (share: number) => absenceReport(rows, [absent(0.3), absent(0.8)], { copies: 2, share })!;
  // Five of the six pairs of .9 and .7 with .1, .3 and .8 are in order.
  expect(report(0.2)).toMatchObject({ questions: 2, copies: 2, share: 0.2, auroc: 0.8333 });
  expect(report(0.9).auroc).toBe(0.8333);
  // Nobody could answer: the mean distances and squares of .1, .3 and .8 alone.
  expect(report(1)).toMatchObject({ ece: 0.4, brier: 0.2467 });
  // All could: those of .9, .7 and .5.
  expect(report(0)).toMatchObject({ ece: 0.3, brier: 0.1167 });
  expect(report(0.5).ece).toBeCloseTo(0.5 * 0.4 + 0.5 * 0.3);
  expect(absenceReport(rows, [], { copies: 0, share: 0.2 })).toBeNull();
});

it('counts what a gate turns away', () => {
  const rows = [row(0.9), row(0.35), row(0.2, { label: 0 }), row(0.15, { answerable: false, label: 0 })];
  expect(gateRows(rows, [absent(0.45)])).toEqual([
    { below: 0.1, answerable: 0, found: 0, unanswerable: 0 },
    { below: 0.2, answerable: 0, found: 0, unanswerable: 50 },
    { below: 0.3, answerable: 33.3, found: 0, unanswerable: 50 },
    { below: 0.4, answerable: 66.7, found: 50, unanswerable: 50 },
    { below: 0.5, answerable: 66.7, found: 50, unanswerable: 100 },
  ]);
  expect(gateRows([row(0.9)], [])[0]).toEqual({ below: 0.1, answerable: 0, found: 0, unanswerable: null });
});
