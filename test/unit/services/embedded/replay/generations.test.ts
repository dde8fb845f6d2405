import { afterEach, describe, expect, it } from 'vitest';
import type { GenerationFiles, GenerationNames } from '../../../../../core/ports.ts';
import { makeLog } from '../../../../../core/watch/logger.ts';
import { openGenerations } from '../../../../../services/embedded/replay/generations.ts';
import type { ThreadMessage } from '../../../../../services/embedded/threads/thread-data.ts';
import { makeProgress } from '../../../../../services/workers/progress.ts';

const PARTITION = 'turns/0';
const logger = makeLog('silent');

const filesOf = (): GenerationFiles => {
  let names: GenerationNames = { last: 2, serving: 1, standby: null, building: 2 };
  return {
    names: () => names,
    write: changes => {
      names = { ...names, ...changes };
    },
    path: number => `projections-${number}.db`,
    about: () => ({ version: '4', positions: {} }),
    bytes: () => 0,
    remove: () => {},
    damaged: [],
    markDamaged: () => {},
    setAside: () => {},
    removeSetAside: () => {},
    version: '4',
  };
};

/** Projects an event every few milliseconds, as a thread does under load, until it is held. */
const startFake = (from: number, report: (message: ThreadMessage) => void) => {
  let at = from;
  let isHeld = false;
  report({ kind: 'ready', positions: { [PARTITION]: at } });
  const working = setInterval(() => {
    if (!isHeld) report({ kind: 'progress', positions: { [PARTITION]: ++at }, events: 1, deadLetters: 0 });
  }, 2);
  return {
    isHeld: () => isHeld,
    stop: (reason: string) => {
      clearInterval(working);
      report({ kind: 'stopped', reason });
    },
    send: (order: unknown) => {
      isHeld = order !== 'resume';
      if (isHeld) report({ kind: 'held', positions: { [PARTITION]: at } });
    },
    close: async () => clearInterval(working),
  };
};

describe('a promotion while events come in', () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  const open = async () => {
    const files = filesOf();
    const projector = makeProgress('projector', logger);
    const threads = new Map<string, ReturnType<typeof startFake>>();
    const readers = { switched: 0, abandoned: 0, behindTheTail: Number.NaN };
    const generations = await openGenerations({
      files,
      log: { ends: async () => ({}) },
      logger,
      projector,
      isDamage: () => false,
      startProjector: async (path, onMessage) => {
        // The one that was built is some events behind.
        const thread = startFake(path === files.path(1) ? 40 : 10, onMessage);
        threads.set(path, thread);
        return thread;
      },
    });
    close = async () => {
      await next.close();
      await generations.close();
    };
    const next = await generations.startBuilding(2, { readAccountsIn: () => {} });
    const switched = {
      prepare: async () => ({
        switch: () => {
          readers.switched++;
          readers.behindTheTail = projector.positions()[PARTITION]! - next.positions()[PARTITION]!;
        },
        abandon: () => readers.abandoned++,
      }),
      reread: () => {},
    };
    const of = (number: number) => threads.get(files.path(number))!;
    return { files, promote: () => generations.promote(next, switched), readers, of };
  };

  /**
   * Seen to fail when `switchTo` (services/embedded/replay/switch.ts) does not hold what serves, or does not
   * wait until the next one has caught up: what the tail has let go of is in neither.
   */
  it('switches when the next one shows all that the tail has let go of, and both go on', async () => {
    const { files, promote, readers, of } = await open();
    await promote();
    expect(readers).toMatchObject({ switched: 1, abandoned: 0 });
    expect(readers.behindTheTail).toBeLessThanOrEqual(0);
    expect(files.names()).toMatchObject({ serving: 2, standby: 1, building: null });
    expect([of(1).isHeld(), of(2).isHeld()]).toEqual([false, false]);
  });

  it('is called off when the next one fails, and what serves goes on', async () => {
    const { files, promote, readers, of } = await open();
    const promoting = promote();
    of(2).stop('its file is broken');
    await expect(promoting).rejects.toThrow('its file is broken');
    expect(readers).toMatchObject({ switched: 0, abandoned: 1 });
    expect(files.names()).toMatchObject({ serving: 1, standby: null, building: 2 });
    expect(of(1).isHeld()).toBe(false);
  });
});

describe('a build beside a serving generation of another release', () => {
  /**
   * The build ends long before its promotion: catching up and verification follow. A revocation that the
   * service accepted meanwhile was not read until then: the key went on working, and a retry was a 404.
   */
  it('reads accounts in the built file while it is verified', async () => {
    const accounts = 'accounts/0';
    const files = { ...filesOf(), about: () => ({ version: '3', positions: { [accounts]: 3 } }) };
    const projector = makeProgress('projector', logger);
    let report: (message: ThreadMessage) => void = () => {};
    const generations = await openGenerations({
      files,
      log: { ends: async () => ({ [accounts]: 9 }) },
      logger,
      projector,
      isDamage: () => false,
      startProjector: async (_, onReport) => {
        report = onReport;
        onReport({ kind: 'ready', positions: { [accounts]: 2 } });
        return { send: () => {}, close: async () => {} };
      },
    });
    const read: string[] = [];
    const next = await generations.startBuilding(2, { readAccountsIn: path => read.push(path) });
    // It has less than the file that serves: accounts must not go back.
    expect(read).toEqual([]);
    expect(projector.positions()).toEqual({ [accounts]: 3 });
    report({ kind: 'progress', positions: { [accounts]: 4 }, events: 2 });
    report({ kind: 'progress', positions: { 'turns/0': 9 }, events: 9 });
    expect(read).toEqual([files.path(2)]);
    expect(projector.positions()).toEqual({ [accounts]: 4 });
    await next.close();
    await generations.close();
  });
});
