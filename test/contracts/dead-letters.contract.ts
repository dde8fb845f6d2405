import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Decoded, type Event, makeDecode } from '../../core/log/events.ts';
import type { ListedLetter } from '../../core/operator/dead-letters.ts';
import type { EventLog, LogRecord, NewRecord, Positions, RecordAddress, Topic } from '../../core/ports.ts';
import { makeProjections } from '../../projections/all.ts';
import { EVENT_TYPES } from '../../schemas/events/event-types.ts';
import { FRAME_TYPES, makeRegistry } from '../../schemas/events/registry.ts';
import { makeDeadLetterCalls } from '../../services/operations/dead-letters/dead-letter-calls.ts';
import { deadLetter } from '../../services/workers/projector/poison.ts';
import { makeStep } from '../../services/workers/projector/step.ts';
import {
  extracted,
  minute,
  recallMetered,
  sentence,
  sessionKey,
  sessionTitled,
  turnRecorded,
} from '../support/worlds/builders.ts';
import { recordWith } from '../support/worlds/frames.ts';
import { answersOf } from './openers/answers.ts';
import type { OpenDeadLetters, OpenReadModels } from './openers/dead-letters.ts';
import { language } from './openers/embedded.ts';

const key = sessionKey();
const destroyKeys = async (): Promise<void> => {};
const decode = makeDecode({ byId: async id => (id === key.keyId ? key.sealing : undefined), destroyKeys });
const DAYS = ['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'];
/** The next release's, whose turns have a version more. */
const TURNS = FRAME_TYPES['turns.recorded']!;
const newer = makeRegistry(EVENT_TYPES, {
  ...FRAME_TYPES,
  'turns.recorded': { ...TURNS, versions: [...TURNS.versions, TURNS.versions.at(-1)!] },
});

/**
 * Dead letters and what requeueing does to the read models: whatever the engines, nothing that a replay would
 * not do.
 */
