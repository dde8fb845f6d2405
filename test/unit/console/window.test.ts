import { describe, expect, test } from 'vitest';
import type { TurnsQuery } from '../../../console/src/api/calls.ts';
import type { TurnItem } from '../../../console/src/api/types.ts';
import { makeSessionWindow } from '../../../console/src/pages/explorer/conversation/window.ts';

const SCOPE = { user_id: 'u', session_id: 's' };
const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

/** Two turns a millisecond, so that a page may end between turns of one instant. */
const stored = (count: number): TurnItem[] =>
  Array.from({ length: count }, (_, n) => ({
    ...SCOPE,
    id: `t${String(n).padStart(6, '0')}`,
    role: 'r',
    text: String(n),
    timestamp: at(Math.floor(n / 2)),
  }));

/** Lists as the service does: by time and id, behind the last item of a page. */
const service = (turns: TurnItem[]) => {
  const asked: TurnsQuery[] = [];
  const load = async (query: TurnsQuery, signal: AbortSignal) => {
    asked.push(query);
    await Promise.resolve();
    signal.throwIfAborted();
    const { since = '', until = '9', order = 'asc', cursor, limit = 50 } = query;
    const all = turns.filter(({ timestamp }) => timestamp >= since && timestamp <= until);
    const ordered = order === 'asc' ? all : all.reverse();
    const from = cursor === undefined ? 0 : ordered.findIndex(({ id }) => id === cursor) + 1;
    const page = ordered.slice(from, from + limit);
    return { turns: page, next_cursor: from + limit < ordered.length ? page.at(-1)!.id : null };
  };
  return { asked, load };
};

