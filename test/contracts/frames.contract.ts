import { afterEach, describe, expect, it } from 'vitest';
import { type Decode, makeDecode } from '../../core/log/events.ts';
import type { ListedLetter } from '../../core/operator/dead-letters.ts';
import type { NewRecord, Positions, Topic } from '../../core/ports.ts';
import { makeProjections, type Projections } from '../../projections/all.ts';
import { makeDeadLetterCalls } from '../../services/operations/dead-letters/dead-letter-calls.ts';
import { makeStep } from '../../services/workers/projector/step.ts';
import { registry as next } from '../support/next-build/registry.ts';
import { turnsRecordedBody as nextBody } from '../support/next-build/turns.ts';
import {
  extracted,
  minute,
  sentence,
  sessionKey,
  turnRecorded,
  writeAccepted,
} from '../support/worlds/builders.ts';
import { observationsFrame, turnsFrame } from '../support/worlds/frames.ts';
import { answersOf } from './openers/answers.ts';
import type { OpenDeadLetters, OpenReadModels } from './openers/dead-letters.ts';
import { language } from './openers/embedded.ts';

const key = sessionKey();
const keys = {
  byId: async (id: string) => (id === key.keyId ? key.sealing : undefined),
  destroyKeys: async () => {},
};
const decode = makeDecode(keys);
const folds = makeProjections(language());

