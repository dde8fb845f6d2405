import { describe, expect, it } from 'vitest';
import { tailTurnBytes } from '../../../../../projections/recall/tail/tail-turn.ts';
import { makeTailReceiver, makeTailSender } from '../../../../../services/use-cases/recall/sent-tail.ts';
import { tailTurn, turnRecorded } from '../../../../support/worlds/builders.ts';

/** All of one size. */
const turns = Array.from({ length: 4 }, (_, n) => tailTurn(turnRecorded(n, { text: `text ${n}` })));
const [a, b, c, d] = turns as [(typeof turns)[0], (typeof turns)[0], (typeof turns)[0], (typeof turns)[0]];
const own = tailTurnBytes(a);

/** A sender and a receiver with a message channel that copies, as one between threads does. */
const start = (mostBytes: number) => {
  let now = 0;
  const sender = makeTailSender({ mostBytes, unusedMs: 1_000, clock: () => now });
  const receiver = makeTailReceiver();
  return {
    holds: (address: string) =>
      receiver.receive({ addresses: [address], turns: [], dropped: [] })[0] !== undefined,
    ask: (tail: typeof turns) => {
      const sent = sender.send(tail);
      return { sent, received: receiver.receive(structuredClone(sent)) };
    },
    dropUnused: () => {
      const dropped = sender.dropUnused();
      receiver.drop(dropped);
      return dropped;
    },
    wait: (ms: number) => {
      now += ms;
    },
  };
};

describe('a tail that is sent to a thread', () => {
  it('arrives as it is, and each turn is sent once', () => {
    const { ask } = start(own * 100);
    expect(ask([a, b]).received).toEqual([a, b]);
    const { sent, received } = ask([c, b, a]);
    expect(sent.turns).toEqual([c]);
    expect(received).toEqual([c, b, a]);
    expect(ask([]).received).toEqual([]);
  });

  it('is the same object in a later search', () => {
    const { ask } = start(own * 100);
    const [first] = ask([a]).received;
    expect(ask([a]).received[0]).toBe(first);
  });

  it('is held up to a bound, without the turns that were needed longest ago', () => {
    const { ask, holds } = start(own * 2);
    ask([a, b]);
    ask([a]);
    const { sent, received } = ask([c]);
    expect(sent.dropped).toEqual(['0/1']);
    expect(['0/0', '0/1', '0/2'].map(holds)).toEqual([true, false, true]);
    expect(received).toEqual([c]);
    const again = ask([a, b]);
    expect(again.sent.turns).toEqual([b]);
    expect(again.received).toEqual([a, b]);
  });

  it('arrives whole where it is greater than the bound', () => {
    const { ask } = start(own);
    expect(ask([a, b, c]).received).toEqual([a, b, c]);
    const { sent, received } = ask([d]);
    expect(sent.dropped).toEqual(['0/0', '0/1', '0/2']);
    expect(received).toEqual([d]);
  });

  it('is dropped when nobody needs it, and sent again', () => {
    const { ask, dropUnused, wait } = start(own * 100);
    ask([a, b]);
    wait(600);
    ask([b]);
    wait(600);
    expect(dropUnused()).toEqual(['0/0']);
    const { sent, received } = ask([a, b]);
    expect(sent.turns).toEqual([a]);
    expect(received).toEqual([a, b]);
  });

  /** Switched off by hand: the address without its partition → the second turn is the first one. */
  it('is another turn in another partition, at the same offset', () => {
    const { ask } = start(own * 100);
    const elsewhere = { ...b, partition: 1, offset: a.offset };
    expect(ask([a, elsewhere]).received).toEqual([a, elsewhere]);
  });

  it('is another turn at another address, even with the same id', () => {
    const { ask } = start(own * 100);
    ask([a]);
    const moved = { ...a, offset: 9, jobId: 'job_2' };
    expect(ask([moved]).received).toEqual([moved]);
  });
});