const numbers = (turns: readonly TurnItem[]): number[] => turns.map(({ text }) => Number(text));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('the window on a session', () => {
  test('grows from the beginning to the end, and then asks no more', async () => {
    const { load, asked } = service(stored(450));
    const run = makeSessionWindow(SCOPE, load);
    await run.open();
    expect(numbers(run.state().turns)).toEqual(upTo(200));
    expect(run.state().more).toEqual({ before: false, after: true });
    await run.grow('after');
    await run.grow('after');
    expect(numbers(run.state().turns)).toEqual(upTo(450));
    await run.grow('after');
    await run.grow('before');
    expect(asked.length).toBe(3);
  });

  test('loses a turn that was hidden, and grows as before', async () => {
    const { load } = service(stored(450));
    const run = makeSessionWindow(SCOPE, load);
    await run.open();
    const turns = run.state().turns;
    let changes = 0;
    run.subscribe(() => changes++);
    for (const index of [0, 7, 199]) run.remove(turns[index]!.id);
    expect([changes, run.state().opened]).toEqual([3, 1]);
    for (let i = 0; i < 2; i++) await run.grow('after');
    expect(numbers(run.state().turns)).toEqual(upTo(450).filter(n => ![0, 7, 199].includes(n)));
  });

  test('opened in the middle, holds every turn once when it has grown to both ends', async () => {
    const { load } = service(stored(2_001));
    const run = makeSessionWindow(SCOPE, load);
    await run.open({ instant: at(617) });
    expect(run.state().turns[0]!.text).toBe('1234');
    for (let i = 0; i < 12; i++) await Promise.all([run.grow('before'), run.grow('after')]);
    expect(numbers(run.state().turns)).toEqual(upTo(2_001));
    expect(run.state().more).toEqual({ before: false, after: false });
  });

  test('asks for one page at a time at each end', async () => {
    const { load, asked } = service(stored(1_000));
    const run = makeSessionWindow(SCOPE, load);
    await run.open();
    await Promise.all([run.grow('after'), run.grow('after'), run.grow('after')]);
    expect(asked.length).toBe(2);
  });

  test('drops what was under way when it is opened elsewhere', async () => {
    const { load } = service(stored(1_000));
    const run = makeSessionWindow(SCOPE, load);
    const first = run.open();
    await run.open({ instant: at(400) });
    await first;
    expect(run.state().turns[0]!.text).toBe('800');
    expect(run.state().turns.length).toBe(200);
    expect(run.state().failed).toBeUndefined();
  });

  test('finds what came since behind its last turn, also of the same instant', async () => {
    const turns = stored(3);
    const run = makeSessionWindow(SCOPE, service(turns).load);
    await run.open();
    turns.push(...stored(6).slice(3));
    await run.loadNewer();
    expect(numbers(run.state().turns)).toEqual(upTo(6));
  });

  test('tells a page that did not come, and gets it when it is asked for again', async () => {
    const { load } = service(stored(300));
    let broken = false;
    const run = makeSessionWindow(SCOPE, async (query, signal) => {
      if (broken) throw new Error('gone');
      return load(query, signal);
    });
    await run.open();
    broken = true;
    await run.grow('after');
    expect(run.state().failed).toMatchObject({ error: new Error('gone') });
    broken = false;
    await run.state().failed!.again();
    expect(run.state().failed).toBeUndefined();
    expect(numbers(run.state().turns)).toEqual(upTo(300));
  });

  test('gets the end that did not come, while there is more at both', async () => {
    const { load } = service(stored(2_001));
    let broken = false;
    const run = makeSessionWindow(SCOPE, async (query, signal) => {
      if (broken && query.order === 'desc') throw new Error('gone');
      return load(query, signal);
    });
    await run.open({ instant: at(500) });
    broken = true;
    await run.grow('before');
    expect(run.state().more).toEqual({ before: true, after: true });
    broken = false;
    await run.state().failed!.again();
    expect(run.state().turns[0]!.text).toBe('800');
  });

  test('opened where nothing was said, begins with the turn on the side that is asked for', async () => {
    const turns = stored(6).map((turn, n) => ({ ...turn, timestamp: at(n < 3 ? n * 1_000 : 500_000 + n) }));
    const { load } = service(turns);
    const run = makeSessionWindow(SCOPE, load);
    await run.open({ instant: at(400_000) });
    expect(numbers(run.state().turns)).toEqual([3, 4, 5]);
    await run.open({ instant: at(400_000), nearest: 'before' });
    expect(numbers(run.state().turns)).toEqual([2, 3, 4, 5]);
    await run.grow('before');
    expect(numbers(run.state().turns)).toEqual(upTo(6));
    // Where nothing lies before, with the first.
    await run.open({ instant: at(-1), nearest: 'before' });
    expect(numbers(run.state().turns)).toEqual(upTo(6));
  });

  test('opened elsewhere, keeps what it had until the first page is there', async () => {
    const run = makeSessionWindow(SCOPE, service(stored(1_000)).load);
    await run.open();
    const before = run.state();
    const under = run.open({ instant: at(400) });
    expect(run.state()).toMatchObject({ turns: before.turns, opened: before.opened, opening: true });
    // The run of before grows no more: its pages would stand among the new one's.
    await run.grow('after');
    expect(run.state().turns).toBe(before.turns);
    await under;
    expect(run.state()).toMatchObject({ opened: before.opened + 1, opening: false });
    expect(run.state().turns[0]!.text).toBe('800');
  });

  test('keeps what it had where another place did not come, and gets it when it is asked for again', async () => {
    const { load } = service(stored(1_000));
    let broken = false;
    const run = makeSessionWindow(SCOPE, async (query, signal) => {
      if (broken) throw new Error('gone');
      return load(query, signal);
    });
    await run.open();
    broken = true;
    await run.open({ instant: at(400), nearest: 'before' });
    expect(run.state()).toMatchObject({ opening: false, opened: 1 });
    expect(numbers(run.state().turns)).toEqual(upTo(200));
    broken = false;
    await run.state().failed!.again();
    expect(run.state().turns[0]!.text).toBe('800');
  });

  test('opened at a turn among hundreds of its instant, holds it', async () => {
    const turns = stored(1_000).map((turn, n) => ({ ...turn, timestamp: at(n < 700 ? 0 : n) }));
    const { load, asked } = service(turns);
    const run = makeSessionWindow(SCOPE, load);
    await run.open({ instant: at(0), turn: turns[650]!.id });
    expect(numbers(run.state().turns)).toEqual(upTo(800));
    expect(run.state().start).toBe(turns[650]!.id);
    // It looks no further than that instant.
    await run.open({ instant: at(0), turn: 'nobody' });
    expect(numbers(run.state().turns)).toEqual(upTo(800));
    expect(asked.length).toBe(8);
  });

  test('asks for nothing before the first instant that can be told', async () => {
    const turns = stored(3).map(turn => ({ ...turn, timestamp: '0000-01-01T00:00:00.000Z' }));
    const run = makeSessionWindow(SCOPE, service(turns).load);
    await run.open({ instant: turns[0]!.timestamp });
    expect(run.state().more).toEqual({ before: false, after: false });
  });
});
