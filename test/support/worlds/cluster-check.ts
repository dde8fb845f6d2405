/** Holds what a load was told against the log and the service's answers: invariants 1 to 3, exact billing. */
import { expect } from 'vitest';
import { type Event, makeDecode } from '../../../core/log/events.ts';
import type { Topic } from '../../../core/ports.ts';
import { countTokens } from '../../../core/tokens/count.ts';
import { withLogAndKeys } from '../engines/cluster-log.ts';
import { type Client, inParallel } from '../http/client.ts';
import type { Cluster } from '../processes/cluster.ts';
import { pause } from '../wait.ts';
import type { Attempt, Kept, KeptWrite } from './cluster-load.ts';

interface Billed {
  tokens_in: number;
  tokens_out: number;
}

/** Every event of a topic, partition by partition, second copies and all. */
const readLog = (cluster: Cluster, topics: readonly Topic[]): Promise<Event[]> =>
  withLogAndKeys(cluster, async ({ log, keys }) => {
    const decode = makeDecode(keys);
    const events: Event[] = [];
    for (const [topicPartition, end] of Object.entries(await log.ends())) {
      const [topic, partition] = topicPartition.split('/') as [Topic, string];
      if (!topics.includes(topic)) continue;
      for (let offset = 0; offset < end; ) {
        const records = await log.read(topic, Number(partition), offset, 1_000);
        if (records.length === 0) break;
        for (const record of records) {
          const decoded = await decode(record);
          if (decoded.kind !== 'events')
            throw new Error(`${topicPartition}/${record.offset} is ${decoded.kind}`);
          events.push(...decoded.events);
        }
        offset = records.at(-1)!.offset + 1;
      }
    }
    return events;
  });

/** The fold of what the log has of an organization: every distinct turn and recall once. */
const foldLog = async (cluster: Cluster, org: string) => {
  const turns = new Map<string, { tokens: number; correlationId: string }>();
  const recalls = new Map<string, Billed & { correlationId: string }>();
  let copies = 0;
  for (const event of await readLog(cluster, ['turns', 'usage'])) {
    if (event.org_id !== org) continue;
    const { id, type, tokens, data, correlation_id: correlationId } = event;
    if (type === 'turn.recorded') {
      if (turns.has(id)) copies++;
      else turns.set(id, { tokens: tokens!, correlationId });
    }
    if (type === 'recall.metered') recalls.set(id, { ...(data as Billed), correlationId });
  }
  const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);
  return {
    turns,
    recalls,
    copies,
    tokens_in:
      sum([...turns.values()].map(each => each.tokens)) +
      sum([...recalls.values()].map(each => each.tokens_in)),
    tokens_out: sum([...recalls.values()].map(each => each.tokens_out)),
  };
};

const byCorrelation = (attempts: readonly Attempt[]): Map<string, Attempt> =>
  new Map(attempts.map(attempt => [attempt.correlationId, attempt]));

/** As any client: a 503 is asked again. */
const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let left = 20; ; left--) {
    try {
      return await ask();
    } catch (error) {
      if (left === 0 || !String(error).includes('status 503')) throw error;
      await pause(500);
    }
  }
};

export interface Verdict {
  writes: number;
  recalls: number;
  refused: number;
  broken: number;
  /** Turns that the log holds more than once. */
  secondCopies: number;
  longestRefusalMs: number;
  /** Tokens of the log that no delivered answer told, each of a broken attempt. */
  untold: Billed;
}

/** Recalls that look for what was written: more would take longer than the load did. */
const MOST_RECALLED = 400;

/** All writes, or every k-th of many, and each that was not answered at once: what the fault came upon. */
const worthRecalling = (writes: readonly KeptWrite[]): KeptWrite[] => {
  const step = Math.ceil(writes.length / MOST_RECALLED);
  return writes.filter(({ attempts }, n) => n % step === 0 || attempts.length > 1);
};

