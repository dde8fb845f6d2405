import { describe, expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();
/** Returns what a text says, as `attribute = value`, of somebody else as `subject: attribute = value`. */
const saidBy = (text: string): string[] =>
  extract({ role: 'user', text, timestamp: Date.UTC(2025, 2, 3, 10) }).observations.flatMap(({ fact }) =>
    fact === undefined
      ? []
      : [
          `${fact.subject === 'The user' ? '' : `${fact.subject}: `}${fact.attribute} ${fact.ended ? '≠' : '='} ${fact.value}`,
        ],
  );

describe('sentences of another shape', () => {
  it.each([
    // Fragments
    ['Vegan here, since 2020.', 'diet = vegan'],
    ['Toronto resident since 2011.', 'home = Toronto'],
    ['Vegetarian since school and still going strong!', 'diet = vegetarian'],
    ['Down to 71 kg this morning!', 'weight = 71 kg'],
    ['First week at Osprey Dental done, so tired.', 'employer = Osprey Dental'],
    ['Please note: penicillin allergy.', 'allergy = penicillin'],
    // The value first, or beside its noun
    ['Greetings from Oulu, my home for the last ten years!', 'home = Oulu'],
    ["Nowak, that's my surname.", 'surname = Nowak'],
    ['Fencing is another hobby of mine.', 'hobby = Fencing'],
    ["Beef isn't something I eat.", 'diet = no beef'],
    ['My new doctor, whom I met today, is Dr Osei.', 'doctor = Dr Osei'],
    ['Winters are harsh in Tromsø, where we live.', 'home = Tromsø'],
    ["I'm coming from Lugo, that's where I live.", 'home = Lugo'],
    ['Trieste is where I live.', 'home = Trieste'],
    ["I've changed my email to ada@example.com.", 'email = ada@example.com'],
    ['My number has changed to 555-0119.', 'phone = 555-0119'],
    ["My favourite film isn't Alien any more, it's Arrival.", 'favourite_film = Arrival'],
    ['My new car, a Skoda Octavia, is here!', 'vehicle = Skoda Octavia'],
    ['Anselm and I are back together.', 'partner = Anselm', 'relationship_status = in a relationship'],
    ['Mrs Laidlaw is Wren’s teacher.', 'Wren: teacher = Mrs Laidlaw'],
    // Done to the speaker
    ['The doctor put me on ramipril last year.', 'medication = ramipril'],
    ['They made me a junior editor last spring.', 'job = junior editor'],
    ['Apples give me hives.', 'allergy = apples'],
    ['You can call me on 555-0143, any time after six.', 'phone = 555-0143'],
    // Pronouns whose noun stands before
    ["I can't eat kiwi, I'm allergic to it.", 'allergy = kiwi'],
    ['Try my wife, her number is 555-0188.', "The user's wife: phone = 555-0188"],
    ["Priya stopped nursing, she's a florist now.", 'Priya: job = florist'],
    ["Greta lives in Riga. She's a nurse.", 'Greta: home = Riga', 'Greta: job = nurse'],
    ['My mummy is a nurse.', "The user's mummy: job = nurse"],
    // Words that aren't understood hide nothing behind them
    ['They finally gave me a raise, I’m on 46k now.', 'salary = 46k'],
    ['Noor lives in Basel and Leila lives in Lille.', 'Noor: home = Basel', 'Leila: home = Lille'],
  ])('reads "%s"', (text, ...expected) => {
    expect(saidBy(text)).toEqual(expected);
  });

  it.each([
    'Busy here, and you?',
    'Nothing new here.',
    'Would they put me on ramipril?',
    'They nearly made me a manager.',
    "Don't call me on 555-0143.",
    'Is Trieste where I live?',
    "I had lunch with Sarah. He's a nurse.",
    'My mum thinks I live in Rome.',
    'If they made me a manager, I would quit.',
    "Pizza isn't something I could live without.",
    'The train, which is late, is my last hope.',
    'Thanks Tom, my home is where the heart is.',
    'They let me go first.',
    'Nokia employed me until 2015.',
    'I put Emma down.',
    'Call me on 2024-05-06 12:00.',
    'They transferred me to Bob.',
    'The agent transferred me to sales.',
    'Stress gives me hives.',
    'Tom and I are finished.',
  ])('reads nothing in "%s"', text => {
    expect(saidBy(text)).toEqual([]);
  });
});
