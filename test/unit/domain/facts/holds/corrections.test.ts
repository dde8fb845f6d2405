import { describe, expect, it } from 'vitest';
import { correctionsById } from '../../../../../domain/facts/holds/corrections.ts';
import type { Dated, Fact } from '../../../../../domain/facts/holds/dated-facts.ts';
import { standingOf } from '../../../../../domain/facts/holds/standing.ts';
import { holding, whatHeld } from '../../../../../domain/facts/holds/what-holds.ts';
import { fact, type More, on } from '../../../../support/worlds/facts.ts';

const home = (value: string, day: number, more: More = {}) => fact('home', value, day, more);
/** Corrects another one, of its time, on day 100. */
const instead = (of: Fact, value: string, more: More = {}): Fact => ({
  ...fact(of.fact.attribute, value, 0, { recordedAt: on(100), corrects: of.id, role: 'user', ...more }),
  timestamp: of.timestamp,
  sourceTurnId: undefined,
});

const byId = (facts: readonly Dated[]) => correctionsById(facts.filter(({ corrects }) => corrects));
const held = (facts: readonly Fact[], at = 1_000) => whatHeld<Dated>(facts, on(at), byId(facts)).periods;
const now = (...facts: Fact[]) => holding(held(facts)).map(({ said: [{ fact }] }) => fact.value);
const standing = (...facts: Fact[]) =>
  standingOf<Dated>(
    facts,
    on(1_000),
    facts.filter(({ corrects }) => corrects),
  );

