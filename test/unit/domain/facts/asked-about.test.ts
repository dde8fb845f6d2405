import { describe, expect, it } from 'vitest';
import { factAskedFor } from '../../../../domain/facts/asked-about.ts';
import { ATTRIBUTES, attributesAskedFor, holdsOne } from '../../../../domain/facts/attributes.ts';
import { factKey } from '../../../../domain/facts/stored-fact.ts';
import { asksAboutPast } from '../../../../domain/language/query/asks-past.ts';

const said = (subject: string, attribute: string, role = 'user') => ({
  role,
  text: `${subject}: ${attribute}`,
  person: { id: `ent_${subject}`, label: subject, names: [subject] },
  fact: {
    subjectId: `ent_${subject}`,
    subject,
    attribute,
    value: 'x',
    ended: false,
    stance: 'holds' as const,
  },
});

describe('the attribute that a question asks for', () => {
  it.each([
    ['Where do I live?', 'home'],
    ['Which city does Ada live in now?', 'home'],
    ['What is my current address?', 'address'],
    ["What's Ben's job?", 'job'],
    ['What does Ben do for a living?', 'job'],
    ['Which company does Ada work for?', 'employer'],
    ['Who is my boss these days?', 'boss'],
    ['Who is Ada married to?', 'partner'],
    ['Am I still vegan?', 'diet'],
    ['What am I allergic to?', 'allergy'],
    ['What is my favorite color?', 'favourite_colour'],
    ['When is my birthday?', 'birthday'],
    ['What car does Leo drive?', 'vehicle'],
    ['Which languages do I speak?', 'language'],
    ['What instrument do I play?', 'instrument'],
    ['Do I like Thai food?', 'likes'],
    ['Does Ada still hate mushrooms?', 'dislikes'],
    ['What does Ada enjoy?', 'likes'],
  ])('%s', (question, attribute) => expect(attributesAskedFor(question)).toContain(attribute));

  it.each([
    'What did Caroline paint?',
    'How was the concert?',
    'Would you like some tea?',
    'Tell me about the trip to Peru',
    '',
  ])('is none where no attribute is asked for: %s', question =>
    expect(attributesAskedFor(question)).toEqual([]),
  );

  it('is of a table of forty at least, in which each name is there once', () => {
    const names = ATTRIBUTES.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
  });

  it('holds one value or several, and of an unknown one several', () => {
    expect(['home', 'favourite_song'].map(holdsOne)).toEqual([true, true]);
    expect(['allergy', 'shoe_colour', 'constructor'].map(holdsOne)).toEqual([false, false, false]);
  });
});

/** The attribute and the person that a question asks for. */
const keyAskedFor = (question: string, facts: readonly ReturnType<typeof said>[]): string | undefined => {
  const found = factAskedFor(question, facts);
  return found && factKey(found.fact);
};

describe('whose attribute a question asks for', () => {
  const mine = said('The user', 'home');
  const sisters = said("The user's sister", 'home');
  const ana = said('Ana Costa', 'home');
  const other = said('Ana Silva', 'home');
  const all = [mine, sisters, ana, other];

  it.each([
    ['Where do I live?', 'home/ent_The user'],
    ['Where does my sister live?', "home/ent_The user's sister"],
    ['Where does Ana Costa live?', 'home/ent_Ana Costa'],
    ['where does ana silva live', 'home/ent_Ana Silva'],
    ['Where does my brother live?', undefined],
    ['Where does Karl live?', undefined],
    ['Who lives in Rome?', undefined],
  ])('%s', (question, key) => expect(keyAskedFor(question, all)).toBe(key));

  it('is none where several would fit, and none of an attribute with several values', () => {
    expect(keyAskedFor('Where do Ana Costa and Ana Silva live?', all)).toBeUndefined();
    expect(keyAskedFor('What am I allergic to?', [said('The user', 'allergy')])).toBeUndefined();
  });

  it("is the asker's own where the question names what an attribute is called", () => {
    expect(keyAskedFor('Who is my boss?', [said('The user', 'boss')])).toBe('boss/ent_The user');
  });
});

describe('whom a question names', () => {
  const of = (names: string[], value: string, attribute = 'home') => {
    const one = said(names[0]!, attribute);
    const text = `The user's ${attribute} is called ${value}.`;
    return { ...one, text, fact: { ...one.fact, value }, person: { id: names[0]!, label: names[0]!, names } };
  };
  const brother = of(["The user's brother Alex"], 'Oslo');
  const boss = of(["The user's boss Alex"], 'Rome');
  const uncle = of(['Paul', "The user's uncle Paul"], 'Lima');

  it.each([
    ['Where does my brother Alex live?', 'Oslo'],
    ['Where does my boss live?', 'Rome'],
    ['Where does uncle Paul live?', 'Lima'],
    ['Where does Paul live?', 'Lima'],
    // Two are called so.
    ['Where does Alex live?', undefined],
    ['Where does my sister Alex live?', undefined],
  ])('%s', (question, value) =>
    expect(factAskedFor(question, [brother, boss, uncle])?.fact.value).toBe(value),
  );

  it('is the relative by name, where one is known, and the user under any of the own names', () => {
    const dog = { ...said('The user', 'pet'), text: "The user's dog is called Rex." };
    dog.fact.value = 'Rex';
    const cat = { ...said('The user', 'pet'), text: "The user's cat is called Miso." };
    cat.fact.value = 'Miso';
    const other = { ...dog, fact: { ...dog.fact, value: 'Bo' } };
    expect(factAskedFor('What is my dog called?', [dog, cat])).toBe(dog);
    expect(factAskedFor('What is my dog called?', [dog, cat, other])).toBeUndefined();
    const mine = {
      ...said('Priya', 'home', 'Priya'),
      person: { id: 'me', label: 'Priya', names: ['Priya'] },
    };
    expect(factAskedFor('Where do I live?', [mine, said('Tom', 'home', 'Tom')], 'me')).toBe(mine);
  });
});

describe('a question about the past', () => {
  it.each([
    'Where did I live before Porto?',
    'Where did I live?',
    'What was my job?',
    'Who was her boss?',
    'Where did Ada use to work, who used to be her boss?',
    'What is my old address?',
    'Where did I live in 2019?',
    'Has my address changed?',
  ])('%s', question => expect(asksAboutPast(question)).toBe(true));
  it.each([
    'Where do I live?',
    'What is my job?',
    'Where did I move to?',
    'Who is my boss now?',
    'Am I vegan?',
  ])('not: %s', question => expect(asksAboutPast(question)).toBe(false));
});
