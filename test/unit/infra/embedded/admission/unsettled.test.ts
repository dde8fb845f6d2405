import { expect, it } from 'vitest';
import type { Logged } from '../../../../../core/ports.ts';
import { observationId } from '../../../../../domain/identity/identity.ts';
import { makeUnsettled } from '../../../../../infra/embedded/admission/unsettled.ts';
import { tailTurn, turnRecorded } from '../../../../support/worlds/builders.ts';

const MIB = 1024 * 1024;

const entry = (offset: number, text: string): Logged => ({
  id: `trn_${offset}`,
  topic: 'turns',
  partition: 0,
  offset,
  org: 'org_a',
  day: '2026-03-01',
  tokens: { tokensIn: 1, tokensOut: 0 },
  turn: {
    ...tailTurn(turnRecorded(offset)),
    id: `trn_${offset}`,
    org: 'org_a',
    user: 'ada',
    keyId: `key-${offset}`,
    offset,
    text,
  },
});

it('is bounded by the bytes of its words, not by its events alone', async () => {
  const tail = makeUnsettled(() => false);
  const most = { events: 1_000, bytes: 4 * MIB };
  tail.add(entry(0, 'x'.repeat(MIB)));
  expect(await tail.below(most, 0)).toBe(true);
  tail.add(entry(1, 'x'.repeat(MIB)));
  expect(tail.bytes()).toBeGreaterThanOrEqual(4 * MIB);
  expect(await tail.below(most, 0)).toBe(false);
  const waiting = tail.below(most, 10_000);
  tail.settle({ 'turns/0': 1 });
  expect(await waiting).toBe(true);
});

it('counts nothing any more once all is settled or erased', () => {
  const destroyed = new Set<string>();
  const tail = makeUnsettled(keyId => destroyed.has(keyId));
  for (let offset = 0; offset < 4; offset++) tail.add(entry(offset, 'x'.repeat(MIB)));
  for (const keyId of ['key-1', 'key-2']) destroyed.add(keyId);
  tail.erase('org_a', 'ada');
  expect(tail.bytes()).toBeLessThan(5 * MIB);
  tail.settle({ 'turns/0': 4 });
  expect([tail.size(), tail.bytes()]).toEqual([0, 0]);
});

it('drops the words of one turn, and keeps what it bills', () => {
  const tail = makeUnsettled(() => false);
  for (let offset = 0; offset < 2; offset++) tail.add(entry(offset, 'x'.repeat(MIB)));
  // A retry appended it once more.
  tail.add({ ...entry(2, 'x'.repeat(MIB)), turn: entry(0, 'x'.repeat(MIB)).turn! });
  tail.drop('trn_0');
  tail.drop('trn_9');
  expect(tail.turns({ org: 'org_a' }).map(({ id }) => id)).toEqual(['trn_1']);
  expect(tail.turn('trn_0')).toBeUndefined();
  expect(tail.bytes()).toBeLessThan(3 * MIB);
  expect(tail.tokens('org_a', '2026-03-01', '2026-03-01', {}).get('2026-03-01')).toEqual({
    tokensIn: 3,
    tokensOut: 0,
  });
  tail.settle({ 'turns/0': 3 });
  expect([tail.size(), tail.bytes()]).toEqual([0, 0]);
});

it('hides what the log says is hidden, also when it is read again', () => {
  const tail = makeUnsettled(() => false);
  const [whole, part] = [0, 1].map(offset => {
    const event = turnRecorded(offset, { observations: ['kept', 'gone'] });
    return { ...entry(offset, 'words'), id: event.id, turn: { ...tailTurn(event), org: 'org_a', offset } };
  });
  const retraction = (offset: number, hides: Logged['hides']): Logged => ({
    ...entry(offset, ''),
    turn: undefined as never,
    ...(hides && { hides }),
  });
  for (const one of [whole!, part!]) tail.add(one);
  tail.add(retraction(2, { turnId: whole!.id, observationId: undefined }));
  tail.add(retraction(3, { turnId: part!.id, observationId: observationId(part!.id, 'gone') }));
  expect(tail.turns({ org: 'org_a' }).map(({ id, observations }) => [id, observations])).toEqual([
    [part!.id, ['kept']],
  ]);
  expect(tail.turn(part!.id)!.observations).toEqual(['kept']);
  tail.settle({ 'turns/0': 4 });
  expect([tail.size(), tail.bytes()]).toEqual([0, 0]);
});

it('is full for one organization at half of it, once another writes', async () => {
  const destroyed = new Set<string>();
  const tail = makeUnsettled(keyId => destroyed.has(keyId));
  const most = { events: 1_000, bytes: 8 * MIB };
  for (let offset = 0; offset < 3; offset++) tail.add(entry(offset, 'x'.repeat(MIB)));
  expect(await tail.below(most, 0, 'org_a')).toBe(true);
  expect(await tail.below(most, 0, 'org_b')).toBe(true);
  expect(await tail.below(most, 0, 'org_a')).toBe(false);
  const waiting = tail.below(most, 10_000, 'org_a');
  tail.settle({ 'turns/0': 2 });
  expect(await waiting).toBe(true);
  // An event that an erasure removes is no longer in the organization's share.
  tail.add(entry(3, 'x'.repeat(MIB)));
  expect(await tail.below(most, 0, 'org_a')).toBe(false);
  destroyed.add('key-3');
  tail.erase('org_a', 'ada');
  expect(await tail.below(most, 0, 'org_a')).toBe(true);
});

it('shows of an erased user what is sealed under living keys alone, whenever it arrives', () => {
  const destroyed = new Set(['key-0', 'key-2']);
  const tail = makeUnsettled(keyId => destroyed.has(keyId));
  const shown = () => tail.turns({ org: 'org_a' }).map(({ id }) => id);
  tail.add(entry(0, 'before, under the former key'));
  tail.add(entry(1, 'written again, under the next one'));
  tail.erase('org_a', 'ada');
  expect(shown()).toEqual(['trn_1']);
  tail.add(entry(2, 'appended while the key was destroyed, remembered after'));
  tail.add(entry(3, 'written again'));
  expect(shown()).toEqual(['trn_1', 'trn_3']);
  // Billed all the same.
  expect(tail.tokens('org_a', '2026-03-01', '2026-03-01', {}).get('2026-03-01')).toEqual({
    tokensIn: 4,
    tokensOut: 0,
  });
});

/** Switched off by hand: `tokens` without its positions → 3 tokens instead of 1: billed twice. */
it('bills only the events that the usage does not count yet', () => {
  const tail = makeUnsettled(() => false);
  for (let offset = 0; offset < 3; offset++) tail.add(entry(offset, 'x'));
  const days = tail.tokens('org_a', '2026-03-01', '2026-03-01', { 'turns/0': 2, 'turns/1': 9 });
  expect(days.get('2026-03-01')).toEqual({ tokensIn: 1, tokensOut: 0 });
});
