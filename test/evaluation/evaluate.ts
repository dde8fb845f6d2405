/**
 * `npm run evaluate -- FILE [--mode active|deep] [--base-url URL] [--api-key KEY] [--json OUT] [--user-prefix P]`:
 * evidence recall through the HTTP API. Without --base-url it starts a service of its own. Each conversation is a user
 * partition, each of its sessions a session. Every question is asked once, with top_k = 30: recall@k is measured on the
 * first k hits, because the ranking is one list that `top_k` only cuts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, connect, type RecallBody } from './client.ts';
import { type LocomoConversation, parseLocomo } from './locomo.ts';
import { percentile, questionMetrics } from './metrics.ts';
import { startOwnServer } from './own-server.ts';
import { confidenceRow, type Measured, metricRows, reliabilityRows } from './report.ts';

const TOP_K = 30;
/** Confidence speaks of the hits of a default `active` recall. */
const CONFIDENCE_TOP = 15;
const ADVERSARIAL = 5;

interface Asked extends Measured {
  milliseconds: number;
  confidence: number;
  /** Whether what the question asks for was there: any evidence among the first hits; never for an adversarial one. */
  answered: number;
}

/** Writes the conversation; resolves with the dia_id of each turn's fragment id. */
const ingest = async (
  client: Client,
  user: string,
  conversation: LocomoConversation,
): Promise<Map<string, string>> => {
  const diaIds = new Map<string, string>();
  for (const session of conversation.sessions) {
    const answer = await client.ingest({
      scope: { org_id: client.orgId, user_id: user, session_id: session.id },
      turns: session.turns.map(turn => ({
        role: turn.speaker,
        text: turn.text,
        timestamp: new Date(turn.timestamp).toISOString(),
      })),
    });
    for (const [i, id] of answer.active_fragment_ids.entries()) diaIds.set(id, session.turns[i]!.diaId);
  }
  return diaIds;
};

/** The one ranked list that the answer was split from: for each place the turns that the hit is, or names. */
const places = ({ hits }: RecallBody, diaIds: ReadonlyMap<string, string>): string[][] => {
  const known = (ids: readonly string[]) => ids.flatMap(id => diaIds.get(id) ?? []);
  return [
    ...hits.turns.map(hit => ({ score: hit.score, ids: known([hit.id]) })),
    ...hits.observations.map(hit => ({ score: hit.score, ids: known(hit.source_turn_ids ?? []) })),
    ...hits.entities.map(hit => ({ score: hit.score, ids: [] as string[] })),
  ]
    .sort((a, b) => b.score - a.score)
    .map(({ ids }) => ids);
};

const ask = async (
  client: Client,
  user: string,
  mode: string,
  conversation: LocomoConversation,
  diaIds: Map<string, string>,
) => {
  const asked: Asked[] = [];
  for (const { question, category, evidence } of conversation.questions) {
    if (evidence.length === 0) continue;
    const started = performance.now();
    const answer = await client.recall({
      scope: { org_id: client.orgId, user_id: user },
      q: question,
      mode,
      top_k: TOP_K,
    });
    const milliseconds = performance.now() - started;
    const ranked = places(answer, diaIds);
    const found = ranked
      .slice(0, CONFIDENCE_TOP)
      .flat()
      .some(id => evidence.includes(id));
    asked.push({
      category,
      metrics: questionMetrics(ranked, evidence),
      milliseconds,
      confidence: answer.confidence,
      answered: found && category !== ADVERSARIAL ? 1 : 0,
    });
  }
  return asked;
};

const latencyRow = (milliseconds: readonly number[]) =>
  Object.fromEntries(
    [50, 95, 99].map(p => [`p${p}`, Math.round(percentile(milliseconds, p / 100) * 10) / 10]),
  );

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'active' },
    'base-url': { type: 'string' },
    'api-key': { type: 'string' },
    'user-prefix': { type: 'string', default: '' },
    json: { type: 'string' },
  },
});
const file = positionals[0];
if (!file || !['active', 'deep'].includes(values.mode)) {
  throw new Error(
    'usage: npm run evaluate -- FILE [--mode active|deep] [--base-url URL --api-key KEY] [--json OUT]',
  );
}
if (values['base-url'] && !values['api-key']) throw new Error('--base-url needs --api-key');
const conversations = parseLocomo(readFileSync(file, 'utf8'));
const server = values['base-url'] ? undefined : await startOwnServer();
try {
  const client = await connect(
    (values['base-url'] ?? server!.baseUrl).replace(/\/$/, ''),
    values['api-key'] ?? server!.apiKey,
  );
  const asked: Asked[] = [];
  for (const conversation of conversations) {
    const user = values['user-prefix'] + conversation.id;
    const diaIds = await ingest(client, user, conversation);
    asked.push(...(await ask(client, user, values.mode, conversation, diaIds)));
    console.log(`${conversation.id}: ${diaIds.size} turns, ${asked.length} questions so far`);
  }
  const probabilities = asked.map(one => one.confidence);
  const labels = asked.map(one => one.answered);
  const report = {
    data: basename(file),
    mode: values.mode,
    measuredOn: new Date().toISOString().slice(0, 10),
    evidence: metricRows(asked),
    latencyMilliseconds: latencyRow(asked.map(one => one.milliseconds)),
    confidence: confidenceRow(probabilities, labels),
    reliability: reliabilityRows(probabilities, labels),
  };
  console.log(`\nEvidence recall, ${values.mode}, percent (1-4 is the headline)`);
  console.table(report.evidence);
  console.log('latency, ms', report.latencyMilliseconds);
  console.log('confidence', report.confidence);
  console.table(report.reliability);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  await server?.stop();
}
