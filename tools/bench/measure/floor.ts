/**
 * The floor: an express server that does only what every memory service must do. An ingestion is parsed and
 * appended to the same log by the same writer thread, one synced record per turn; a recall is parsed, one
 * record is appended for it, and an answer of the usual size is sent.
 */
import { randomBytes } from 'node:crypto';
import type { NewRecord } from '../../../core/ports.ts';
import { openEventLog } from '../../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../../infra/embedded/log/writer-connection.ts';
import { temporaryFolder } from '../../../test/support/processes/server.ts';
import { makeFloor, serveFloor } from './floor-server.ts';

const ANSWER_TURNS = 15;

const folder = temporaryFolder();
const paths = { logPath: `${folder}/log.db`, keysPath: `${folder}/keys.db` };
const writer = await startWriter(paths, error => {
  throw error;
});
const log = openEventLog(paths.logPath, connectWriter(writer.port()));

const answer = {
  hits: {
    turns: Array.from({ length: ANSWER_TURNS }, (_, i) => ({
      id: `trn_${randomBytes(16).toString('hex')}`,
      text: `[2023-01-02] [Maya] ${'a turn of the usual length '.repeat(5)}`,
      score: 1 / (i + 1),
      kind: 'turn',
      timestamp: '1672650000',
    })),
    observations: [],
    entities: [],
  },
  confidence: 0.5,
  timeline: null,
  mode: 'active',
  usage: { tokens_in: 10, tokens_out: 600 },
};

const app = makeFloor();
app.post('/ingestion/memory', async (request, response) => {
  const { scope, turns } = request.body;
  const records = turns.map(
    (turn: object): NewRecord => ({
      topic: 'turns',
      key: `${scope.user_id}\n${scope.session_id}`,
      value: Buffer.from(JSON.stringify(turn)),
    }),
  );
  await log.append(records);
  response.status(202).json({ turns: turns.length });
});
app.post('/recall', async (request, response) => {
  const value = Buffer.from(JSON.stringify({ q: request.body.q.length }));
  await log.append([{ topic: 'usage', key: 'local', value }]);
  response.json(answer);
});

serveFloor(app, async () => {
  await log.close();
  await writer.close();
});