describe('a correction', () => {
  const lisbon = home('Lisbon', 10);

  it('beats what it corrects, and nothing that came after it', () => {
    expect(now(lisbon, instead(lisbon, 'Lagos'))).toEqual(['Lagos']);
    expect(now(lisbon, instead(lisbon, 'Lagos'), home('Porto', 20))).toEqual(['Porto']);
    expect(now(home('Rome', 5), lisbon, instead(lisbon, 'Lagos'))).toEqual(['Lagos']);
  });

  it('leaves what it corrects in the history, as what never held', () => {
    const by = instead(lisbon, 'Lagos');
    const [corrected, ...others] = held([lisbon, by]);
    expect(corrected).toMatchObject({ validFrom: on(10), until: on(10), endedBy: { id: by.id } });
    expect(others).toHaveLength(1);
    const dated = home('Lisbon', 10, { from: -900 });
    expect(held([dated, instead(dated, 'Lagos')])[0]).toMatchObject({ validFrom: on(-900), until: on(-900) });
    expect(standing(lisbon, by).superseded.get(lisbon.id)).toMatchObject({
      by: { id: by.id },
      until: on(10),
    });
  });

  it('is of the value wherever it was said by then, also by who imports it later', () => {
    const again = home('Lisbon', 30);
    const imported = home('Lisbon', 5, { recordedAt: on(200) });
    expect(now(lisbon, again, instead(again, 'Lagos'))).toEqual(['Lagos']);
    expect(now(lisbon, again, instead(lisbon, 'Lagos'))).toEqual(['Lagos']);
    expect(now(lisbon, again, imported, instead(again, 'Lagos'))).toEqual(['Lagos']);
  });

  it('has the standing time of what it corrects, whatever its own beginning', () => {
    const porto = home('Porto', 20);
    const by = instead(lisbon, 'Lagos', { from: 50, stance: 'holds' });
    expect(now(lisbon, porto, by)).toEqual(['Porto']);
    expect(held([lisbon, by]).at(-1)).toMatchObject({ validFrom: on(50), from: on(10) });
    const old = home('Lisbon', 30, { from: -900, stance: 'changed' });
    expect(now(porto, old, instead(old, 'Lagos', { stance: 'holds' }))).toEqual(['Porto']);
    const plan = home('Lisbon', 10, { from: 60 });
    expect(holding(held([plan, instead(plan, 'Lisbon', { from: 80, stance: 'plan' })], 70))).toEqual([]);
  });

  it('revives nothing, also when it says something else altogether', () => {
    const job = fact('employer', 'MIT', 10);
    const [bosch, studies] = [fact('employer', 'Bosch', 5), fact('studies', 'MIT', 10, { corrects: job.id })];
    const facts = [bosch, job, studies];
    expect(now(...facts.slice(0, 2))).toEqual(['MIT']);
    const { superseded, holding: held } = standing(...facts);
    expect([...held.keys()]).toEqual(['studies/ent_1']);
    expect(superseded.get(bosch.id)?.by.id).toBe(studies.id);
    expect(now(fact('employer', 'Audi', 20), job, bosch, instead(job, 'Ikea'))).toEqual(['Audi']);
  });

  it('to the value before it makes one fact of the two', () => {
    const [porto, wrong] = [home('Porto', 5), home('Lisbon', 10)];
    const [, one, ...others] = held([porto, wrong, instead(wrong, 'Porto')]);
    expect(one).toMatchObject({ from: on(5), until: undefined });
    expect(others).toEqual([]);
  });

  it('is not of the same value in another time, nor of who says it again later', () => {
    const [porto, back] = [home('Porto', 20), home('Lisbon', 30)];
    expect(now(lisbon, porto, back, instead(back, 'Lagos'))).toEqual(['Lagos']);
    expect(
      held([lisbon, porto, back, instead(back, 'Lagos')]).map(({ said: [{ fact }] }) => fact.value),
    ).toEqual(['Lisbon', 'Lisbon', 'Porto', 'Lagos']);
    const moved = home('Lisbon', 150);
    expect(now(lisbon, instead(lisbon, 'Lagos'), moved)).toEqual(['Lisbon']);
  });

  it('can be corrected, and taken back', () => {
    const lagos = instead(lisbon, 'Lagos');
    const faro = instead(lagos, 'Faro', { recordedAt: on(110) });
    expect(now(lisbon, lagos, faro)).toEqual(['Faro']);
    // Without the last one, the one before holds, and so on.
    expect(now(lisbon, lagos)).toEqual(['Lagos']);
    expect(now(lisbon)).toEqual(['Lisbon']);
  });

  it('stands where what it corrected stood, however often it is corrected', () => {
    const again = home('Lisbon', 30);
    const porto = instead(again, 'Porto');
    const oporto = instead(porto, 'Oporto', { recordedAt: on(110) });
    expect(now(lisbon, again, home('Rome', 40), porto, oporto)).toEqual(['Rome']);
    expect(now(lisbon, again, porto, oporto)).toEqual(['Oporto']);
  });

  it('names what a chain of corrections ends with', () => {
    const cats = fact('allergy', 'cats', 10);
    const dogs = instead(cats, 'dogs');
    const mice = instead(dogs, 'mice', { recordedAt: on(110) });
    const { superseded } = standing(cats, dogs, mice);
    expect([...superseded].map(([id, { by }]) => [id, by.id])).toEqual([
      [cats.id, mice.id],
      [dogs.id, mice.id],
    ]);
  });

  it('of two at the same time is the one recorded last, and the other goes too', () => {
    const cats = fact('allergy', 'cats', 10);
    const [one, other] = [instead(cats, 'nuts', { recordedAt: on(101) }), instead(cats, 'dust')];
    for (const facts of [
      [cats, one, other],
      [other, one, cats],
    ])
      expect(now(...facts)).toEqual(['nuts']);
  });

  it('of values side by side is of one of them, up to a denial', () => {
    const [cats, nuts] = [fact('allergy', 'cats', 10), fact('allergy', 'nuts', 20)];
    const again = fact('allergy', 'cats', 30);
    expect(now(cats, nuts, again, instead(again, 'dogs'))).toEqual(['nuts', 'dogs']);
    const gone = fact('allergy', 'cats', 25, { ended: true });
    expect(now(cats, nuts, gone, again, instead(again, 'dogs'))).toEqual(['nuts', 'dogs']);
  });

  it('of a sentence that says nothing of a subject marks it', () => {
    const bare = { timestamp: 1, role: 'user', text: 'It is cold.' };
    const by: Dated = { ...bare, id: 'obs_b', recordedAt: 2, corrects: { id: 'obs_a', follows: [] } };
    expect(standingOf<Dated>([], 1_000, [by]).superseded.get('obs_a')).toEqual({ by, until: undefined });
    const last: Dated = { ...bare, id: 'obs_c', recordedAt: 3, corrects: { id: 'obs_b', follows: [] } };
    const { superseded } = standingOf<Dated>([], 1_000, [by, last]);
    expect(superseded.get('obs_a')!.by).toBe(last);
  });

  it('that only rewords leaves the value, and supersedes the words', () => {
    const by = instead(lisbon, 'Lisbon');
    const { superseded, holding: held } = standing(lisbon, by);
    expect([...superseded.keys()]).toEqual([lisbon.id]);
    expect(held.get('home/ent_1')!.map(({ said: [{ id }] }) => id)).toEqual([by.id]);
  });
});
