import { expect, it, vi } from 'vitest';
import type { Decoded } from '../../../../../core/log/events.ts';
import type { Correction, KeptObservation } from '../../../../../core/ports.ts';
import type { CorrectBody } from '../../../../../schemas/http/curation.ts';
import { type CorrectPorts, makeCorrect } from '../../../../../services/use-cases/curation/correct.ts';
import type { Statement } from '../../../../../services/use-cases/curation/say.ts';
import { principal } from '../../../../contracts/openers/listing.ts';
import { turnRecorded } from '../../../../support/worlds/builders.ts';

const metadata = { agent: 'a' };
const turn = { ...turnRecorded(0, { metadata }), keyId: 'key-1' };

const id = (n: number): string => `obs_${String(n).padStart(32, '0')}`;
const observation = (n: number, text: string, more: Partial<KeptObservation> = {}): KeptObservation => ({
  id: id(n),
  kind: 'observation',
  user: 'ada',
  session: 's',
  role: 'user',
  text,
  timestamp: 5,
  sourceTurnId: turn.id,
  source: 'client',
  record: { topic: 'turns', partition: 0, offset: 0 },
  ...more,
});
const home = {
  subjectId: 'ent_1',
  subject: 'Ada',
  attribute: 'home',
  value: 'Lisbon',
  validFrom: 5,
  ended: false,
  stance: 'holds' as const,
};
const lisbon = observation(1, 'Ada lives in Lisbon.', { fact: home });

/** A world that keeps what is stated when an observation is corrected. */
const world = (
  found: KeptObservation | undefined,
  corrections: Correction[] = [],
  decoded: Decoded = { kind: 'events', events: [turnRecorded(1), turn] },
  changes: Partial<CorrectPorts> = {},
) => {
  const state = vi.fn(async (said: Statement) => ({ id: '', observation: said }) as never);
  const record = { topic: 'turns', partition: 0, offset: 0, value: new Uint8Array(), headers: {} } as const;
  const correct = makeCorrect({
    log: { read: async () => [record] },
    decode: async () => decoded,
    admission: { tail: async () => [] },
    listing: { observation: async () => found },
    details: {
      facts: async (_scope, wanted) => ({
        facts: [],
        corrections: corrections.filter(
          ({ corrects }) => 'corrected' in wanted && wanted.corrected!.includes(corrects.id),
        ),
      }),
    },
    state,
    hide: async () => {},
    ...changes,
  });
  return {
    state,
    correct: (body: CorrectBody, who = principal()) =>
      correct(who, id(1), body, { correlationId: 'c', caps: { tokensIn: 0, tokensOut: 0 } }),
  };
};

it('states what it should say, of its time and place', async () => {
  const { correct, state } = world(lisbon);
  await correct({ value: 'Lagos' });
  expect(state.mock.calls[0]![0]).toEqual({
    scope: { org: 'acme', user: 'ada', session: 's' },
    apiKey: 'key_1',
    role: 'user',
    timestamp: 5,
    text: 'Ada lives in Lagos.',
    fact: { subject: 'Ada', attribute: 'home', value: 'Lagos', valid_from: '1970-01-01T00:00:00.005Z' },
    corrects: { observation_id: id(1), follows: [id(1), turn.id], subject: 'Ada', attribute: 'home' },
    metadata,
    // A retention ends it with what it corrects.
    keptFrom: Date.parse(turn.recorded_at),
    within: { keyId: 'key-1', gone: expect.any(Function) },
  });
});

it('goes when what it corrects goes', async () => {
  const { correct, state } = world({ ...lisbon, expiresAt: 9 });
  await correct({ value: 'Lagos' });
  expect(state.mock.calls[0]![0]).toMatchObject({ expiresAt: 9 });
});

it('is hidden at once where what it corrects was hidden meanwhile', async () => {
  const hidden: string[] = [];
  const left = new Map([id(1), id(2)].map(one => [one, { ...lisbon, id: one }]));
  const { correct, state } = world(lisbon, [], undefined, {
    listing: { observation: async (_scope, one) => left.get(one) },
    hide: async (_org, { id }) => void hidden.push(id),
  });
  state.mockImplementation(async () => {
    left.delete(id(1));
    return { id: id(2), observation: { id: id(2) } } as never;
  });
  await expect(correct({ value: 'Lagos' })).rejects.toMatchObject({ code: 'not_found' });
  expect(hidden).toEqual([id(2)]);
});

