import { describe, expect, it } from 'vitest';
import type { Dated } from '../../../../../domain/facts/holds/dated-facts.ts';
import { whatHeld } from '../../../../../domain/facts/holds/what-holds.ts';
import { ever, fact, type More, now, on, orders } from '../../../../support/worlds/facts.ts';

const home = (value: string, day: number, more: More = {}) => fact('home', value, day, more);
const employer = (value: string, day: number, more: More = {}) => fact('employer', value, day, more);

describe('one value at a time', () => {
  const lisbon = home('Lisbon', 10);
  const porto = home('Porto', 20);
  const again = home('the  PORTO!', 30);
  const left = home('Porto', 40, { ended: true });
  const rome = home('Rome', 50);

  it('is replaced by what was said later, whatever the order in which it was recorded', () => {
    for (const facts of orders([lisbon, porto, again, left, rome]))
      expect(ever(facts)).toEqual([
        ['Lisbon', undefined, 20],
        ['the  PORTO!', undefined, 40],
        ['Rome', undefined, undefined],
      ]);
  });

  it('is one fact with all that say it, the latest first, as long as no other held between', () => {
    const [, period] = whatHeld<Dated>([lisbon, porto, again], on(1_000)).periods;
    expect(period!.said.map(({ id }) => id)).toEqual([again.id, porto.id]);
    expect(period!.endedBy).toBeUndefined();
    expect(ever([lisbon, porto, home('Lisbon', 60)]).map(([value]) => value)).toEqual([
      'Lisbon',
      'Porto',
      'Lisbon',
    ]);
  });

  it('is decided at a moment: nothing counts that was said later', () => {
    expect(now([lisbon, porto], 15)).toEqual(['Lisbon']);
    expect(now([lisbon, porto], 20)).toEqual(['Porto']);
    expect(now([lisbon, porto], 5)).toEqual([]);
  });

  it('is ended by a denial of it, or of whatever holds, and by no other', () => {
    expect(now([lisbon, home('Paris', 30, { ended: true })])).toEqual(['Lisbon']);
    expect(now([lisbon, home('', 30, { ended: true })])).toEqual([]);
    expect(now([home('Lisbon', 5, { ended: true }), lisbon])).toEqual(['Lisbon']);
  });

  it('holds again when what came after it is gone', () => {
    expect(now([lisbon, porto])).toEqual(['Porto']);
    expect(now([lisbon])).toEqual(['Lisbon']);
  });

  it('holds again after it was left', () => {
    expect(now([employer('Bosch', 1), employer('Bosch', 2, { ended: true }), employer('Bosch', 3)])).toEqual([
      'Bosch',
    ]);
  });

  it('of different objects is one each', () => {
    const budget = (value: string, day: number, about?: string) => fact('rent', value, day, { about });
    expect(now([budget('900', 1, 'the flat'), budget('40', 2, 'garage'), budget('30', 3, 'Garage')])).toEqual(
      ['900', '30'],
    );
    expect(now([budget('900', 1, 'flat'), budget('', 2)])).toEqual(['900', '']);
    expect(now([budget('900', 1, 'flat'), fact('rent', '', 2, { ended: true })])).toEqual(['900']);
  });
});

describe('the standing time', () => {
  it('of a plain sentence is when it was said, since whenever it is so', () => {
    const initech = employer('Initech', 60, { from: -60 });
    const acme = employer('Acme', 61, { from: -600, stance: 'changed' });
    expect(now([initech, acme])).toEqual(['Initech']);
    expect(ever([initech, acme])).toEqual([
      ['Acme', -600, -60],
      ['Initech', -60, undefined],
    ]);
  });

  it('of a change is when it was told, where it is news', () => {
    const lyon = home('Lyon', 100);
    expect(now([lyon, home('Porto', 107, { from: 97, stance: 'changed' })])).toEqual(['Porto']);
    expect(now([lyon, home('Porto', 107, { from: 17, stance: 'changed' })])).toEqual(['Porto']);
    expect(now([lyon, home('Porto', 107, { stance: 'changed' })])).toEqual(['Porto']);
    expect(now([lyon, home('Porto', 107, { from: 16, stance: 'changed' })])).toEqual(['Lyon']);
  });

  it('of a denial of long ago is its date: it does not end what was said to hold since', () => {
    const bosch = employer('Bosch', 200);
    expect(now([bosch, employer('Bosch', 210, { ended: true, from: 20 })])).toEqual(['Bosch']);
    expect(now([bosch, employer('Bosch', 210, { ended: true, from: 205 })])).toEqual([]);
  });

  it('is never after the recording, unless it is planned', () => {
    const ahead = home('Lyon', 2_000, { recordedAt: on(10) });
    expect(now([ahead, home('Porto', 20)])).toEqual(['Porto']);
    expect(now([ahead], 15)).toEqual(['Lyon']);
    // The tail has no moment of recording yet.
    expect(now([home('Lyon', 2_000, { recordedAt: Number.MAX_SAFE_INTEGER })], 15)).toEqual(['Lyon']);
  });

  it('of two that are equal goes by their turns, the order in the turn, the recording and the id', () => {
    const at = (value: string, more: More) => home(value, 10, more);
    const first = { recordedAt: on(11) };
    expect(now([at('B', { recordedAt: on(12) }), at('A', first)])).toEqual(['B']);
    const turn = 'trn_1';
    expect(
      now([at('second', { turn, place: 1, recordedAt: on(11) }), at('first', { turn, recordedAt: on(12) })]),
    ).toEqual(['second']);
    expect(now([at('A', { id: 'obs_b', turn, ...first }), at('B', { id: 'obs_a', turn, ...first })])).toEqual(
      ['A'],
    );
  });
});