/** Records that hold several events, or one: whatever the engines, they say the same. */
export const describeFrames = (name: string, open: () => Promise<OpenDeadLetters>): void => {
  describe(`records of several events: ${name}`, () => {
    const opened: OpenDeadLetters[] = [];
    const openOne = async (): Promise<OpenDeadLetters> => {
      const one = await open();
      opened.push(one);
      return one;
    };
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });

    const write = writeAccepted(1, []);
    const job = { job_id: write.id };
    const turns = Array.from({ length: 6 }, (_, n) =>
      turnRecorded(n, { ...job, timestamp: minute(n), observations: n === 4 ? ['noted'] : [] }),
    );
    write.data.turn_ids = turns.map(({ id }) => id);
    const found = turns.map((turn, n) =>
      extracted(n, turn, {
        observations: [{ text: `found ${n}` }],
        entities: [{ label: 'Lisbon', kind: 'place' }],
      }),
    );
    const record = (topic: Topic, value: Uint8Array): NewRecord => ({ topic, key: 'k', value });
    const accepted = record('turns', turnsFrame(write, []));
    const single = (turn: (typeof turns)[number]): NewRecord => record('turns', turnsFrame(write, [turn]));
    const foundIn = (one: (typeof found)[number]): NewRecord =>
      record('observations', observationsFrame([one]));

    const project = async (
      { log }: OpenDeadLetters,
      { store }: OpenReadModels,
      positions: Positions = {},
      projections: Projections = folds,
      by: Decode = decode,
    ): Promise<void> => {
      const step = makeStep({ log, store, decode: by, projections, limits: { inARow: 0, share: 0 } });
      for (const [topicPartition, end] of Object.entries(await log.ends())) {
        const [topic, partition] = topicPartition.split('/') as [Topic, string];
        if (!['turns', 'observations'].includes(topic)) continue;
        while ((positions[topicPartition] ?? 0) < end) {
          const [first, ...rest] = await log.read(
            topic,
            Number(partition),
            positions[topicPartition] ?? 0,
            3,
          );
          const outcome = await step([first!, ...rest]);
          if (outcome.kind !== 'applied') throw new Error(outcome.reason);
          Object.assign(positions, outcome.positions);
        }
      }
    };
    const all = async ({ index, billed }: OpenReadModels) => ({
      ...(await answersOf(
        index,
        { org: 'acme' },
        sentence(4),
        turns.map(({ id }) => id),
      )),
      job: await index.job('acme', write.id),
      ofTurn: await index.jobOfTurn('acme', 'ada', turns[3]!.id),
      billed: await billed('2026-03-09', '2026-03-12'),
    });
    /** The read models of a log with these records. */
    const replayed = async (records: readonly NewRecord[], by?: Decode) => {
      const one = await openOne();
      for (const each of records) await one.log.append([each]);
      const models = await one.readModels();
      await project(one, models, {}, folds, by);
      return all(models);
    };

    it('replay to what they would if each event were in a record of its own, and in a log of both', async () => {
      const [firstFound, ...others] = found;
      const apart = await replayed([accepted, ...turns.map(single), ...found.map(foundIn)]);
      expect(apart.candidates).toHaveLength(7);
      expect(apart.billed).toEqual({ tokensIn: 42, tokensOut: 0 });
      expect(apart).toMatchObject({ job: { turnIds: write.data.turn_ids }, ofTurn: write.id });
      expect(
        await replayed([
          record('turns', turnsFrame(write, turns)),
          record('observations', observationsFrame([firstFound!, ...others])),
        ]),
      ).toEqual(apart);
      // The second copies say something else, of another day.
      const again = turns.map(turn => ({
        ...turn,
        tokens: 9,
        recorded_at: '2026-03-12T00:00:00.000Z',
        data: { ...turn.data, role: 'assistant', passive: false },
      }));
      expect(
        await replayed([
          accepted,
          single(turns[0]!),
          single(turns[1]!),
          record('turns', turnsFrame(write, [again[1]!, ...turns.slice(2, 5)])),
          single(again[3]!),
          record('turns', turnsFrame(write, [turns[5]!, again[0]!])),
          foundIn(firstFound!),
          record('observations', observationsFrame([firstFound!, ...others])),
        ]),
      ).toEqual(apart);
    });

    it('replay to the same in a build that writes another version of them, whichever each of them has', async () => {
      const [firstFound, ...others] = found;
      const extractions = record('observations', observationsFrame([firstFound!, ...others]));
      const expected = await replayed([record('turns', turnsFrame(write, turns)), extractions]);
      const written = turnsFrame(write, turns.slice(3), key, { known: next, bodyOf: nextBody });
      const both = [record('turns', turnsFrame(write, turns.slice(0, 3))), record('turns', written)];
      expect(await decode({ ...both[1]!, partition: 0, offset: 0, headers: {} })).toMatchObject({
        reason: 'unknown event version',
      });
      expect(await replayed([...both, extractions], makeDecode(keys, next))).toEqual(expected);
    });

    it('keep the order of a session among turns of one instant', async () => {
      const same = Array.from({ length: 12 }, (_, n) =>
        turnRecorded(30 + n, { ...job, timestamp: minute(1) }),
      );
      const one = await openOne();
      await one.log.append([single(turns[0]!)]);
      await one.log.append([record('turns', turnsFrame(write, same.slice(0, 9)))]);
      await one.log.append([record('turns', turnsFrame(write, same.slice(9)))]);
      const { store, index } = await one.readModels();
      await project(one, { store } as OpenReadModels);
      const scope = { org: 'acme', user: 'ada', session: 's1' };
      const { candidates, snapshot } = await index.retrieve(
        scope,
        () => language().analyseQuery('kettle', []),
        [],
      );
      const keys = new Map(candidates.map(({ id, key: number }) => [id, number]));
      const keyOf = (n: number): number => keys.get(same[n]!.id.slice(4))!;
      const around = await index.surround(
        snapshot,
        same.map((_, n) => keyOf(n)),
      );
      const fragments = await index.fragments(snapshot, [...keys.values()]);
      const stems = new Map(candidates.map(({ key: number, document }) => [number, String(document.stems)]));
      expect(fragments.get(keyOf(4))?.id).toBe(same[4]!.id);
      const expected = [2, 3, 5, 6].map(n => stems.get(keyOf(n)));
      expect(around.get(keyOf(4))!.map(beside => String(beside!.document.stems))).toEqual(expected);
    });

    it('lose one event to the dead letters without the others, and get it back at its address', async () => {
      const one = await openOne();
      await one.log.append([record('turns', turnsFrame(write, turns))]);
      const [address] = await one.log.append([record('turns', turnsFrame(write, turns))]);
      const broken: Projections = {
        ...folds,
        recall: {
          ...folds.recall,
          fold: event => {
            if (event.id === turns[2]!.id) throw new TypeError('broken');
            return folds.recall.fold(event);
          },
        },
      };
      const served = await one.readModels();
      const positions: Positions = {};
      await project(one, served, positions, broken);
      const without = await all(served);
      expect(without.candidates.map(({ id }) => id)).not.toContain(turns[2]!.id);
      expect(without.candidates).toHaveLength(6);
      expect(without.billed).toEqual({ tokensIn: 35, tokensOut: 0 });

      const { partition, offset } = address!;
      const calls = makeDeadLetterCalls({ log: one.log, decode });
      const call = async (what: 'list' | 'requeue', args: object): Promise<ListedLetter[]> => {
        const lines: unknown[] = [];
        for await (const line of calls[`deadLetters.${what}`]({ ...args }, new AbortController().signal))
          lines.push(line);
        return lines as ListedLetter[];
      };
      const [first, second] = await call('list', {});
      expect(second).toMatchObject({
        position: `turns/${partition}/${offset}/3`,
        offset,
        index: 3,
        step: 'project',
        org: 'acme',
        type: 'turns.recorded',
      });
      await call('requeue', { positions: [first!.position] });
      await project(one, served, positions);
      expect(await call('list', {})).toMatchObject([{ state: 'requeued' }, { state: 'open' }]);
      const after = await all(served);
      const again = await one.readModels();
      await project(one, again);
      expect(after).toEqual(await all(again));
      expect(after.candidates.map(({ id }) => id)).toContain(turns[2]!.id);
      expect(after.billed).toEqual({ tokensIn: 42, tokensOut: 0 });
    });
  });
};
