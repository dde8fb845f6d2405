/**
 * Measures the gain from a time in a question: questions with their evidence in one session, asked some days
 * after it, without a time, with its words alone, and with the time understood. Offline, active. `npm run
 * evaluate:times -- FILE …`.
 */

import type { AskedAt } from '../../../domain/language/times/asked-times.ts';
import { prepare } from '../../../domain/ranking/features/features.ts';
import { rank } from '../../../domain/ranking/rank.ts';
import { language } from '../../../test/contracts/openers/embedded.ts';
import type { Question } from '../datasets/dataset.ts';
import { readDataset } from '../datasets/read-dataset.ts';
import { type OfflineScope, offlineScope } from '../offline.ts';
import { meanMetrics, type QuestionMetrics, questionMetrics } from './metrics.ts';

const DAY = 86_400_000;
/** Phrases added to a question, and how many days after its evidence it is asked. */
const PHRASES: readonly [phrase: string, days: number][] = [
  ['', 1],
  ['yesterday', 1],
  ['a few days ago', 3],
  ['last week', 7],
  ['in the past three weeks', 10],
  ['two weeks ago', 14],
  ['last month', 30],
];
/** Matches a question that names a time already. */
const SAYS_WHEN = /\b(?:when|\d{4}|ago|last|recent|before|after|during|since)\b/i;
/** Evidence that was said within this span counts as said at one time. */
const ONE_TALK = DAY / 12;

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: npm run evaluate:times -- FILE …');

const measured = (
  scope: OfflineScope,
  { evidence }: Question,
  q: string,
  asked?: AskedAt,
): QuestionMetrics => {
  const query = language().analyseQuery(q, scope.speakers, asked);
  const ranked = rank(prepare(query, scope.statistics(query.stems), scope.candidates), scope.candidates);
  return questionMetrics(
    ranked.slice(0, 30).map(({ candidate }) => [scope.names[candidate.key]!]),
    evidence,
  );
};

const percent = (value: number): string => (100 * value).toFixed(1);

for (const file of files) {
  const rows: Record<string, Record<string, string | number>> = {};
  const scopes = readDataset(file).conversations.map(conversation => offlineScope(language(), conversation));
  for (const [phrase, days] of PHRASES) {
    const words: QuestionMetrics[] = [];
    const understood: QuestionMetrics[] = [];
    for (const scope of scopes) {
      const said = scope.candidates.map(({ timestamp }) => timestamp);
      const extent = () => ({
        first: said.reduce((a, b) => Math.min(a, b)),
        last: said.reduce((a, b) => Math.max(a, b)),
      });
      for (const question of scope.questions) {
        if (!question.answerable || question.evidence.length === 0 || SAYS_WHEN.test(question.question))
          continue;
        const times = question.evidence.map(id => said[scope.names.indexOf(id)]!);
        const first = Math.min(...times);
        if (Math.max(...times) - first > ONE_TALK) continue;
        const q = phrase ? `${question.question.replace(/\?\s*$/, '')} ${phrase}?` : question.question;
        words.push(measured(scope, question, q));
        understood.push(measured(scope, question, q, { moment: first + days * DAY, extent }));
      }
    }
    const [before, now] = [meanMetrics(words), meanMetrics(understood)];
    rows[phrase || 'no time'] = {
      questions: words.length,
      'R@5 by words': percent(before.recallAt5),
      'R@10 by words': percent(before.recallAt10),
      'R@5': percent(now.recallAt5),
      'R@10': percent(now.recallAt10),
    };
  }
  console.log(file);
  console.table(rows);
}
