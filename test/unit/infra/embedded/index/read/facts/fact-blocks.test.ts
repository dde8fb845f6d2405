import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../../../../../core/log/events.ts';
import type { Scope, TurnDetails, WantedFacts } from '../../../../../../../core/ports.ts';
import { factKey } from '../../../../../../../domain/facts/stored-fact.ts';
import { entityId, observationId } from '../../../../../../../domain/identity/identity.ts';
import { createProjectionsDatabase } from '../../../../../../../infra/embedded/index/file/create-database.ts';
import { openRecallDetails } from '../../../../../../../infra/embedded/index/read/recall-details.ts';
import { openAnswersReader } from '../../../../../../../infra/embedded/index/read/search/answers-reader.ts';
import { seededRandom } from '../../../../../../../tools/bench/load/conversation.ts';
import { fold, openListingBench, openProjections } from '../../../../../../contracts/openers/embedded.ts';
import type { OpenProjections } from '../../../../../../contracts/openers/projections.ts';
import { temporaryFolder } from '../../../../../../support/processes/server.ts';
import {
  extracted,
  memoryErased,
  minute,
  retracted,
  turnRecorded,
} from '../../../../../../support/worlds/builders.ts';

const home = (value: string) => ({ subject: 'Ada', attribute: 'home', value });
const ofAda = (attribute: string) => ({
  user: 'ada',
  key: factKey({ attribute, subjectId: entityId('acme', 'ada', 'ada') }),
});
const HOMES: WantedFacts = { keys: [ofAda('home'), ofAda('job')] };
const RECORDED = Date.parse('2026-03-10T08:00:00.000Z');