it('states nothing where it says so already', async () => {
  const { correct, state } = world(lisbon);
  expect(await correct({ value: 'Lisbon' })).toMatchObject({ id: id(1), usage: { tokens_in: 0 } });
  expect(state).not.toHaveBeenCalled();
});

it('corrects what stands by now', async () => {
  const by = {
    ...observation(2, 'Ada lives in Lagos.', { fact: { ...home, value: 'Lagos' } }),
    key: 0,
    recordedAt: 9,
  };
  const { correct, state } = world(lisbon, [{ ...by, corrects: { id: id(1), follows: [id(1), turn.id] } }]);
  await correct({ value: 'Faro' });
  expect(state.mock.calls[0]![0]).toMatchObject({
    text: 'Ada lives in Faro.',
    corrects: { observation_id: id(2), follows: [id(2), turn.id, id(1), turn.id] },
  });
});

it('refuses a chain of more than a hundred corrections', async () => {
  const chain = (length: number) => ({
    ...lisbon,
    corrects: { id: id(9), follows: Array.from({ length }, (_, n) => id(9 - n)) },
  });
  await world(chain(99)).correct({ value: 'Faro' });
  await expect(world(chain(100)).correct({ value: 'Faro' })).rejects.toMatchObject({ code: 'conflict' });
});

it('corrects what stands instead of one of two corrections that were made at the same time', async () => {
  const by = (n: number, recordedAt: number): Correction => ({
    ...observation(n, `Ada lives in ${n}.`, { fact: { ...home, value: String(n) } }),
    key: 0,
    recordedAt,
    corrects: { id: id(9), follows: [id(9)] },
  });
  const { correct, state } = world({ ...by(2, 1), record: lisbon.record }, [by(2, 1), by(3, 2)]);
  await correct({ value: 'Faro' });
  expect(state.mock.calls[0]![0]).toMatchObject({ corrects: { observation_id: id(3) } });
});

it('gives a sentence an attribute, and a fact a sentence of its own', async () => {
  const plain = world(observation(1, 'Ada is at home in Lisbon.'));
  await plain.correct({ attribute: 'home', value: 'Lisbon' });
  expect(plain.state.mock.calls[0]![0]).toMatchObject({
    text: 'Ada is at home in Lisbon.',
    fact: { subject: 'The user', attribute: 'home', value: 'Lisbon' },
  });
  const fact = world(lisbon);
  await fact.correct({ text: 'Ada lives near Lisbon.' });
  expect(fact.state.mock.calls[0]![0]).toMatchObject({
    text: 'Ada lives near Lisbon.',
    fact: { value: 'Lisbon' },
  });
});

it.each([
  [lisbon, { text: 'Ada lives in Lagos.' }, 'value'],
  [observation(1, 'Ada sings.'), { attribute: 'hobby' }, 'value'],
  [observation(1, 'Ada sings.'), { valid_from: '2026-01-01T00:00:00Z' }, 'valid_from'],
])('refuses what contradicts itself: %o %o', async (found, body, name) => {
  const { correct, state } = world(found);
  await expect(correct(body)).rejects.toMatchObject({
    code: 'invalid',
    details: { errors: [{ loc: ['body', name] }] },
  });
  expect(state).not.toHaveBeenCalled();
});

it('finds nothing of another session for a strict key, and nothing that is not there', async () => {
  const strict = principal({ strict: true, sessionId: 'another' });
  await expect(world(lisbon).correct({ value: 'x' }, strict)).rejects.toMatchObject({ code: 'not_found' });
  await expect(world(undefined).correct({ value: 'x' })).rejects.toMatchObject({ code: 'not_found' });
});

it('stores nothing of a session that is erased meanwhile', async () => {
  const erased = world(lisbon, [], { kind: 'erased', events: [{ ...turn, data: undefined }] });
  await expect(erased.correct({ value: 'Lagos' })).rejects.toMatchObject({ code: 'not_found' });
  expect(erased.state).not.toHaveBeenCalled();
});

it('takes no metadata of another turn', async () => {
  const other = world(lisbon, [], { kind: 'events', events: [turnRecorded(1, { metadata })] });
  await expect(other.correct({ value: 'Lagos' })).rejects.toMatchObject({ code: 'unavailable' });
  expect(other.state).not.toHaveBeenCalled();
});
