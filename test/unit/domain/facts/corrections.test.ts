import { describe, expect, it } from 'vitest';
import { correctionsById } from '../../../../domain/facts/corrections.ts';
import type { Dated, Fact } from '../../../../domain/facts/dated-facts.ts';
import { standingOf } from '../../../../domain/facts/standing.ts';
import { holding, whatHeld } from '../../../../domain/facts/what-holds.ts';

interface More {
  ended?: boolean;
  recordedAt?: number;
  timestamp?: number;
  corrects?: string;
}

let made = 0;
const fact = (attribute: string, value: string, from: number, more: More = {}): Fact => ({
  id: `obs_${String(++made).padStart(3, '0')}`,
  timestamp: more.timestamp ?? from,
  recordedAt: more.recordedAt ?? from,
  fact: { subjectId: 'ent_1', subject: 'Ada', attribute, value, validFrom: from, ended: more.ended ?? false },
  ...(more.corrects !== undefined && { corrects: { id: more.corrects } }),
});
const home = (value: string, from: number, more: More = {}) => fact('home', value, from, more);
/** Corrects another one, of its time, at 100. */
const instead = (of: Fact, value: string, more: More = {}) =>
  fact(of.fact.attribute, value, of.fact.validFrom, {
    timestamp: of.timestamp,
    recordedAt: 100,
    corrects: of.id,
    ...more,
  });

const byId = (facts: readonly Dated[]) => correctionsById(facts.filter(({ corrects }) => corrects));
const now = (...facts: Fact[]) =>
  holding(whatHeld<Dated>(facts, 1_000, byId(facts))).map(({ said: [{ fact }], from }) => [fact.value, from]);

