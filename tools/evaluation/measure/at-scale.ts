/**
 * Measures the loss from choosing candidates: all conversations in one user's partition, recalled once with
 * every turn as a candidate and once as the service does it. `npm run evaluate:candidates -- FILE`.
 */
import { readFileSync } from 'node:fs';
import { makeRankCandidates } from '../../../services/use-cases/recall/search.ts';
import { fold, language, openProjections } from '../../../test/contracts/openers/embedded.ts';
import { turnRecorded } from '../../../test/support/worlds/builders.ts';
import { parseLocomo } from '../datasets/locomo.ts';
import { metricRows } from '../report/report.ts';
import { questionMetrics } from './metrics.ts';

const SCOPE = { org: 'acme', user: 'ada' };
/** Events per step of the projector. */
const STEP = 256;

const [file] = process.argv.slice(2);
if (!file) throw new Error('usage: npm run evaluate:candidates -- FILE');
const conversations = parseLocomo(readFileSync(file, 'utf8'));
const turns = conversations.flatMap(({ id, sessions }) =>
  sessions.flatMap(session =>
    session.turns.map(turn => ({ ...turn, name: `${id}/${turn.diaId}`, session: `${id}/${session.id}` })),
  ),
);
const events = turns.map(({ session, speaker, text, timestamp }, n) =>
  turnRecorded(n, { ...SCOPE, session, role: speaker, text, timestamp }),
);
const nameOf = new Map(events.map(({ id }, n) => [id, turns[n]!.name]));

const projections = await openProjections();
for (let at = 0; at < events.length; at += STEP) {
  await projections.store.apply({ ...fold(events.slice(at, at + STEP)), positions: {} });
}

const MODES = ['active', 'deep'] as const;
const everything = {
  all: Number.POSITIVE_INFINITY,
  best: 0,
  words: 0,
  vectors: 0,
  length: Number.POSITIVE_INFINITY,
};
const INDEXES = { everything: projections.indexOf(everything), 'the best': projections.index };
const rows: Record<string, Record<string, number>> = {};
for (const mode of MODES) {
  for (const [candidates, index] of Object.entries(INDEXES)) {
    const rankCandidates = makeRankCandidates({ retrieval: index, language: language() });
    const measured = [];
    for (const { id, questions } of conversations) {
      for (const { question, category, evidence } of questions) {
        if (category === 5 || evidence.length === 0) continue;
        const { ranked, fragments } = await rankCandidates({
          scope: SCOPE,
          q: question,
          mode,
          tail: [],
          moment: Date.now(),
        });
        const keys = ranked.slice(0, 30).map(({ candidate }) => candidate.key);
        const stored = await fragments(keys);
        const hits = keys.map(key => [nameOf.get(stored.get(key)!.id)!]);
        const wanted = evidence.map(each => `${id}/${each}`);
        measured.push({ category, metrics: questionMetrics(hits, wanted) });
      }
    }
    rows[`${mode}, candidates: ${candidates}`] = metricRows(measured)['1-4']!;
  }
}
console.log(`${conversations.length} conversations in one partition, ${turns.length} turns`);
console.table(rows);
await projections.close();