/**
 * To be called when projectors and enrichers have caught up. That every acknowledged turn is in the log, once
 * by content and billed, is held against all of them; that they are recallable, of a long load against a
 * sample. `outageMs`: how long the engine or process was away. `org`: whose load it was.
 */
export const check = async (
  cluster: Cluster,
  client: Client,
  kept: Kept,
  outageMs: number,
  org = 'acme',
): Promise<Verdict> => {
  expect(kept.faults).toEqual([]);
  const { writes, recalls } = kept;
  const attempts = [...writes, ...recalls].flatMap(call => call.attempts);
  const longestRefusalMs = Math.max(0, ...[...writes, ...recalls].map(call => call.refusedMs));
  expect(longestRefusalMs).toBeLessThanOrEqual(outageMs + 10_000);

  // The bill is read before the recalls below are metered.
  const month = await patiently(() => client.month(new Date().toISOString().slice(0, 7)));
  const log = await foldLog(cluster, org);

  // Acknowledged is kept.
  const lost = writes.flatMap(({ answer }) => answer!.active_fragment_ids.filter(id => !log.turns.has(id)));
  expect(lost).toEqual([]);
  // Nothing that nobody sent, and each turn once by content.
  expect(log.turns.size).toBe(new Set(writes.flatMap(({ answer }) => answer!.active_fragment_ids)).size);

  // Exact billing: the report is the fold of the log.
  const untold: Billed = {
    tokens_in: log.tokens_in,
    tokens_out: log.tokens_out,
  };
  expect({ tokens_in: month.tokens_in, tokens_out: month.tokens_out }).toEqual(untold);
  for (const { usage } of attempts) {
    untold.tokens_in -= usage?.tokens_in ?? 0;
    untold.tokens_out -= usage?.tokens_out ?? 0;
  }

  // A write's answers told what its turns cost, but for what a broken attempt of it may have been billed.
  for (const write of writes) {
    const cost = write.texts.reduce((tokens, text) => tokens + countTokens(text), 0);
    const told = write.attempts.reduce((tokens, { usage }) => tokens + (usage?.tokens_in ?? 0), 0);
    const isBroken = write.attempts.some(({ outcome }) => outcome !== 'answered');
    if (isBroken) expect(told).toBeLessThanOrEqual(cost);
    else expect(told).toBe(cost);
  }
  // Every metered recall is an answer that was delivered, or one whose connection broke.
  const asked = byCorrelation(recalls.flatMap(call => call.attempts));
  const metered = new Set<string>();
  for (const { correlationId, tokens_in, tokens_out } of log.recalls.values()) {
    const attempt = asked.get(correlationId);
    expect(attempt?.outcome).not.toBeUndefined();
    if (attempt!.usage) expect(attempt!.usage).toEqual({ tokens_in, tokens_out });
    metered.add(correlationId);
  }
  for (const [id, { outcome }] of asked) if (outcome === 'answered') expect(metered.has(id)).toBe(true);

  // Recallable, none twice.
  const missing: string[] = [];
  const recalled = worthRecalling(writes);
  await inParallel(recalled.length, 4, async n => {
    const { answer, texts, user } = recalled[n]!;
    const { hits } = await patiently(() =>
      client.recall({ q: texts[1]!, scope: { user_id: user }, kinds: ['turn'], top_k: 10 }),
    );
    const ids = hits.turns.map(hit => hit.id);
    if (!ids.includes(answer!.active_fragment_ids[1]!)) missing.push(texts[1]!);
    expect(new Set(ids).size).toBe(ids.length);
  });
  expect(missing).toEqual([]);

  return {
    writes: writes.length,
    recalls: recalls.length,
    refused: attempts.filter(({ outcome }) => outcome === 'refused').length,
    broken: attempts.filter(({ outcome }) => outcome === 'broken').length,
    secondCopies: log.copies,
    longestRefusalMs: Math.round(longestRefusalMs),
    untold,
  };
};
