import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Generation, GenerationChange, ReplayMessage } from '../../core/operator/replay-messages.ts';
import type { GenerationsBench, OpenGenerations } from './openers/generations.ts';

type Message = ReplayMessage | GenerationChange;
type Progress = Extract<Message, { kind: 'progress' }>;

const TURNS = 300;
const EVENTS = 2 * TURNS;
/** A throttled replay of `EVENTS` takes about five seconds. */
const THROTTLE = 100;

/** Tests what an operator may do with generations, and what comes of it, in either mode. */
export const describeGenerations = (name: string, open: OpenGenerations): void => {
  describe(`generations: ${name}`, () => {
    let bench: GenerationsBench;
    beforeEach(async () => {
      bench = await open();
    });
    afterEach(() => bench.close());

    const named = (args: object): object => ({ projection: bench.projection, ...args });
    const call = async (name: string, args: object = {}): Promise<Message[]> => {
      const messages: Message[] = [];
      for await (const message of bench.call(name, named(args))) messages.push(message as Message);
      return messages;
    };
    const refused = async (name: string, args: object = {}): Promise<{ code: string; message: string }> => {
      const fault = await call(name, args).then(
        () => new Error('it was not refused'),
        error => error,
      );
      return { code: fault.code, message: fault.message };
    };
    const states = async (): Promise<string[]> => {
      const rows: string[] = [];
      for await (const row of bench.call('generations', {})) {
        const { projection, number, state } = row as Generation;
        if (projection === bench.projection && state !== 'dropped') rows.push(`${number} ${state}`);
      }
      return rows.sort();
    };
    const noStandby = () => ({
      code: 'conflict',
      message: `There is no standby generation${bench.projection === 'all' ? '' : ` of ${bench.projection}`}.`,
    });
    /** Stops a throttled replay once it has read some; what it reported. */
    const interrupted = async (): Promise<Message[]> => {
      const abort = new AbortController();
      const messages: Message[] = [];
      for await (const each of bench.call('replay', named({ throttle: THROTTLE }), abort.signal)) {
        const message = each as Message;
        messages.push(message);
        if (message.kind === 'progress' && message.events > 0) abort.abort();
      }
      return messages;
    };

    it('plans a replay, and with dryRun does nothing else', async () => {
      await bench.fill(0, TURNS);
      const [plan, ...rest] = await call('replay', { dryRun: true });
      expect(plan).toMatchObject({
        kind: 'plan',
        generation: { projection: bench.projection, number: 2, state: 'building' },
        events: EVENTS,
        resumed: false,
        dryRun: true,
      });
      expect((plan as { bytes: number }).bytes).toBeGreaterThan(0);
      expect(rest).toEqual([]);
      expect(await states()).toEqual(['1 serving']);
    });

    it('builds, verifies and promotes a generation, and keeps the former one as the standby', async () => {
      await bench.fill(0, TURNS);
      const messages = await call('replay');
      const progress = messages.filter((message): message is Progress => message.kind === 'progress');
      expect(messages[0]).toMatchObject({ kind: 'plan', events: EVENTS, resumed: false, dryRun: false });
      expect(messages.at(-2)).toMatchObject({ kind: 'verified', differences: 0 });
      expect((messages.at(-2) as { rows: number }).rows).toBeGreaterThanOrEqual(EVENTS);
      expect(messages.at(-1)).toMatchObject({ kind: 'promoted', generation: 2, standby: 1 });
      expect(messages.length).toBe(progress.length + 3);
      expect(progress.at(-1)).toMatchObject({ phase: 'verifying', events: EVENTS, total: EVENTS });
      for (const { events, total, eventsPerSecond, secondsLeft } of progress) {
        expect(events).toBeLessThanOrEqual(total);
        expect([eventsPerSecond, secondsLeft ?? 0].every(Number.isSafeInteger)).toBe(true);
      }
      expect(await states()).toEqual(['1 standby', '2 serving']);
      // The next one replaces the standby.
      expect((await call('replay')).at(-1)).toMatchObject({ kind: 'promoted', generation: 3, standby: 2 });
      expect(await states()).toEqual(['2 standby', '3 serving']);
    });

    it('rolls back and forth between two generations that are both written to', async () => {
      const { projection } = bench;
      await bench.fill(0, TURNS);
      await call('replay');
      await bench.fill(TURNS, TURNS + 20);
      expect(await call('rollback')).toEqual([{ kind: 'rolled back', projection, serving: 1, standby: 2 }]);
      expect(await states()).toEqual(['1 serving', '2 standby']);
      await bench.fill(TURNS + 20, TURNS + 40);
      expect(await call('rollback')).toEqual([{ kind: 'rolled back', projection, serving: 2, standby: 1 }]);
      expect(await states()).toEqual(['1 standby', '2 serving']);
    });

    it('retires the standby, and has nothing to roll back to or to retire then', async () => {
      const { projection } = bench;
      await bench.fill(0, 20);
      await call('replay');
      expect(await call('retire')).toEqual([{ kind: 'retired', projection, generation: 1 }]);
      expect(await states()).toEqual(['2 serving']);
      expect(await refused('rollback')).toEqual(noStandby());
      expect(await refused('retire')).toEqual(noStandby());
      expect(await states()).toEqual(['2 serving']);
    });

    it('has nothing to roll back to or to retire before its first replay', async () => {
      expect(await refused('rollback')).toEqual(noStandby());
      expect(await refused('retire')).toEqual(noStandby());
      expect(await refused('rollback', { projection: 'all' })).toMatchObject({ code: 'conflict' });
      expect(await refused('retire', { projection: 'all' })).toMatchObject({ code: 'conflict' });
    });

    it('refuses arguments that are none, and does nothing', async () => {
      for (const throttle of [1.5, 0, -1, '5', Number.NaN])
        expect(await refused('replay', { throttle })).toEqual({
          code: 'invalid',
          message: 'throttle must be a whole number of events a second, at least 1.',
        });
      for (const name of ['replay', 'rollback', 'retire'])
        for (const projection of ['words', undefined])
          expect(await refused(name, { projection })).toEqual({
            code: 'invalid',
            message: 'projection must be one of recall, usage, accounts, audit, activity, admission, all.',
          });
      expect(await states()).toEqual(['1 serving']);
    });

    it('reads no faster than the throttle, and reports about that rate', async () => {
      await bench.fill(0, TURNS);
      const messages = await call('replay', { throttle: THROTTLE });
      const building = messages.filter(
        (message): message is Progress => message.kind === 'progress' && message.phase === 'building',
      );
      expect(building.at(-1)!.eventsPerSecond).toBeLessThan(1.5 * THROTTLE);
      const { seconds } = messages.at(-1) as { seconds: number };
      expect(seconds).toBeGreaterThan(3);
      // A machine with much else to do may read slower, and says so.
      expect(building.at(-1)!.eventsPerSecond).toBeGreaterThan((0.5 * EVENTS) / seconds);
    });

    it('resumes a replay that was interrupted', async () => {
      await bench.fill(0, TURNS);
      const first = await interrupted();
      expect(first.every(({ kind }) => kind === 'plan' || kind === 'progress')).toBe(true);
      expect(await states()).toEqual(['1 serving', '2 building']);
      expect((await call('replay', { dryRun: true }))[0]).toMatchObject({ resumed: true });
      const [plan, ...rest] = await call('replay');
      expect(plan).toMatchObject({ kind: 'plan', resumed: true, generation: { number: 2 } });
      expect((plan as { events: number }).events).toBeLessThan(EVENTS);
      expect(rest.at(-2)).toMatchObject({ kind: 'verified', differences: 0 });
      expect(rest.at(-1)).toMatchObject({ kind: 'promoted', generation: 2, standby: 1 });
    });

    it('runs one replay at a time', async () => {
      await bench.fill(0, TURNS);
      const abort = new AbortController();
      let second: Awaited<ReturnType<typeof refused>> | undefined;
      for await (const each of bench.call('replay', named({ throttle: THROTTLE }), abort.signal)) {
        if ((each as Message).kind !== 'progress') continue;
        second = await refused('replay');
        abort.abort();
      }
      expect(second).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/^A replay( of recall)? is running already: `turnstone generations`/),
      });
      expect(await states()).toEqual(['1 serving', '2 building']);
    });

    it('does not promote a generation that differs from the log, and begins another one next', async () => {
      await bench.fill(0, TURNS);
      await interrupted();
      await bench.damage(2);
      expect(await refused('replay')).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(
          /^Generation 2 was not promoted: it differs from the log in \d+ of \d+ rows$/,
        ),
      });
      expect(await states()).toEqual(['1 serving']);
      expect(await refused('rollback')).toEqual(noStandby());
      const [plan, ...rest] = await call('replay');
      expect(plan).toMatchObject({ kind: 'plan', resumed: false, generation: { number: 3 } });
      expect(rest.at(-1)).toMatchObject({ kind: 'promoted', generation: 3, standby: 1 });
    });
  });
};
