/**
 * `npm run evaluate:modes -- FILE [--mode active|deep]`: loads the same conversations in both modes, asks
 * each question of both, and compares the answers hit by hit. The mode cluster runs on the engines that the
 * environment names (TURNSTONE_KAFKA_BROKERS and so on). Ends with status 1 if fewer than 98 % of the
 * questions are answered alike.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { settled } from '../../../test/support/http/client.ts';
import { makeCluster } from '../../../test/support/processes/cluster.ts';
import { type Client, connect, type Hit, type Recalled } from '../client.ts';
import { type LocomoConversation, parseLocomo } from '../datasets/locomo.ts';
import { startOwnServer } from '../own-server.ts';
import { MODES } from './measure.ts';

const LEAST_ALIKE = 0.98;
const SETTLED_WITHIN_MS = 600_000;
const ENGINES = [
  'TURNSTONE_KAFKA_BROKERS',
  'TURNSTONE_ELASTICSEARCH_URL',
  'TURNSTONE_CLICKHOUSE_URL',
  'TURNSTONE_REDIS_URL',
];

const load = async (client: Client, { id, sessions }: LocomoConversation): Promise<void> => {
  for (const session of sessions) {
    await client.ingest({
      scope: { org_id: client.orgId, user_id: id, session_id: session.id },
      turns: session.turns.map(turn => ({
        role: turn.speaker,
        text: turn.text,
        timestamp: new Date(turn.timestamp).toISOString(),
      })),
    });
  }
};

type Named = Hit & { text?: string; label?: string };

/** Returns the one ranked list by the hits' texts: ids are secrets of their installation. */
const listOf = ({ hits }: Recalled): string[] =>
  [
    ...hits.turns.map(hit => ({ ...(hit as Named), kind: 'turn' })),
    ...hits.observations.map(hit => ({ ...(hit as Named), kind: 'observation' })),
    ...hits.entities.map(hit => ({ ...(hit as Named), kind: 'entity' })),
  ]
    .sort((a, b) => b.score - a.score)
    .map(hit => `${hit.kind} ${hit.text ?? hit.label}`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mode: { type: 'string', default: 'active' } },
});
const [file] = positionals;
const mode = MODES.find(name => name === values.mode);
if (!file || !mode) throw new Error('usage: npm run evaluate:modes -- FILE [--mode active|deep]');
const engines = Object.fromEntries(ENGINES.map(name => [name, process.env[name] ?? '']));
const missing = ENGINES.filter(name => !engines[name]);
if (missing.length > 0) throw new Error(`${missing.join(', ')} must be set`);

const conversations = parseLocomo(readFileSync(file, 'utf8'));
const embedded = await startOwnServer();
const cluster = await makeCluster(engines);
try {
  const all = await cluster.start('all');
  const clients = [
    await connect(embedded.baseUrl, embedded.apiKey),
    await connect(all.url, cluster.apiKey),
  ] as const;
  for (const conversation of conversations)
    await Promise.all(clients.map(client => load(client, conversation)));
  await Promise.all([embedded.baseUrl, all.url].map(url => settled(url, SETTLED_WITHIN_MS)));

  let asked = 0;
  let alike = 0;
  const others: string[] = [];
  for (const { id, questions } of conversations) {
    for (const { question } of questions) {
      const [one, other] = await Promise.all(
        clients.map(async client =>
          listOf(
            await client.recall({
              scope: { org_id: client.orgId, user_id: id },
              q: question,
              mode,
            }),
          ),
        ),
      );
      asked++;
      const first = one!.findIndex((text, i) => text !== other![i]);
      if (first < 0 && one!.length === other!.length) alike++;
      else others.push(`${id}: "${question}" differs from place ${first < 0 ? one!.length : first + 1} on`);
    }
  }
  for (const line of others) console.log(line);
  console.log(
    `${alike} of ${asked} questions (${((100 * alike) / asked).toFixed(1)} %) answered alike, ${mode}`,
  );
  if (alike < LEAST_ALIKE * asked) process.exitCode = 1;
} finally {
  await Promise.all([embedded.stop(), cluster.close()]);
}