describe('a correction', () => {
  const lisbon = home('Lisbon', 10);

  it('beats what it corrects, and nothing that came after it', () => {
    expect(now(lisbon, instead(lisbon, 'Lagos'))).toEqual([['Lagos', 10]]);
    expect(now(lisbon, instead(lisbon, 'Lagos'), home('Porto', 20))).toEqual([['Porto', 20]]);
    expect(now(home('Rome', 5), lisbon, instead(lisbon, 'Lagos'))).toEqual([['Lagos', 10]]);
  });

  it('leaves what it corrects in the history, as what never held', () => {
    const by = instead(lisbon, 'Lagos');
    const [corrected, ...others] = whatHeld<Dated>([lisbon, by], 1_000, byId([by]));
    expect(corrected).toMatchObject({ from: 10, until: 10, endedBy: { id: by.id } });
    expect(others).toHaveLength(1);
    expect(standingOf<Dated>([lisbon, by], 1_000, [by]).superseded.get(lisbon.id)).toMatchObject({
      by: { id: by.id },
      until: 10,
    });
  });

  it('is of the value wherever it was said by then, also by who imports it later, and takes its beginning', () => {
    const again = home('Lisbon', 30);
    const imported = home('Lisbon', 5, { recordedAt: 200 });
    expect(now(lisbon, again, instead(again, 'Lagos'))).toEqual([['Lagos', 10]]);
    expect(now(lisbon, again, imported, instead(again, 'Lagos'))).toEqual([['Lagos', 5]]);
    // Given another beginning it has that one.
    expect(
      now(lisbon, { ...instead(lisbon, 'Lagos'), fact: { ...lisbon.fact, value: 'Lagos', validFrom: 7 } }),
    ).toEqual([['Lagos', 7]]);
  });

  it('is not of the same value in another time, nor of who says it again later', () => {
    const [porto, back] = [home('Porto', 20), home('Lisbon', 30)];
    expect(now(lisbon, porto, back, instead(back, 'Lagos'))).toEqual([['Lagos', 30]]);
    const seen = whatHeld<Dated>([lisbon, porto, back, instead(back, 'Lagos')], 25, new Map());
    expect(holding(seen).map(({ said: [{ fact }] }) => fact.value)).toEqual(['Porto']);
    const moved = home('Lisbon', 150);
    expect(now(lisbon, instead(lisbon, 'Lagos'), moved)).toEqual([['Lisbon', 150]]);
  });

  it('can be corrected, and taken back', () => {
    const lagos = instead(lisbon, 'Lagos');
    const faro = instead(lagos, 'Faro', { recordedAt: 110 });
    expect(now(lisbon, lagos, faro)).toEqual([['Faro', 10]]);
    // Without the last one, the one before holds, and so on.
    expect(now(lisbon, lagos)).toEqual([['Lagos', 10]]);
    expect(now(lisbon)).toEqual([['Lisbon', 10]]);
  });

  it('begins when what it corrected began, however often it is corrected', () => {
    const again = home('Lisbon', 30);
    const porto = instead(again, 'Porto');
    const oporto = instead(porto, 'Oporto', { recordedAt: 110 });
    expect(now(lisbon, again, porto, oporto)).toEqual([['Oporto', 10]]);
  });

  it('names what a chain of corrections ends with', () => {
    const cats = fact('allergy', 'cats', 10);
    const dogs = instead(cats, 'dogs');
    const mice = instead(dogs, 'mice', { recordedAt: 110 });
    const { superseded } = standingOf<Dated>([cats, dogs, mice], 1_000, [dogs, mice]);
    expect([...superseded].map(([id, { by }]) => [id, by.id])).toEqual([
      [cats.id, mice.id],
      [dogs.id, mice.id],
    ]);
  });

  it('of two at the same time is the one recorded last, and the other goes too', () => {
    const cats = fact('allergy', 'cats', 10);
    const [one, other] = [instead(cats, 'nuts', { recordedAt: 101 }), instead(cats, 'dust')];
    for (const facts of [
      [cats, one, other],
      [other, one, cats],
    ])
      expect(now(...facts)).toEqual([['nuts', 10]]);
  });

  it('of values side by side is of one of them, up to a denial', () => {
    const [cats, nuts] = [fact('allergy', 'cats', 10), fact('allergy', 'nuts', 20)];
    const again = fact('allergy', 'cats', 30);
    expect(now(cats, nuts, again, instead(again, 'dogs'))).toEqual([
      ['dogs', 10],
      ['nuts', 20],
    ]);
    const gone = fact('allergy', 'cats', 25, { ended: true });
    expect(now(cats, nuts, gone, again, instead(again, 'dogs'))).toEqual([
      ['nuts', 20],
      ['dogs', 30],
    ]);
  });

  it('reaches across attributes and subjects', () => {
    const school = fact('employer', 'MIT', 10);
    const by = instead({ ...school, fact: { ...school.fact, attribute: 'studies' } }, 'MIT', {
      corrects: school.id,
    });
    const { superseded, holding: held } = standingOf<Dated>([school, by], 1_000, [by]);
    expect(superseded.get(school.id)?.by.id).toBe(by.id);
    expect([...held.keys()]).toEqual(['studies/ent_1']);
  });

  it('of a sentence that says nothing of a subject marks it', () => {
    const by: Dated = { id: 'obs_b', timestamp: 1, recordedAt: 2, corrects: { id: 'obs_a' } };
    expect(standingOf<Dated>([], 1_000, [by]).superseded.get('obs_a')).toEqual({ by, until: undefined });
    const last: Dated = { id: 'obs_c', timestamp: 1, recordedAt: 3, corrects: { id: 'obs_b' } };
    const { superseded } = standingOf<Dated>([], 1_000, [by, last]);
    expect(superseded.get('obs_a')!.by).toBe(last);
  });

  it('that only rewords leaves the value, and supersedes the words', () => {
    const by = instead(lisbon, 'Lisbon');
    const { superseded, holding: held } = standingOf<Dated>([lisbon, by], 1_000, [by]);
    expect([...superseded.keys()]).toEqual([lisbon.id]);
    expect(held.get('home/ent_1')!.map(({ said: [{ id }] }) => id)).toEqual([by.id]);
  });
});
