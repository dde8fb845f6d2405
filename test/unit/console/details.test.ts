import { describe, expect, test, vi } from 'vitest';
import type { TurnDetails } from '../../../console/src/api/types.ts';
import { makeDetailsStore } from '../../../console/src/pages/explorer/conversation/details.ts';

const RECORDED_AT = '2026-01-01T00:00:00.000Z';

const detailsOf = (id: string, recorded_at: string | null = RECORDED_AT): TurnDetails => ({
  id,
  user_id: 'u',
  session_id: 's',
  role: 'r',
  text: id,
  timestamp: '2026-01-01T00:00:00.000Z',
  observations: [],
  entities: [],
  recorded_at,
  expires_at: null,
});

/** Answers with what `answers` holds, and fails where it holds nothing. */
const service = (answers: Map<string, TurnDetails | undefined>) => {
  const asked: string[] = [];
  const load = async (id: string, signal: AbortSignal) => {
    asked.push(id);
    await Promise.resolve();
    signal.throwIfAborted();
    const answer = answers.get(id);
    if (!answers.has(id)) throw new Error('gone');
    return answer;
  };
  return { asked, load };
};

describe('the details of the turns on the screen', () => {
  test('are asked for once', async () => {
    const { asked, load } = service(new Map([['a', detailsOf('a')]]));
    const details = makeDetailsStore(load);
    details.want(['a']);
    await vi.waitFor(() => expect(details.of('a')).toBeDefined());
    details.want(['a']);
    expect(asked).toEqual(['a']);
    expect(details.failed()).toBe(false);
  });

  test('that failed are told while they are wanted, and asked for again by hand only', async () => {
    const answers = new Map([['b', detailsOf('b')]]);
    const { asked, load } = service(answers);
    const details = makeDetailsStore(load);
    details.want(['a', 'b']);
    await vi.waitFor(() => expect(details.failed()).toBe(true));
    details.want(['b']);
    expect(details.failed()).toBe(false);
    details.want(['a', 'b']);
    expect(details.failed()).toBe(true);
    expect(asked).toEqual(['a', 'b']);
    answers.set('a', detailsOf('a'));
    details.again();
    await vi.waitFor(() => expect(details.of('a')).toBeDefined());
    expect(details.failed()).toBe(false);
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  test('tell whether a turn on the screen is kept no more', async () => {
    const answers = new Map<string, TurnDetails | undefined>([
      ['a', undefined],
      ['b', detailsOf('b')],
    ]);
    const details = makeDetailsStore(service(answers).load);
    details.want(['b']);
    await vi.waitFor(() => expect(details.of('b')).toBeDefined());
    expect(details.erased()).toBe(false);
    details.want(['a', 'b']);
    await vi.waitFor(() => expect(details.erased()).toBe(true));
    expect(details.failed()).toBe(false);
  });

  test('of a turn that was not projected yet are asked for when it is next on the screen', async () => {
    const answers = new Map([['a', detailsOf('a', null)]]);
    const details = makeDetailsStore(service(answers).load);
    details.want(['a']);
    await vi.waitFor(() => expect(details.of('a')?.recorded_at).toBeNull());
    answers.set('a', detailsOf('a'));
    details.want(['a']);
    await vi.waitFor(() => expect(details.of('a')?.recorded_at).toEqual(RECORDED_AT));
  });

  test('are dropped when nobody looks any more', async () => {
    const signals: AbortSignal[] = [];
    const details = makeDetailsStore((_, signal) => {
      signals.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    details.want(['a', 'b', 'c', 'd', 'e']);
    details.close();
    await vi.waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]));
    expect(details.failed()).toBe(false);
  });
});
