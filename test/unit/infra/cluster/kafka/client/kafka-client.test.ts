import { expect, it } from 'vitest';
import { newProducer } from '../../../../../../infra/cluster/kafka/client/kafka-client.ts';

/**
 * Switched off by hand: kafka-client.ts makes producers that are not idempotent → 'The producer is
 * disconnected', since then the client takes what fewer than all copies acknowledge.
 */
it('a producer is idempotent, so the client refuses to send what not all copies acknowledge', async () => {
  const producer = newProducer({ kafkaBrokers: ['127.0.0.1:9'] }, 'test')(() => () => 0);
  const message = { key: 'k', value: Buffer.from('v'), headers: {}, partition: 0 };
  const batch = { timeout: 1_000, topicMessages: [{ topic: 'turns', messages: [message] }] };
  await expect(producer.sendBatch({ ...batch, acks: 1 })).rejects.toThrow(/idempotent producer/);
  await expect(producer.sendBatch({ ...batch, acks: -1 })).rejects.toThrow(/disconnected/);
});
