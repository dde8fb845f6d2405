/**
 * The floor of ingestion in the mode `cluster`: an express server that parses the same body and produces its
 * turns with a plain producer, answering when they are acknowledged. One send is in flight at a time; waiting
 * requests share the next one. It validates, seals, claims and bills nothing.
 */
import { connectKafka } from '../../../infra/cluster/kafka/client/kafka-client.ts';
import type { TopicMessages } from '../../../infra/cluster/kafka/next-send.ts';
import { makeFloor, serveFloor } from '../measure/floor-server.ts';

interface Waiting {
  messages: TopicMessages['messages'];
  resolve: () => void;
  reject: (error: unknown) => void;
}

const topic = process.env.BENCH_TOPIC!;
const producer = connectKafka({ kafkaBrokers: process.env.BENCH_KAFKA_BROKERS!.split(',') }).producer({
  allowAutoTopicCreation: false,
});
await producer.connect();

let waiting: Waiting[] = [];
let sending = false;
const pump = async (): Promise<void> => {
  sending = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    try {
      await producer.send({ topic, acks: -1, messages: batch.flatMap(({ messages }) => messages) });
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  sending = false;
};

const produce = (messages: TopicMessages['messages']): Promise<void> =>
  new Promise((resolve, reject) => {
    waiting.push({ messages, resolve, reject });
    if (!sending) void pump();
  });

const app = makeFloor();
app.post('/ingestion/memory', async (request, response) => {
  const { scope, turns } = request.body;
  const key = `${scope.user_id}\n${scope.session_id}`;
  await produce(turns.map((turn: object) => ({ key, value: JSON.stringify(turn) })));
  response.status(202).json({ turns: turns.length });
});

serveFloor(app, () => producer.disconnect());
