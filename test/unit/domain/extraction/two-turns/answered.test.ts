import { describe, expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();
const saidOf = (question: string, answer: string, asker = 'assistant'): string[] =>
  extract({
    role: 'user',
    text: answer,
    timestamp: Date.UTC(2025, 5, 3),
    before: { role: asker, text: question },
  }).observations.flatMap(({ fact }) =>
    fact === undefined ? [] : [`${fact.attribute} = ${fact.value}${fact.ended ? ' ended' : ''}`],
  );

const ANSWERS: readonly (readonly [question: string, answer: string, ...facts: string[]])[] = [
  ['Still at Nordbeam?', 'No, Castelo since May.', 'employer = Castelo'],
  ['Where do you live?', 'Leeds', 'home = Leeds'],
  ["And what's your name?", 'Ana', 'name = Ana'],
  ['How old are you?', '34', 'age = 34'],
  ['What do you do for a living?', 'nurse', 'job = nurse'],
  ['Are you still in Utrecht?', 'Yes', 'home = Utrecht'],
  ['Good to hear! Do you still live in Perth?', 'Yep.', 'home = Perth'],
  ['Are you still taking Ventolin?', 'No.', 'medication = Ventolin ended'],
  ['What are you allergic to?', 'nuts and cats', 'allergy = nuts', 'allergy = cats'],
  ['Are you vegan?', 'yes', 'diet = vegan'],
  ["What's your favourite band?", 'Muse', 'favourite_band = Muse'],
  ['How old is your son?', 'nine', 'age = 9'],
  ["What's your dog called?", 'Umlaut', 'pet = Umlaut'],
  ['Where does your sister live?', 'Angers', 'home = Angers'],
  ['What car do you drive?', 'Skoda Octavia', 'vehicle = Skoda Octavia'],
  ['When is your birthday?', '3 May', 'birthday = 3 May'],
  ['Which router do you have?', 'Hub 4. Blinking orange.', 'router = Hub 4'],
  ['Which bank are you with?', 'Monzo', 'bank = Monzo'],
  ['Where do you live?', 'Leeds. Been here for years.', 'home = Leeds'],
];
const NO_ANSWERS: readonly (readonly [question: string, answer: string])[] = [
  ["What's your opinion?", 'bad'],
  ["What's your problem called?", 'Umlaut'],
  ['Which film do you have?', 'a good one'],
  ['Where do you live?', 'Well. Paris is nice.'],
  ['Where do you live?', 'Far away'],
  ['Are you still at the airport?', 'Yes'],
  ['Still with Tom?', 'Yes'],
  ['Still in London?', 'No'],
  ['Do you live in Leeds or Bradford?', 'Yes'],
  ['How are you?', 'Good'],
  ['Where do you live?', "I'd rather not say"],
  ['Where do you live?', 'Why do you ask?'],
  ['Where do you live?', 'no idea'],
  ['Where are you?', 'Paris'],
  ['Should I keep looking?', 'Yes please.'],
  ['I live in Leeds.', 'Paris'],
  ['Where do you live? I am in Rome.', 'Paris'],
];

describe('a short answer', () => {
  it.each(ANSWERS)('"%s" "%s" states what both say', (question, answer, ...facts) => {
    expect(saidOf(question, answer)).toEqual(facts);
  });

  it.each(NO_ANSWERS)('"%s" "%s" states nothing', (question, answer) => {
    expect(saidOf(question, answer)).toEqual([]);
  });

  it('says nothing to a question of its own speaker, or without one', () => {
    expect(saidOf('Where do you live?', 'Leeds', 'user')).toEqual([]);
    expect(extract({ role: 'user', text: 'Leeds', timestamp: 0 }).observations).toEqual([]);
  });
});
