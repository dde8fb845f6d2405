import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSureClock, sureInstant } from '../../../../infra/embedded/sure-clock.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 1);

const world = (path = join(temporaryFolder(), 'clock'), hours = 24) => {
  const time = { wall: START, ran: 0 };
  const open = () => openSureClock({ path, hours, clock: () => time.wall, timer: () => time.ran });
  let clock = open();
  const run = (hours: number): void => {
    for (let i = 0; i < hours * 6; i++) {
      time.wall += HOUR / 6;
      time.ran += HOUR / 6;
      clock.look();
    }
  };
  return {
    ...{ path, time, run },
    past: () => sureInstant(clock.shared)(),
    probe: () => clock.probe(),
    close: () => clock.close(),
    restart: () => {
      void clock.close();
      time.ran = 7;
      clock = open();
    },
  };
};

it('goes on over restarts with the time that it ran', async () => {
  const { run, past, restart, close, path } = world();
  run(20);
  expect(past()).toBeUndefined();
  restart();
  run(20);
  expect(past()!).toBeGreaterThan(START + 14 * HOUR);
  expect(past()!).toBeLessThanOrEqual(START + 16 * HOUR);
  close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('destroys nothing by a clock that jumped, says so, and forgets it when both agree again', async () => {
  const { time, run, past, probe, restart, close } = world();
  run(50);
  expect(await probe()).toBe('runs evenly');
  time.wall += 31 * DAY;
  run(1);
  await expect(probe()).rejects.toThrow(
    /^the clock jumped ahead by 744\.0 h: .* not destroyed for 23\.\d h$/,
  );
  expect(past()!).toBeLessThan(START + 3 * DAY);
  time.wall -= 31 * DAY;
  run(0.2);
  expect(await probe()).toBe('runs evenly');
  // A process that starts while the clock is wrong has nothing to compare it with, but the time that it ran.
  time.wall += 31 * DAY;
  restart();
  run(10);
  expect(past()!).toBeLessThan(START + 3 * DAY);
  time.wall -= 31 * DAY;
  run(30);
  expect(past()!).toBeLessThan(START + 5 * DAY);
  close();
});

it('believes a clock after the quarantine', async () => {
  const { time, run, past, probe, close } = world();
  run(30);
  time.wall += 3 * DAY;
  run(27);
  expect(await probe()).toBe('runs evenly');
  expect(past()!).toBeGreaterThan(START + 4 * DAY);
  close();
});

it('begins anew with a file that is torn, and takes the clock at its word without a quarantine', async () => {
  const torn = world();
  torn.run(30);
  torn.close();
  writeFileSync(torn.path, readFileSync(torn.path, 'utf8').slice(0, 20));
  const after = world(torn.path);
  expect(after.past()).toBeUndefined();
  after.close();
  const none = world(undefined, 0);
  none.time.wall += 31 * DAY;
  none.run(0.2);
  expect(none.past()).toBe(none.time.wall);
  none.close();
});
