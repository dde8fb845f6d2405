import { describe, expect, it } from 'vitest';
import { unavailable } from '../../../../../core/errors.ts';
import type { NewRecord } from '../../../../../core/ports.ts';
import { asOutage, connectKafka } from '../../../../../infra/cluster/kafka/client/kafka-client.ts';
import { firstWhere } from '../../../../../infra/cluster/kafka/reader.ts';
import { logRecord, offsetOf, outgoing, partitionOf } from '../../../../../infra/cluster/kafka/records.ts';

const config = { namespace: 'turnstone', partitions: 12 };
const turn: NewRecord = { topic: 'turns', key: '["acme","ada","s"]', value: Buffer.from('sealed') };

describe('records of the log', () => {
  it('go to the partition that their key went to in every release', () => {
    const keys = ['["acme","ada","s"]', 'acme', '', 'ünïcode'];
    expect(keys.map(key => partitionOf(key, 12))).toEqual(PARTITIONS);
    expect(outgoing(config, turn)).toMatchObject({ topic: 'turnstone.turns', partition: PARTITIONS[0] });
  });

  it('leave their key behind: what it names could never be erased', () => {
    expect(outgoing(config, turn).message.key).toBeNull();
    expect(JSON.stringify(outgoing(config, turn).message)).not.toContain('ada');
  });

  it('come back as they were', () => {
    const headers = { attempt: 'a1', reason: 'ünïcode' };
    const encoded = Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]),
    );
    const value = Buffer.from('sealed');
    expect(logRecord('turns', 3, { offset: '42', key: null, value, headers: encoded })).toEqual({
      topic: 'turns',
      partition: 3,
      offset: 42,
      value,
      headers,
    });
    const removed = logRecord('keys', 0, { offset: '0', key: Buffer.from('key-1'), value: null });
    expect(removed).toMatchObject({ name: 'key-1', headers: {} });
    expect(removed.value).toHaveLength(0);
  });

  it('have offsets that are exact, or none', () => {
    expect(offsetOf('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => offsetOf('9007199254740993')).toThrow('2^53');
  });
});

/** The partitions of `turnstone`'s first release in this mode: they may never change. */
const PARTITIONS = [6, 7, 1, 9];

describe('where records go on after a gap', () => {
  it.each([1, 2, 17, 63, 64])('is found, at %i', async at => {
    let asked = 0;
    const found = await firstWhere(1, 64, async number => {
      asked++;
      return number >= at;
    });
    expect(found).toBe(at);
    expect(asked).toBeLessThanOrEqual(6);
  });
});

describe('an error of the client', () => {
  const failed = (type?: string, cause?: Error): Error =>
    Object.assign(new Error('said: secret', { cause }), { type });

  it('is an outage, unless waiting does not mend it', () => {
    const outages = [
      failed(),
      failed('NOT_ENOUGH_REPLICAS'),
      new TypeError('x is undefined'),
      unavailable('full'),
    ];
    for (const error of outages) expect(asOutage(error)).toMatchObject({ code: 'unavailable' });
    const wrapped = failed(undefined, failed('TOPIC_AUTHORIZATION_FAILED'));
    expect(asOutage(wrapped)).not.toHaveProperty('code');
    expect(asOutage(wrapped).message).toBe('Kafka refuses: TOPIC_AUTHORIZATION_FAILED');
    for (const error of [...outages, wrapped]) expect(asOutage(error).message).not.toContain('secret');
  });
});

describe('the client', () => {
  it('says nothing by itself, not even where the environment tells it to', () => {
    process.env.KAFKAJS_LOG_LEVEL = 'DEBUG';
    try {
      const written: unknown[] = [];
      const { log, error, warn } = console;
      console.log = console.error = console.warn = (...args: unknown[]) => void written.push(args);
      connectKafka({ kafkaBrokers: ['127.0.0.1:1'] })
        .logger()
        .error('a record: secret');
      Object.assign(console, { log, error, warn });
      expect(written).toEqual([]);
    } finally {
      delete process.env.KAFKAJS_LOG_LEVEL;
    }
  });
});
