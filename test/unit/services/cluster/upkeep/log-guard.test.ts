import { afterEach, describe, expect, it } from 'vitest';
import { unavailable } from '../../../../../core/errors.ts';
import type { Positions } from '../../../../../core/ports.ts';
import { assertWhole, guardLog, type LogGuard } from '../../../../../services/cluster/upkeep/log-guard.ts';
import { until } from '../../../../support/wait.ts';

const QUICK = { everyMs: 5, againMs: 1 };
const FAULT = 'retention.ms of the topic a.turns is 1';

describe('the guard of the log', () => {
  const guards: LogGuard[] = [];
  afterEach(async () => {
    for (const guard of guards.splice(0)) await guard.close();
  });
  const start = (answer: () => string[] | Error, ends: Positions = {}) => {
    const said: string[] = [];
    const faults = async (): Promise<string[]> => {
      const found = answer();
      if (found instanceof Error) throw found;
      return found;
    };
    const note = (_: unknown, text?: string): void => void said.push(text ?? String(_));
    const guard = guardLog(
      { faults, ends: async () => ends },
      { error: note, warn: note, info: note } as never,
      1_000,
      QUICK,
    );
    guards.push(guard);
    let isWhole = false;
    void guard.whole().then(() => {
      isWhole = true;
    });
    return { guard, said, isWhole: () => isWhole, faults };
  };

  it('lets projectors begin when the log is whole', async () => {
    const { guard, isWhole, said } = start(() => []);
    await until('it is checked', isWhole);
    expect(await guard.probe()).toBe('whole');
    expect(await guard.gauge.read()).toBe(0);
    expect(said).toEqual([]);
  });

  it('names what is wrong, once in the log, until it is put right', async () => {
    let found = [FAULT];
    let asked = 0;
    const { guard, isWhole, said } = start(() => {
      asked++;
      return found;
    });
    await until('it asked again', () => asked > 5);
    expect(isWhole()).toBe(false);
    await expect(guard.probe()).rejects.toThrow(`nothing may be built from it: ${FAULT}`);
    expect(await guard.gauge.read()).toBe(1);
    expect(said).toEqual(['nothing may be built from the log']);
    found = [];
    await until('it is whole', isWhole);
    expect(said).toEqual(['nothing may be built from the log', 'the log is whole again']);
  });

  it('names partitions of turns that are nearly full, once in the log, and lets projectors go on', async () => {
    const ends = { 'turns/0': 899, 'turns/3': 900, 'usage/1': 1_000 };
    let asked = 0;
    const { guard, isWhole, said } = start(() => {
      asked++;
      return [];
    }, ends);
    await until('it asked again', () => asked > 3);
    expect(isWhole()).toBe(true);
    expect(await guard.probe()).toBe('whole; turns/3 has 900 of 1000 records');
    expect(said).toEqual(['partitions of the log are nearly full']);
  });

  it('asks again when the brokers do not answer, and decides nothing meanwhile', async () => {
    let answer: string[] | Error = unavailable('the log is unreachable');
    let asked = 0;
    const { guard, isWhole } = start(() => {
      asked++;
      return answer;
    });
    await until('it asked again', () => asked > 3);
    expect(isWhole()).toBe(false);
    expect(await guard.probe()).toBe('not checked yet');
    answer = [];
    await until('it is whole', isWhole);
    answer = unavailable('the log is unreachable');
    const before = asked;
    await until('it asked again', () => asked > before + 3);
    expect(await guard.probe()).toBe('whole');
  });

  it('refuses a replay with the reason', async () => {
    await expect(assertWhole({ faults: async () => [FAULT] })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(FAULT),
    });
    await expect(assertWhole({ faults: async () => [] })).resolves.toBeUndefined();
  });
});
