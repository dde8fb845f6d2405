/** Ends that are said in words of another attribute than the one that holds the value. */
import { describe, expect, it } from 'vitest';
import { decidedTogether } from '../../../../../domain/facts/values/slots.ts';
import { fact, now, orders } from '../../../../support/worlds/facts.ts';

const ended = { ended: true } as const;

describe('an end whose words fit several attributes', () => {
  it('ends the value where it is held', () => {
    for (const facts of orders([fact('gym', 'Ironbark', 10), fact('subscription', 'Ironbark', 20, ended)]))
      expect(now(facts)).toEqual([]);
    expect(now([fact('partner', 'Arthur', 10), fact('pet', 'Arthur', 20, ended)])).toEqual([]);
    expect(now([fact('owns', 'VW Golf', 10), fact('vehicle', 'Golf', 20, ended)])).toEqual([]);
    expect(now([fact('sport', 'tennis', 10), fact('hobby', 'tennis', 20, ended)])).toEqual([]);
  });

  it('ends nothing else of that attribute, and no value of an attribute that ends in other words', () => {
    expect(now([fact('gym', 'Kraftwerk', 10), fact('subscription', 'Ironbark', 20, ended)])).toEqual([
      'Kraftwerk',
    ]);
    expect(decidedTogether('birthplace')).toEqual(['birthplace']);
  });

  it('is about nobody of that name who is something else, and about nothing that only begins so', () => {
    const daughter = fact('child', 'Greta', 10, { text: 'My daughter is called Greta.' });
    const neighbour = { ...ended, text: 'My neighbour Greta moved away.' };
    expect(now([daughter, fact('friend', 'Greta', 20, neighbour)])).toEqual(['Greta']);
    const clubs = fact('owns', 'golf clubs', 20, { ...ended, text: 'I sold my golf clubs.' });
    expect(now([fact('vehicle', 'Golf', 10), clubs])).toEqual(['Golf']);
  });

  it('is never the end of an opposite', () => {
    const facts = [fact('dislikes', 'mushrooms', 10), fact('likes', 'mushrooms', 20, ended)];
    expect(now(facts)).toEqual(['mushrooms']);
  });

  it('is of its own attribute where that holds the value', () => {
    const facts = [fact('subscription', 'Ironbark', 10), fact('gym', 'Ironbark', 11)];
    expect(now([...facts, fact('subscription', 'Ironbark', 20, ended)])).toEqual(['Ironbark']);
  });

  it('ends nothing where two others hold it, which are in doubt', () => {
    const facts = [fact('friend', 'Ben', 10), fact('roommate', 'Ben', 11)];
    expect(now([...facts, fact('pet', 'Ben', 20, ended)])).toEqual(['Ben', 'Ben']);
  });
});

describe('the end of a marriage', () => {
  const facts = [fact('relationship_status', 'married', 10), fact('partner', 'Jorge', 10)];

  it('ends that somebody is married, and not that they are single', () => {
    for (const value of ['', 'Jorge']) expect(now([...facts, fact('partner', value, 20, ended)])).toEqual([]);
    expect(now([...facts, fact('pet', 'Jorge', 20, ended)])).toEqual([]);
    const single = fact('relationship_status', 'single again', 15);
    expect(now([...facts, single, fact('partner', '', 20, ended)])).toEqual(['single again']);
  });

  it('is said by who is single, and no work by who is unemployed', () => {
    expect(now([...facts, fact('relationship_status', 'single', 20)])).toEqual(['single']);
    const work = [fact('employer', 'Acme', 10), fact('job', 'nurse', 10)];
    expect(now([...work, fact('job', 'unemployed', 20)])).toEqual(['unemployed']);
    const perhaps = fact('relationship_status', 'single', 20, { certainty: 0.6 });
    expect(now([...facts, perhaps])).toContain('Jorge');
  });

  it('ends nothing where somebody else is the partner', () => {
    expect(now([...facts, fact('partner', 'Sandu', 20, ended)])).toEqual(['married', 'Jorge']);
  });
});

describe('the end of a job', () => {
  it('ends the employer and the team, and that of an employer leaves the profession', () => {
    const facts = [fact('job', 'nurse', 10), fact('employer', "St Luke's", 11), fact('team', 'Falcon', 12)];
    expect(now([...facts, fact('job', '', 20, ended)])).toEqual([]);
    expect(now([...facts, fact('employer', '', 20, ended)])).toEqual(['nurse', 'Falcon']);
  });

  it('that is told late ends no employer who came since, and takes back no plan for the next', () => {
    const late = fact('job', '', 20, { ...ended, from: 5 });
    expect(now([fact('employer', 'Globex', 10), late])).toEqual(['Globex']);
    const next = fact('employer', 'Globex', 10, { from: 40, stance: 'plan' });
    expect(now([next, fact('job', '', 20, ended)], 50)).toEqual(['Globex']);
  });
});