describe('a plan', () => {
  const lyon = home('Lyon', 10);
  const porto = home('Porto', 20, { from: 50 });

  it('holds from its beginning on, and one without a beginning never', () => {
    expect(now([lyon, porto], 49)).toEqual(['Lyon']);
    expect(now([lyon, porto], 50)).toEqual(['Porto']);
    expect(ever([lyon, porto], 60)[0]).toEqual(['Lyon', undefined, 50]);
    expect(now([lyon, home('Porto', 20, { stance: 'plan' })])).toEqual(['Lyon']);
  });

  it('is told as a plan before', () => {
    const { periods } = whatHeld<Dated>([lyon, porto], on(30));
    expect(periods.map(({ said: [{ fact }], isPlanned }) => [fact.value, isPlanned])).toEqual([
      ['Lyon', false],
      ['Porto', true],
    ]);
  });

  it('is what the last turn plans, unless it began before that was said', () => {
    const rome = home('Rome', 30, { from: 70 });
    expect(now([lyon, porto, rome], 60)).toEqual(['Lyon']);
    expect(now([lyon, porto, rome], 70)).toEqual(['Rome']);
    expect(
      [...whatHeld<Dated>([lyon, porto, rome], on(40)).cancelled].map(([id, { id: by }]) => [id, by]),
    ).toEqual([[porto.id, rome.id]]);
    expect(now([lyon, porto, home('Rome', 55, { from: 70 })], 60)).toEqual(['Porto']);
    // One turn may tell of two.
    const both = [
      home('Porto', 20, { from: 50, turn: 'trn_1' }),
      home('Rome', 20, { from: 70, turn: 'trn_1' }),
    ];
    expect(now([lyon, ...both], 60)).toEqual(['Porto']);
  });

  it('is cancelled by a later denial, and not by what was said in between', () => {
    expect(now([lyon, porto, home('Porto', 30, { ended: true })], 60)).toEqual(['Lyon']);
    expect(now([lyon, porto, home('Rome', 30, { ended: true })], 60)).toEqual(['Porto']);
    expect(now([lyon, porto, home('Lyon', 30)], 60)).toEqual(['Porto']);
    expect(now([lyon, porto, home('Porto', 55, { ended: true })], 60)).toEqual([]);
  });

  it('to leave ends a value then, beside the plan for the next one', () => {
    const bosch = employer('Bosch', 1);
    const last = employer('Bosch', 5, { ended: true, from: 30 });
    expect(now([bosch, last], 29)).toEqual(['Bosch']);
    expect(now([bosch, last], 30)).toEqual([]);
    expect(ever([bosch, last], 10)).toEqual([['Bosch', undefined, undefined]]);
    const next = employer('Audi', 4, { from: 40 });
    expect(now([bosch, next, last], 35)).toEqual([]);
    expect(now([bosch, next, last], 40)).toEqual(['Audi']);
  });

  it('to leave is taken back by the news that it goes on, and not by what only says so', () => {
    const bosch = employer('Bosch', 1);
    const last = employer('Bosch', 5, { ended: true, from: 30 });
    const stays = employer('Bosch', 20, { stance: 'changed' });
    for (const facts of orders([bosch, last, stays])) expect(now(facts, 40)).toEqual(['Bosch']);
    expect([...whatHeld<Dated>([bosch, last, stays], on(40)).cancelled.keys()]).toEqual([last.id]);
    expect(now([bosch, last, employer('Bosch', 20)], 40)).toEqual([]);
    // Another one's news, what was told before, what is told after the end, and what happened long before it.
    expect(now([bosch, last, employer('Audi', 20, { stance: 'changed', adds: true })], 40)).toEqual(['Audi']);
    expect(now([bosch, employer('Bosch', 4, { stance: 'changed' }), last], 40)).toEqual([]);
    expect(now([bosch, last, employer('Bosch', 35, { stance: 'changed' })], 34)).toEqual([]);
    expect(now([bosch, last, employer('Bosch', 20, { stance: 'changed', from: 2 })], 40)).toEqual([]);
  });
});

