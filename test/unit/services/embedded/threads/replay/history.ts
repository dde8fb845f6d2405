/** A log in a data folder that has every type of event, and that takes away what it had. */
import { readdirSync, readFileSync } from 'node:fs';
import { makeDecode, ORIGINAL_OFFSET } from '../../../../../../core/log/events.ts';
import type { NewRecord, PolledLog, RecordAddress } from '../../../../../../core/ports.ts';
import { observationId, scopeDigest } from '../../../../../../domain/identity/identity.ts';
import { openDataFolder } from '../../../../../../infra/embedded/data-folder.ts';
import { openKeyStore } from '../../../../../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../../../../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../../../../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../../../../../infra/embedded/log/writer-connection.ts';
import type { MemoryExpired } from '../../../../../../schemas/events/curation/expiry.ts';
import type { ExtractionFailed } from '../../../../../../schemas/events/observations.ts';
import type { TurnRecorded } from '../../../../../../schemas/events/turns.ts';
import { someEvents } from '../../../../../contracts/openers/verify.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';
import {
  embedded,
  entityCorrected,
  extracted,
  type Logged,
  memoryErased,
  retracted,
  sessionTitled,
  statement,
  turnRecorded,
} from '../../../../../support/worlds/builders.ts';
import { recordWith } from '../../../../../support/worlds/frames.ts';

const GOLDEN = new URL('../../../../../golden/', import.meta.url);
const PARTITIONS = [0, 1, 2, 3];
const USERS = ['ada', 'grace', 'ben'];
const TURNS = 900;
const TOPICS = ['turns', 'observations'] as const;

/** A data folder with its log open. */
export const openWorld = async () => {
  const folder = openDataFolder(temporaryFolder());
  const { paths, installationKeys, generations } = folder;
  const writer = await startWriter({ logPath: paths.log, keysPath: paths.keys }, error => {
    throw error;
  });
  const connection = connectWriter(writer.port());
  const log = openEventLog(paths.log, connection);
  const keys = openKeyStore(paths.keys, installationKeys, connection);
  return {
    paths,
    generations,
    writer,
    log,
    keys,
    decode: makeDecode(keys),
    close: async () => {
      await keys.close();
      await log.close();
      await writer.close();
      folder.release();
    },
  };
};

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The events of the golden files: there is one of every type. */
const golden = (): Logged<unknown>[] =>
  readdirSync(GOLDEN)
    .filter(name => name.endsWith('.json'))
    .flatMap(name => {
      const { event, events = [event] } = JSON.parse(readFileSync(new URL(name, GOLDEN), 'utf8'));
      return events as Logged<unknown>[];
    });

const turnOf = (n: number): Logged<TurnRecorded> => ({
  ...turnRecorded(1_000 + n, {
    user: USERS[n % 3]!,
    session: `s${n % 12}`,
    role: n % 4 ? 'user' : 'assistant',
    active: n % 17 !== 3,
    observations: n % 9 === 0 ? [`ref${n} was seen`] : [],
    ...(n % 5 === 1 && { metadata: { channel: n % 2 ? 'chat' : 'phone', n: n % 3 } }),
  }),
  ...(n % 13 === 5 && { expires_at: '2027-01-01T00:00:00.000Z' }),
});

const foundIn = (turn: Logged<TurnRecorded>, n: number): Logged<unknown>[] => {
  const { user_id, session_id } = turn.data;
  const failed: ExtractionFailed = {
    user_id,
    session_id,
    turn_id: turn.id,
    extractor: 'llm-1',
    reason: 'too long',
  };
  const found = extracted(n, turn, {
    observations: [
      { text: `fact ${n}`, fact: { subject: `Town ${n % 5}`, attribute: 'mayor', value: `Ms ${n}` } },
      { text: `ref${n} was seen` },
    ],
    entities: [
      { label: n % 2 ? `Town ${n % 7}` : `town ${n % 7}`, kind: 'place' },
      { label: `Ms ${n}`, kind: 'person' },
    ],
  });
  return [
    ...(n % 29 === 0 ? [{ ...found, type: 'extraction.failed', data: failed }] : [found]),
    ...(n % 4 === 0 ? [embedded(n, turn)] : []),
  ];
};

