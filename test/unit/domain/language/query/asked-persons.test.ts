import { describe, expect, it } from 'vitest';
import {
  askedPersons,
  bearing,
  isAmbiguous,
  type NamesByRelation,
  namesByRelation,
} from '../../../../../domain/language/query/asked-persons.ts';

const none: NamesByRelation = new Map();
const of = (question: string, text: string, role = 'user', known = none) =>
  bearing(askedPersons(question), { text, role }, known);

describe('the persons that a question is about', () => {
  it.each([
    ['Where does my brother Alex live?', [{ relation: 'brother', name: 'alex' }]],
    ['Where does Alex from work live?', [{ relation: 'colleague', name: 'alex' }]],
    ['When is my mother-in-law coming?', [{ relation: 'mother-in-law' }]],
    ['Where does my sister-in-law live?', [{ relation: 'sister-in-law' }]],
    ['Where does our nonna live?', [{ relation: 'grandmother' }]],
    ["Who is my brother's girlfriend?", [{ relation: 'partner' }]],
    ['How old is Anneke?', [{ name: 'anneke' }]],
    ['Where do I work on Monday?', []],
  ])('%s', (question, expected) => {
    expect(askedPersons(question)).toEqual(expected);
  });

  it('are told from others of the same name by their relation', () => {
    const question = 'Where does my brother Alex live?';
    expect(of(question, 'My brother Alex lives in Oslo.')).toBe('same');
    expect(of(question, 'Alex, my brother, lives in Oslo.')).toBe('same');
    expect(of(question, 'My boss Alex lives in Rome.')).toBe('other');
    expect(of(question, 'My stepbrother Alex lives in Rome.')).toBe('other');
    expect(of(question, 'My boss Alex likes my brother Alex.')).toBe('same');
    expect(of(question, 'Rome is nice.')).toBeUndefined();
  });

  it('are found by their names where a text tells who they are, and by a relation without an owner', () => {
    const known = namesByRelation(
      [{ relation: 'wife' }, { relation: 'brother' }],
      [{ text: 'My wife Anneke is a hydrologist.' }, { text: 'Lachie is my brother.' }],
    );
    expect(of('What does my wife do?', 'Anneke is in Rotterdam.', 'user', known)).toBe('same');
    expect(of('What does my brother do?', 'got a job!', 'Lachie', known)).toBe('same');
    expect(of('What does my mother eat?', 'Mum is vegetarian.')).toBe('same');
    expect(of('What does my mother eat?', 'My mother-in-law eats fish.')).toBeUndefined();
  });

  it('are in doubt where several have the name', () => {
    const texts = ['My brother Alex lives in Oslo.', 'My boss Alex lives in Rome.'].map(text => ({ text }));
    expect(isAmbiguous(askedPersons('Where does Alex live?'), texts)).toBe(true);
    expect(isAmbiguous(askedPersons('Where does my boss Alex live?'), texts)).toBe(false);
    expect(isAmbiguous(askedPersons('Where does Alex live?'), texts.slice(0, 1))).toBe(false);
  });
});
