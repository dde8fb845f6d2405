import { describe, expect, it } from 'vitest';
import type { Dated, Fact } from '../../../../../domain/facts/holds/dated-facts.ts';
import { standingOf } from '../../../../../domain/facts/holds/standing.ts';
import { fact, type More, on } from '../../../../support/worlds/facts.ts';

const home = (value: string, day: number, more: More = {}) => fact('home', value, day, more);
const stands = (...facts: Fact[]) => standingOf<Dated>(facts, on(1_000));
const marked = (...facts: Fact[]) => [...stands(...facts).superseded].map(([id, { by }]) => [id, by.id]);

describe('what stands', () => {
  it('takes names of one person for one subject, and names of two for two', () => {
    const of = (subject: string, value: string, day: number) =>
      home(value, day, { subject, subjectId: `ent_${subject}`, role: subject });
    const [mel, melanie] = [of('Melanie', 'Lisbon', 1), of('Mel', 'Porto', 2)];
    expect(marked(mel, melanie)).toEqual([[mel.id, melanie.id]]);
    expect(marked(of('Anna', 'Lisbon', 1), of('Anne', 'Porto', 2))).toEqual([]);
  });

  it('names what holds instead of every earlier value, not the one between', () => {
    const [a, b, c] = [home('Rome', 1), home('Bari', 2), home('Pisa', 3)];
    const { superseded } = stands(a, b, c);
    expect([...superseded].map(([id, { by, until }]) => [id, by.id, until])).toEqual([
      [a.id, c.id, on(2)],
      [b.id, c.id, on(3)],
    ]);
  });

  it('leaves a value alone that holds again, however it is spelled', () => {
    const [a, b, c] = [home('New York City', 1), home('Porto', 2), home('NYC', 3)];
    expect(marked(a, b, c)).toEqual([[b.id, c.id]]);
  });

  it('names the denial where nothing holds, and drops the denial once something does', () => {
    const [a, quit, c] = [
      fact('employer', 'Acme', 1),
      fact('employer', 'Acme', 2, { ended: true }),
      fact('employer', 'Globex', 3),
    ];
    expect(marked(a, quit)).toEqual([[a.id, quit.id]]);
    expect(marked(a, quit, c)).toEqual([
      [a.id, c.id],
      [quit.id, c.id],
    ]);
    // "I left Acme for Globex": both begin at one instant.
    const left = fact('employer', 'Acme', 3, { ended: true });
    expect(marked(a, left, c)).toEqual([
      [a.id, c.id],
      [left.id, c.id],
    ]);
    // A fact that was said before the denial is not what it gives way to.
    const beside = fact('employer', 'Globex', 2, { certainty: 0.5 });
    expect(
      marked(fact('employer', 'Acme', 1), beside, fact('employer', 'Acme', 3, { ended: true })),
    ).toHaveLength(1);
  });

  it('names what holds instead of what was so, whenever that was said', () => {
    const [leeds, bath] = [home('Leeds', 1), home('Bath', 2, { stance: 'was' })];
    expect(marked(leeds, bath)).toEqual([[bath.id, leeds.id]]);
    const left = home('Leeds', 3, { stance: 'was' });
    const york = home('York', 2);
    expect(marked(home('Leeds', 1), york, left).at(-1)).toEqual([left.id, york.id]);
  });

  it('names what cancelled a plan', () => {
    const [plan, next] = [home('Porto', 1, { from: 2_000 }), home('Rome', 2, { from: 2_001 })];
    expect(marked(plan, next)).toEqual([[plan.id, next.id]]);
  });

  it('decides likes and dislikes together, and tells each under its own attribute', () => {
    const [love, hate] = [fact('likes', 'Thai food', 1), fact('dislikes', 'Thai food', 2)];
    expect(marked(love, hate)).toEqual([[love.id, hate.id]]);
    expect([...stands(love, hate).holding.keys()]).toEqual(['dislikes/ent_1']);
  });

  it('keeps values of different objects apart, and their replacements', () => {
    const of = (about: string, value: string, day: number) => fact('budget', value, day, { about });
    const rent = (about: string, value: string, day: number) => fact('rent', value, day, { about });
    const [flat, garage, less] = [rent('flat', '900', 1), rent('garage', '50', 2), rent('garage', '40', 3)];
    expect(marked(flat, garage, less)).toEqual([[garage.id, less.id]]);
    expect(stands(flat, garage, less).holding.get('rent/ent_1')).toHaveLength(2);
    expect(stands(of('trip', '1', 1), of('laptop', '2', 2)).holding.get('budget/ent_1')).toHaveLength(2);
  });

  it('names what disputes each value, and has the likeliest first', () => {
    const [doubt, lyon] = [home('Porto', 0, { certainty: 0.5 }), home('Lyon', 1, { role: 'Ben' })];
    const { disputed, holding, superseded } = stands(doubt, lyon);
    expect(Object.fromEntries(disputed)).toEqual({ [lyon.id]: [doubt.id], [doubt.id]: [lyon.id] });
    expect(superseded.size).toBe(0);
    const stay = home("Mum's", 0, { until: 2_000 });
    expect(
      stands(stay, lyon)
        .holding.get('home/ent_1')!
        .map(({ said: [{ id }] }) => id),
    ).toEqual([lyon.id, stay.id]);
    expect(holding.get('home/ent_1')!.map(({ said: [{ id }] }) => id)).toEqual([lyon.id, doubt.id]);
    const sure = home('Porto', 0, { role: 'Ben' });
    expect(
      stands({ ...doubt, timestamp: on(-1) }, sure, home('Lyon', 1, { certainty: 0.5 }))
        .holding.get('home/ent_1')!
        .map(({ said: [{ fact }], isBeside }) => [fact.value, isBeside]),
    ).toEqual([
      ['Porto', false],
      ['Lyon', true],
    ]);
  });
});