/** Appends events, each sealed by its session's key in its session's partition; returns their addresses. */
const appendTo = async (
  { log, keys }: Pick<World, 'log' | 'keys'>,
  events: readonly Logged<unknown>[],
  headers?: Record<string, string>,
): Promise<RecordAddress[]> => {
  const records: NewRecord[] = [];
  for (const event of events) {
    const { user_id: user = '', session_id: session = '' } = (event.data ?? {}) as Record<string, string>;
    const key = event.keyId ? await keys.forSession(event.org_id, user, session) : undefined;
    records.push({
      topic: event.topic,
      key: JSON.stringify([event.org_id, user, session]),
      value: recordWith(event, key),
      ...(event.type.startsWith('memory.e') && { partition: event.partition }),
      ...(headers && { headers }),
    });
  }
  return log.append(records);
};

/** Returns events that take away something of what the log has so far. */
const removalsOf = async (
  log: Pick<PolledLog, 'ends' | 'partitionOf'>,
  turns: readonly Logged<TurnRecorded>[],
): Promise<Logged<unknown>[]> => {
  const someone = (topic: (typeof TOPICS)[number], partition: number) =>
    memoryErased(7_000 + partition, { user: 'ben', topic, partition });
  const partition = log.partitionOf(JSON.stringify(['acme', 'ada', 's3']));
  const session = { user: 'ada', session: 's3', partition };
  const over = log.partitionOf(JSON.stringify(['acme', 'grace', 's4']));
  const ends = await log.ends();
  const expired = (topic: (typeof TOPICS)[number]): Logged<MemoryExpired> => ({
    ...memoryErased(7_100, { topic, partition: over }),
    id: `exp_${topic}`,
    type: 'memory.expired',
    data: {
      owner: scopeDigest(['acme', 'grace']),
      session: scopeDigest(['acme', 'grace', 's4']),
      key_ids: [],
      before: ends[`${topic}/${over}`]!,
      turn_ids: [turns[4]!.id],
    },
  });
  return [
    ...turns.filter((_, n) => n % 31 === 7).map((turn, n) => retracted(7_200 + n, turn)),
    ...turns
      .filter((_, n) => n % 37 === 9)
      .map((turn, n) => retracted(7_300 + n, turn, observationId(turn.id, `fact ${turns.indexOf(turn)}`))),
    ...TOPICS.flatMap(topic => [memoryErased(7_400, { ...session, topic }), expired(topic)]),
    ...TOPICS.flatMap(topic => PARTITIONS.map(number => someone(topic, number))),
  ];
};

/** Fills the log; removals are in its middle, and a requeued copy at its end. */
export const fill = async ({ log, keys }: Pick<World, 'log' | 'keys'>): Promise<void> => {
  const append = (...asked: [readonly Logged<unknown>[], Record<string, string>?]) =>
    appendTo({ log, keys }, ...asked);
  await append(golden());
  await append(someEvents() as readonly object[] as Logged<unknown>[]);
  const turns = Array.from({ length: TURNS }, (_, n) => turnOf(n));
  const half = turns.slice(0, TURNS / 2);
  // The record of this turn can't be read at first.
  const late = turnOf(TURNS);
  const key = JSON.stringify(['acme', late.data.user_id, late.data.session_id]);
  const [poison] = await log.append([{ topic: 'turns', key, value: Buffer.from('{') }]);
  await append(half);
  await append(half.flatMap(foundIn));
  const of = half[0]!;
  const corrected = observationId(of.id, 'fact 0');
  await append([
    statement(8_000, { text: 'Ms 1.', corrects: { observation_id: corrected, follows: [corrected, of.id] } }),
    entityCorrected(8_001, { entity: `ent_${'0'.repeat(24)}`, label: 'Town' }),
    sessionTitled(8_002, 'A title', { user: 'ada', session: 's6' }),
  ]);
  await append(await removalsOf(log, half));
  await append(turns.slice(TURNS / 2));
  await append(turns.slice(TURNS / 2).flatMap((turn, n) => foundIn(turn, TURNS / 2 + n)));
  // Turns are hidden before they are found.
  await append([retracted(8_003, late), ...foundIn(turnOf(TURNS + 1), TURNS + 1), late]);
  // Sent again: their sessions still have the keys from which their ids follow.
  await append([turnOf(TURNS + 1), ...turns.slice(0, 2)]);
  await append([late], { [ORIGINAL_OFFSET]: String(poison!.offset) });
  // In these both threads add to the same lists at a time.
  await append(Array.from({ length: 2 * TURNS }, (_, n) => turnOf(TURNS + 2 + n)));
};
