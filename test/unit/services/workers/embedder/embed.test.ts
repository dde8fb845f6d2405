import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../../core/log/events.ts';
import type { LogRecord } from '../../../../../core/ports.ts';
import { EMBEDDED, makeEmbed } from '../../../../../services/workers/embedder/embed.ts';
import type { EmbeddedTurn } from '../../../../../services/workers/embedder/embed-turns.ts';
import { retracted, sessionKey, turnRecorded } from '../../../../support/worlds/builders.ts';

const open = new AbortController().signal;
const said = (n: number, more: object = {}) => ({
  ...turnRecorded(n, { text: `turn ${n}`, ...more }),
  offset: n,
});

/** An embedder whose model notes what it is given, and fails as often as it is told to. */
const make = ({ failures = 0 } = {}) => {
  const given: (readonly [before: string | undefined, text: string])[][] = [];
  const embed = makeEmbed({
    keys: { byId: async () => sessionKey().sealing },
    decode: async record => ({ kind: 'events', events: (record as never as { events: Event[] }).events }),
    embedTurns: async (turns: readonly EmbeddedTurn[]) => {
      given.push(
        turns.map(
          ({ turn, before }) => [before?.hasExpired() ? 'EXPIRED' : before?.text, turn.text] as const,
        ),
      );
      if (given.length <= failures) throw new Error('aborted');
      return turns.map(() => [Int8Array.of(1, 2)]);
    },
    model: 'e5',
    clock: () => 0,
  });
  /** A record for each of these lists of events. */
  const read = (...lists: Event[][]) => embed(lists.map(recordOf), open);
  return { given, embed, read };
};
const recordOf = (events: Event[], offset = 0): LogRecord =>
  ({ topic: 'turns', partition: 0, offset, value: new Uint8Array(), headers: {}, events }) as LogRecord;

describe('the vectors of turns', () => {
  it('are made of each turn with the one before it, in a record and over records', async () => {
    const { given, read } = make();
    const first = await read([said(0), said(1)], [said(2)]);
    await read([said(3)]);
    expect(given).toEqual([
      [
        [undefined, 'turn 0'],
        ['turn 0', 'turn 1'],
        ['turn 1', 'turn 2'],
      ],
      [['turn 2', 'turn 3']],
    ]);
    expect(first).toMatchObject({
      turns: 3,
      records: [{ topic: 'observations' }, { topic: 'observations' }],
    });
  });

  it('are made of nothing that may not be enriched, is not recalled or was retracted by then', async () => {
    const { given, read } = make();
    const hidden = said(3);
    await read(
      [said(0), said(1, { passive: false }), said(2, { active: false })],
      [hidden, said(4)],
      [retracted(9, hidden)],
    );
    await read([retracted(10, said(4))], [said(5)]);
    expect(given).toEqual([
      [
        [undefined, 'turn 0'],
        ['turn 0', 'turn 4'],
      ],
      [[undefined, 'turn 5']],
    ]);
  });

  it('are made of the same words when the same turns come again after a failure', async () => {
    const { given, read } = make({ failures: 1 });
    await expect(read([said(0), said(1)])).rejects.toThrow('aborted');
    await read([said(0), said(1)]);
    expect(given[1]).toEqual(given[0]);
  });

  it('are not made of turns that came with theirs', async () => {
    const { given, embed } = make();
    const imported = { ...recordOf([said(0)]), headers: { [EMBEDDED]: 'other,e5' } };
    expect(await embed([imported], open)).toEqual({ records: [], turns: 0 });
    expect(given).toEqual([[]]);
  });
});