export const describeDeadLetters = (
  name: string,
  open: () => Promise<OpenDeadLetters>,
  { ordersByAddress }: { ordersByAddress: boolean },
): void => {
  describe(`dead letters: ${name}`, () => {
    let opened: OpenDeadLetters;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    const recordOf = (event: Event, changes: Partial<NewRecord> = {}): NewRecord => ({
      topic: event.topic,
      key: event.topic === 'usage' ? event.org_id : 'acme ada s1',
      value: recordWith(event),
      headers: { correlation_id: event.correlation_id },
      ...changes,
    });
    const append = async (...events: Event[]): Promise<RecordAddress[]> => {
      const addresses: RecordAddress[] = [];
      // In their order: one append may not keep it over topics.
      for (const event of events) addresses.push(...(await opened.log.append([recordOf(event)])));
      return addresses;
    };

    /** Projects what `positions` have not seen of the log, as a release would whose decode is this one. */
    const project = async (
      { store }: OpenReadModels,
      positions: Positions,
      release: (record: LogRecord) => Promise<Decoded>,
    ): Promise<void> => {
      const step = makeStep({
        log: opened.log,
        store,
        decode: release,
        projections: makeProjections(language()),
        limits: { inARow: 0, share: 0 },
      });
      for (const [topicPartition, end] of Object.entries(await opened.log.ends())) {
        const [topic, partition] = topicPartition.split('/') as [Topic, string];
        if (!['turns', 'observations', 'usage'].includes(topic)) continue;
        while ((positions[topicPartition] ?? 0) < end) {
          const [first, ...rest] = await opened.log.read(
            topic,
            Number(partition),
            positions[topicPartition] ?? 0,
            7,
          );
          const outcome = await step([first!, ...rest]);
          if (outcome.kind !== 'applied') throw new Error(outcome.reason);
          Object.assign(positions, outcome.positions);
        }
      }
    };

    /** All that can be asked of them. */
    const all = async ({ index, billed }: OpenReadModels, turns: readonly Event[]) => ({
      answers: await answersOf(
        index,
        { org: 'acme' },
        sentence(4),
        turns.map(({ id }) => id),
      ),
      billed: await Promise.all(DAYS.map(day => billed(day, day))),
    });

    const call = async <T = ListedLetter>(
      callName: 'list' | 'show' | 'requeue' | 'discard',
      args: Record<string, unknown> = {},
      release = decode,
    ): Promise<T[]> => {
      const calls = makeDeadLetterCalls({ log: opened.log, decode: release });
      const lines: object[] = [];
      for await (const line of calls[`deadLetters.${callName}`]!(args, new AbortController().signal))
        lines.push(line);
      return lines as T[];
    };

    const turns = Array.from({ length: 10 }, (_, n) => turnRecorded(n, { observations: [`noted ${n}`] }));
    const found = extracted(3, turns[3]!, {
      observations: [{ text: 'Ada paints' }],
      entities: [{ label: 'Lisbon', kind: 'place' }],
    });
    /** A release that can't read these events. */
    const brokenFor =
      (...broken: Event[]) =>
      async (record: LogRecord): Promise<Decoded> => {
        const decoded = await decode(record);
        return decoded.kind === 'events' &&
          broken.some(({ id }) => decoded.events.some(event => event.id === id))
          ? { kind: 'poison', step: 'validate', reason: 'data: /text maxLength' }
          : decoded;
      };

    it('gives a requeued event its address: a full replay of the repaired release answers and bills the same', async () => {
      const metered = recallMetered(1, { tokens_in: 100, tokens_out: 1_000 });
      const broken = [turns[5]!, found, metered];
      const addresses = await append(...turns, found, metered);
      const served = await opened.readModels();
      const positions: Positions = {};
      await project(served, positions, brokenFor(...broken));
      const without = await all(served, turns);

      const open = await call('list', { state: 'open' });
      const positionOf = ({ topic, partition, offset }: RecordAddress): string =>
        `${topic}/${partition}/${offset}`;
      expect(new Set(open.map(({ position }) => position))).toEqual(
        new Set([addresses[5]!, addresses[10]!, addresses[11]!].map(positionOf)),
      );
      expect(open.find(({ topic }) => topic === 'turns')).toEqual({
        position: positionOf(addresses[5]!),
        ...addresses[5]!,
        step: 'validate',
        reason: 'data: /text maxLength',
        state: 'open',
        bytes: expect.any(Number),
        org: 'acme',
        type: 'turns.recorded',
        recorded_at: turns[5]!.recorded_at,
      });

      expect((await call<{ kind: string }>('requeue', { all: true })).map(({ kind }) => kind)).toEqual(
        Array(3).fill('requeued'),
      );
      // A crash between the two appends leaves a copy and an open letter: a second one must do nothing.
      await call('requeue', { positions: open.map(({ position }) => position), force: true });
      expect((await call('list')).map(({ state }) => state)).toEqual(Array(3).fill('requeued'));
      await project(served, positions, decode);

      const replayed = await opened.readModels();
      await project(replayed, {}, decode);
      const after = await all(served, turns);
      expect(after).toEqual(await all(replayed, turns));
      expect(after).not.toEqual(without);
      expect(after.answers.candidates.map(({ id }) => id)).toContain(turns[5]!.id);
      expect(after.answers.entities).toHaveLength(1);
      expect(after.billed[1]).toEqual({ tokensIn: 10 * 7 + 100, tokensOut: 1_000 });
      // The events that were projected of the copies are dead letters of nobody.
      expect(await call('list')).toHaveLength(3);
    });

    /** Turns of a session that have one timestamp stand in the order of their addresses. */
    const keepsOrder = async (): Promise<void> => {
      const same = Array.from({ length: 5 }, (_, n) => turnRecorded(20 + n, { timestamp: minute(20) }));
      await append(...same);
      const served = await opened.readModels();
      const positions: Positions = {};
      await project(served, positions, brokenFor(same[1]!));
      await call('requeue', { all: true });
      await project(served, positions, decode);
      const replayed = await opened.readModels();
      await project(replayed, {}, decode);
      expect((await all(served, same)).answers).toEqual((await all(replayed, same)).answers);
    };
    if (ordersByAddress) it('keeps the order of a session also among turns of one instant', keepsOrder);

    it('bills once, and on the day of the first copy, what its client sent again meanwhile', async () => {
      const again = { ...turns[2]!, recorded_at: '2026-03-12T00:00:01.000Z' };
      await append(turns[1]!);
      const [first] = await append(turns[2]!);
      const served = await opened.readModels();
      const positions: Positions = {};
      await project(served, positions, brokenFor(turns[2]!));
      await append(again);
      await project(served, positions, decode);
      expect(await served.billed('2026-03-12', '2026-03-12')).toEqual({ tokensIn: 7, tokensOut: 0 });
      await call('requeue', { positions: [`turns/${first!.partition}/${first!.offset}`] });
      await project(served, positions, decode);
      const replayed = await opened.readModels();
      await project(replayed, {}, decode);
      expect(await all(served, turns)).toEqual(await all(replayed, turns));
      expect(await served.billed('2026-03-10', '2026-03-10')).toEqual({ tokensIn: 14, tokensOut: 0 });
      expect(await served.billed('2026-03-09', '2026-03-12')).toEqual({ tokensIn: 14, tokensOut: 0 });
    });

    it('keeps what is of a newer version until a release knows it', async () => {
      const [address] = await opened.log.append([
        recordOf(turns[4]!, { value: recordWith(turns[4]!, key, newer) }),
      ]);
      const served = await opened.readModels();
      const positions: Positions = {};
      await project(served, positions, decode);
      const [letter] = await call('list');
      expect(letter).toMatchObject({ step: 'validate', reason: 'unknown event version', state: 'open' });
      const { position } = letter!;
      expect(await call('requeue', { positions: [position] })).toEqual([
        {
          kind: 'refused',
          position,
          reason: "this release can't read it either: validate, unknown event version",
        },
      ]);
      expect(await call('list', { state: 'open' })).toHaveLength(1);

      const upgraded = makeDecode({ byId: async () => key.sealing, destroyKeys }, newer);
      expect(await call('requeue', { positions: [position] }, upgraded)).toMatchObject([
        { kind: 'requeued', position },
      ]);
      await project(served, positions, upgraded);
      const { candidates } = await answersOf(served.index, { org: 'acme' }, sentence(4), []);
      expect(candidates.map(({ id }) => id)).toContain(turns[4]!.id);
      expect(position).toBe(`turns/${address!.partition}/${address!.offset}`);
    });

    it('opens a letter again when its copy fails, and not when a step says it twice', async () => {
      await append(turns[0]!, turns[1]!);
      const broken = brokenFor(turns[1]!);
      await project(await opened.readModels(), {}, broken);
      // A projector that died before its positions were kept does the step again.
      const positions: Positions = {};
      await project(await opened.readModels(), positions, broken);
      const [letter, ...others] = await call('list');
      expect(others).toEqual([]);
      const { position } = letter!;
      const state = async (): Promise<string> => (await call('list'))[0]!.state;

      expect(await call('discard', { positions: [position, 'turns/0/999'] })).toEqual([
        { kind: 'refused', position: 'turns/0/999', reason: 'there is no such dead letter' },
        { kind: 'discarded', position },
      ]);
      expect(await state()).toBe('discarded');
      await project(await opened.readModels(), {}, broken);
      expect(await state()).toBe('discarded');

      // Taken back: what was discarded is still there.
      expect(await call('requeue', { all: true, state: 'discarded' })).toMatchObject([{ kind: 'requeued' }]);
      expect(await state()).toBe('requeued');
      expect(await call('discard', { positions: [position] })).toMatchObject([{ kind: 'refused' }]);
      await project(await opened.readModels(), positions, broken);
      expect(await call('list')).toMatchObject([{ position, state: 'open' }]);
      // A replay that has only come to the record itself says that one again.
      const [topic, partition, offset] = position.split('/') as [Topic, string, string];
      const [original] = await opened.log.read(topic, Number(partition), Number(offset), 1);
      await opened.log.append([
        deadLetter(original!, { kind: 'poison', step: 'validate', reason: 'data: /text maxLength' }),
      ]);
      expect(await state()).toBe('open');
      expect(await call('requeue', { all: true })).toMatchObject([{ kind: 'requeued', position }]);
      expect(await state()).toBe('requeued');
    });

    it('does no harm when it is cut short between the copies and the decisions', async () => {
      await append(...turns.slice(0, 4));
      const served = await opened.readModels();
      const positions: Positions = {};
      await project(served, positions, brokenFor(turns[2]!));
      const cutShort: Pick<EventLog, 'read' | 'ends' | 'append'> = {
        read: opened.log.read,
        ends: opened.log.ends,
        append: async records => {
          if (records.some(({ topic }) => topic === 'dead-letters')) throw new Error('killed');
          return opened.log.append(records);
        },
      };
      const calls = makeDeadLetterCalls({ log: cutShort, decode });
      const killed = calls['deadLetters.requeue']!({ all: true }, new AbortController().signal);
      await expect(
        (async () => {
          for await (const outcome of killed) expect(outcome).toBeUndefined();
        })(),
      ).rejects.toThrow('killed');
      await project(served, positions, decode);
      expect(await call('list')).toMatchObject([{ state: 'open' }]);
      const once = await all(served, turns);
      expect(once.answers.candidates.map(({ id }) => id)).toContain(turns[2]!.id);

      expect(await call('requeue', { all: true })).toMatchObject([{ kind: 'requeued' }]);
      await project(served, positions, decode);
      expect(await call('list')).toMatchObject([{ state: 'requeued' }]);
      expect(await all(served, turns)).toEqual(once);
      expect(once.billed[1]).toEqual({ tokensIn: 4 * 7, tokensOut: 0 });
    });

    it('does not bring back what was erased', async () => {
      const [address] = await append(turns[1]!);
      await project(await opened.readModels(), {}, brokenFor(turns[1]!));
      const position = `turns/${address!.partition}/${address!.offset}`;
      const erased = makeDecode({ byId: async () => undefined, destroyKeys });
      expect(await call('requeue', { positions: [position] }, erased)).toEqual([
        { kind: 'refused', position, reason: 'its key was destroyed, so its words are gone' },
      ]);
    });

    it('shows what is around the data, and the data only when it is asked for raw', async () => {
      const secret = 'my secret words';
      const title = sessionTitled(1, secret);
      const plain = { ...JSON.parse(Buffer.from(recordWith(title)).toString()), key_id: null };
      const values = [
        Buffer.from(`{"text": "${secret}`),
        Buffer.from(JSON.stringify(secret)),
        Buffer.from(JSON.stringify({ ...plain, data: { text: secret }, type: secret, org_id: secret })),
      ];
      const addresses = await opened.log.append(values.map(value => recordOf(turns[1]!, { value })));
      await project(await opened.readModels(), {}, decode);
      expect(JSON.stringify(await call('list'))).not.toContain('secret');
      for (const [i, { partition, offset }] of addresses.entries()) {
        const position = `turns/${partition}/${offset}`;
        const [shown] = await call<Record<string, unknown>>('show', { position });
        expect(shown).toMatchObject({
          position,
          bytes: values[i]!.length,
          headers: { correlation_id: expect.any(String) },
        });
        expect(JSON.stringify(shown)).not.toContain('secret');
        const [raw] = await call<{ value: string }>('show', { position, raw: true });
        expect(Buffer.from(raw!.value, 'base64').equals(values[i]!)).toBe(true);
      }
      const last = `turns/${addresses[2]!.partition}/${addresses[2]!.offset}`;
      expect((await call<Record<string, unknown>>('show', { position: last }))[0]).toMatchObject({
        envelope: { id: title.id, version: plain.version, key_id: null, data: 'plain' },
      });
    });
  });
};