describe('facts that stay open', () => {
  let folder: string;
  let now: number;
  let world: OpenProjections;
  /** A reader that stays, and so has read before. */
  let warm: Pick<TurnDetails, 'facts'>;
  const clock = () => now;

  beforeEach(async () => {
    folder = temporaryFolder();
    now = RECORDED;
    world = await openProjections(folder, clock);
    warm = world.index as unknown as Pick<TurnDetails, 'facts'>;
  });
  afterEach(() => world.close());

  const write = async (...events: Event[]) => {
    await world.store.apply({ ...fold(events), positions: {} });
  };
  /** Reads as one that has never read, and expects the same of the one that has. */
  const read = async (changes: Partial<Scope> = {}, wanted = HOMES) => {
    const scope = { org: 'acme', user: 'ada', ...changes };
    const reader = openAnswersReader(join(folder, 'projections.db'), clock);
    const expected = await openRecallDetails(reader).facts(scope, wanted);
    reader.close();
    const found = await warm.facts(scope, wanted);
    expect(found).toEqual(expected);
    return found.facts;
  };
  const texts = async (changes: Partial<Scope> = {}) => (await read(changes)).map(({ text }) => text);
  const told = (n: number, changes: { session?: string; expires_at?: string; kept_from?: string } = {}) => {
    const { session = 's1', ...expiry } = changes;
    const turn = { ...turnRecorded(n, { text: `I moved, ${n}.`, session }), ...expiry };
    const observations = [{ text: `Ada lives in ${n}.`, fact: home(`${n}`) }];
    return [turn, { ...extracted(n, turn, { observations }), ...expiry }] as const;
  };

  it('are the same objects until something is written, and those that stay the same after it', async () => {
    await write(...told(1), ...told(2));
    const before = await read();
    expect((await read())[0]).toBe(before[0]);
    await write(...told(3));
    const after = await read();
    expect(after.map(({ text }) => text)).toEqual([3, 2, 1].map(n => `Ada lives in ${n}.`));
    expect(after[1]).toBe(before[0]);
    expect(after[2]).toBe(before[1]);
  });

  it('are read again where a client says the same words with another fact', async () => {
    const second = turnRecorded(2, { text: 'I moved, 2.', observations: ['Ada lives in 2.'] });
    const ofSecond = extracted(2, second, {
      observations: [{ text: 'Ada lives in 2.', fact: home('two') }],
    });
    await write(ofSecond);
    expect(await texts()).toContain('Ada lives in 2.');
    await write({ ...second, data: { ...second.data, facts: { 0: home('Two') } } });
    const [latest] = await read();
    expect([latest!.fact.value, latest!.source]).toEqual(['Two', 'client']);
  });

  it('go when their words are retracted or erased', async () => {
    const [one, two] = [told(1), told(2, { session: 's2' })];
    await write(...one, ...two);
    expect(await read()).toHaveLength(2);
    await write(retracted(3, one[0], observationId(one[0].id, 'Ada lives in 1.')));
    expect(await texts()).toEqual(['Ada lives in 2.']);
    await write(
      memoryErased(4, { session: 's2' }),
      memoryErased(4, { session: 's2', topic: 'observations' }),
    );
    expect(await texts()).toEqual([]);
  });

  it('are hidden once they expire, before the sweep and after it, and return with a clock that goes back', async () => {
    const expires_at = new Date(RECORDED + 60_000).toISOString();
    await write(...told(1), ...told(2, { expires_at }));
    expect(await read()).toHaveLength(2);
    now += 60_000;
    expect(await texts()).toEqual(['Ada lives in 1.']);
    now -= 1;
    expect(await read()).toHaveLength(2);
    now += 1;
    await world.sweep(now);
    expect(await texts()).toEqual(['Ada lives in 1.']);
  });

  it('are hidden by a retention that begins after they were read', async () => {
    const early = new Date(RECORDED - 86_400_000).toISOString();
    const late = new Date(RECORDED).toISOString();
    await write(...told(1, { kept_from: early }), ...told(2, { kept_from: late }));
    expect(await read()).toHaveLength(2);
    const database = new DatabaseSync(join(folder, 'projections.db'));
    database.exec(
      `INSERT INTO retentions (org, since, until, ms) VALUES ('acme', ${now}, ${Number.MAX_SAFE_INTEGER}, 3600000)`,
    );
    database.close();
    expect(await texts()).toEqual(['Ada lives in 2.']);
  });

  it('are those of the session and of the instant, also of a key with more than are read', async () => {
    const many = Array.from({ length: 620 }, (_, n) => told(n, { session: n % 7 === 0 ? 's7' : 's1' }));
    await write(...many.flat());
    expect(await read()).toHaveLength(500);
    expect(await texts({ session: 's7' })).toHaveLength(89);
    expect(await read({ session: 's1' })).toHaveLength(500);
    expect(await read({ asOf: RECORDED - 1 })).toEqual([]);
    await write({ ...turnRecorded(900), recorded_at: new Date(RECORDED + 1).toISOString() });
    expect(await read({ asOf: RECORDED })).toHaveLength(500);
    const expires_at = new Date(RECORDED + 60_000).toISOString();
    await write(...told(700, { expires_at }));
    expect((await texts())[0]).toBe('Ada lives in 700.');
    now += 60_000;
    expect((await texts())[0]).toBe('Ada lives in 619.');
    expect(await read()).toHaveLength(500);
  });

  it('are those of the user alone', async () => {
    await write(...told(1));
    await read();
    expect(await read({ user: 'ben' }, { keys: [{ user: 'ben', key: ofAda('home').key }] })).toEqual([]);
    expect(await read({ org: 'globex' })).toEqual([]);
  });

  it('are those of a history that is written while they are read', async () => {
    const random = seededRandom(3);
    const turns: ReturnType<typeof told>[] = [];
    for (let n = 1; n < 70; n++) {
      const act = random();
      const session = `s${1 + Math.floor(random() * 3)}`;
      const some = turns[Math.floor(random() * turns.length)];
      if (act < 0.7 || !some) {
        const expires_at = new Date(RECORDED + Math.floor(random() * 600_000)).toISOString();
        const one = told(n, { session, ...(random() < 0.3 && { expires_at }) });
        turns.push(one);
        await write(...one);
      } else if (act < 0.85) await write(retracted(n, some[0], random() < 0.5 ? null : observationOf(some)));
      else if (act < 0.9)
        await write(memoryErased(n, { session }), memoryErased(n, { session, topic: 'observations' }));
      else now += 10_000;
      await read(random() < 0.3 ? { session } : {});
    }
  });

  const observationOf = ([turn]: ReturnType<typeof told>) =>
    observationId(turn.id, `Ada lives in ${turn.offset}.`);
});

it('reads the facts of another file from the moment on at which that serves', async () => {
  const { details, apply, promote, close } = await openListingBench();
  const told = (n: number, value: string) => {
    const turn = turnRecorded(n, { text: `I moved, ${n}.`, timestamp: minute(n) });
    return [turn, extracted(n, turn, { observations: [{ text: `Ada: ${value}.`, fact: home(value) }] })];
  };
  const values = async () =>
    (await details.facts({ org: 'acme', user: 'ada' }, HOMES)).facts.map(({ fact }) => fact.value);
  await apply(told(1, 'Oslo'));
  expect(await values()).toEqual(['Oslo']);
  // Its rows have the same numbers and addresses.
  await promote(told(1, 'Porto'));
  expect(await values()).toEqual(['Porto']);
  await close();
});

it('finds a key by an index that has all that is compared', () => {
  const path = join(temporaryFolder(), 'projections.db');
  createProjectionsDatabase(path).close();
  const database = openAnswersReader(path, Date.now);
  const [plan] = database
    .prepare(
      `EXPLAIN QUERY PLAN SELECT no, log_partition, offset FROM main.fragments WHERE partition = 1 AND fact_key = 'a'
       ORDER BY fact_stands DESC, no DESC`,
    )
    .all();
  database.close();
  expect(plan!.detail).toContain('USING COVERING INDEX facts_by_key');
});