describe('what was so', () => {
  it('holds never, and ends its own value alone', () => {
    const leeds = home('Leeds', 10);
    expect(now([leeds, home('Bath', 20, { stance: 'was' })])).toEqual(['Leeds']);
    expect(now([leeds, home('leeds', 20, { stance: 'was' })])).toEqual([]);
    expect(now([home('Leeds', 5, { stance: 'was' }), leeds])).toEqual(['Leeds']);
  });

  it('is in the history, until when that was said', () => {
    expect(ever([home('Leeds', 10), home('Bath', 20, { stance: 'was', from: -900, until: -400 })])).toEqual([
      ['Leeds', undefined, undefined],
      ['Bath', -900, -400],
    ]);
    expect(ever([home('Bath', 10), home('Leeds', 15), home('Bath', 20, { stance: 'was' })])).toEqual([
      ['Bath', undefined, 15],
      ['Leeds', undefined, undefined],
    ]);
  });
});

describe('a value with a said end', () => {
  const lyon = home('Lyon', 10);
  const mums = home("Mum's", 20, { until: 60 });

  it('holds beside, supersedes nothing and stops then', () => {
    expect(now([lyon, mums], 30)).toEqual(['Lyon', "Mum's"]);
    expect(now([lyon, mums], 60)).toEqual(['Lyon']);
    expect(ever([lyon, mums], 70)).toEqual([
      ['Lyon', undefined, undefined],
      ["Mum's", undefined, 60],
    ]);
  });

  it('outlasts the next value, and not its denial', () => {
    expect(now([lyon, mums, home('Porto', 40)], 50)).toEqual(["Mum's", 'Porto']);
    expect(now([lyon, mums, home("Mum's", 40, { ended: true })], 50)).toEqual(['Lyon']);
  });

  it('is said anew after its end', () => {
    expect(ever([mums, home("Mum's", 70)], 80)).toEqual([
      ["Mum's", undefined, 60],
      ["Mum's", undefined, undefined],
    ]);
  });
});

describe('what is also so', () => {
  const acme = employer('Acme', 10);
  const globex = employer('Globex', 20, { adds: true });

  it('holds beside, also when one of the two is said again', () => {
    expect(now([acme, globex])).toEqual(['Acme', 'Globex']);
    expect(now([acme, globex, employer('Acme', 30)]).sort()).toEqual(['Acme', 'Globex']);
    expect(now([acme, globex, employer('Globex', 30)]).sort()).toEqual(['Acme', 'Globex']);
  });

  it('ends with the next value', () => {
    expect(now([acme, globex, employer('Initech', 30)])).toEqual(['Initech']);
  });
});

describe('the beginning of a value', () => {
  it('is the last that was said, and its end that of the next', () => {
    const facts = [home('Lyon', 10, { from: 1 }), home('Lyon', 20, { from: 5 }), home('Lyon', 30)];
    expect(ever([...facts, home('Porto', 40, { from: 38 })])).toEqual([
      ['Lyon', 5, 38],
      ['Porto', 38, undefined],
    ]);
  });
});

describe('the fold', () => {
  it('takes many facts of one key in a time that grows with their number', () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, n) => home(`Town ${n % 7}`, n, { ended: n % 5 === 0, certainty: 1 }));
    const { periods } = whatHeld<Dated>(days(20_000), on(30_000));
    expect(periods.length).toBeGreaterThan(10_000);
    const [before, after] = [
      ['pet', 'dog'],
      ['likes', 'tea'],
    ].map(([attribute, value]) => {
      const all = Array.from({ length: 500 }, (_, n) =>
        fact(attribute!, n % 2 === 0 ? `${value} ${n}` : value!, n, { ended: n % 2 === 1, certainty: 0.5 }),
      );
      return whatHeld<Dated>(all, on(1_000)).periods.length;
    });
    expect([before, after]).toEqual([250, 250]);
  });
});
