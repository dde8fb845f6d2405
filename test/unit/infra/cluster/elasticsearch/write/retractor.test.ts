import { expect, it } from 'vitest';
import type { Elasticsearch } from '../../../../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { makeRetractor } from '../../../../../../infra/cluster/elasticsearch/write/retractor.ts';
import type { Retract, StoredWrite } from '../../../../../../projections/recall/recall-writes.ts';

const turnId = `trn_${'a'.repeat(32)}`;
const scope = { org: 'acme', user: 'ada', session: 's' };
const origin = { topic: 'turns', partition: 0, offset: 6, recordedAt: 0 } as const;
const RETRACT: Retract = { op: 'retract', origin, ...scope, turnId, observationId: undefined };
const MENTION: StoredWrite = {
  op: 'entity',
  origin: { ...origin, topic: 'observations' },
  ...scope,
  id: 'ent_1',
  label: 'Comet',
  normalised: 'comet',
  kind: 'animal',
  turnId,
};

const correctionOf = (id: string): StoredWrite => ({
  op: 'observation',
  origin,
  ...scope,
  id: `obs_${'c'.repeat(32)}`,
  turnId: `trn_${'d'.repeat(32)}`,
  role: 'user',
  text: 'Ada lives in Lagos.',
  timestamp: 0,
  source: 'client',
  document: undefined,
  address: undefined,
  corrects: { id, follows: [id, turnId] },
});

/** Notes the last part of what is asked, and answers as an index that has had retractions, or none. */
const world = (hasMark: boolean, outcome?: string) => {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const answers: Record<string, object> = {
    retractions: { found: hasMark },
    _mget: { docs: [{ _id: turnId, _source: { passive: true, outcome } }] },
    _bulk: { errors: false, items: [{ index: { status: 201 } }] },
    _delete_by_query: { version_conflicts: 0 },
  };
  const ask = async (_method: string, path: string, { body }: { body?: unknown } = {}) => {
    const name = path.split('/').at(-1)!;
    asked.push(name);
    bodies.push(body);
    return answers[name] ?? {};
  };
  return { asked, bodies, retractor: makeRetractor({ ask, check: () => {} } as unknown as Elasticsearch) };
};

it('marks the index before it hides anything, and searches once what takes the place is written', async () => {
  const { asked, retractor } = world(false);
  await retractor.apply('index', [RETRACT]);
  expect(asked).toEqual(['retractions', '_mget', '_bulk', '_refresh', '_delete_by_query']);
});

it('reads no turns in an index that has had no retraction, and none for turns alone', async () => {
  const { asked, retractor } = world(false);
  await retractor.hideLate('index', { writes: [MENTION] });
  expect(asked).toEqual(['retractions']);
  await retractor.hideLate('index', { writes: [] });
  expect(asked).toEqual(['retractions']);
});

it('deletes what was written of a turn that was retracted before, and of no other', async () => {
  const late = world(true, 'retracted');
  await late.retractor.hideLate('index', { writes: [MENTION] });
  expect(late.asked).toEqual(['retractions', '_mget', '_refresh', '_delete_by_query']);
  const other = world(true);
  await other.retractor.hideLate('index', { writes: [MENTION] });
  await other.retractor.hideLate('index', { writes: [MENTION] });
  // The mark is known by then.
  expect(other.asked).toEqual(['retractions', '_mget', '_mget']);
});

it('deletes the corrections of what was retracted before, whether that is a turn or an observation', async () => {
  const observation = `obs_${'b'.repeat(32)}`;
  const late = world(true, 'retracted');
  await late.retractor.hideLate('index', { writes: [correctionOf(observation)] });
  expect(late.asked).toEqual(['retractions', '_mget', '_refresh', '_delete_by_query']);
  expect(JSON.stringify(late.bodies.at(-1))).toContain(`{"terms":{"follows":["${turnId}"]}}`);
  const other = world(true);
  await other.retractor.hideLate('index', { writes: [correctionOf(observation)] });
  expect(other.asked).toEqual(['retractions', '_mget']);
});
