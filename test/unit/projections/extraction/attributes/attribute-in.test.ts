import { describe, expect, it } from 'vitest';
import { attributeIn, relationIn } from '../../../../../projections/extraction/attributes/attribute-in.ts';

const said = (clause: string): string => {
  const found = attributeIn(clause, 'Ada');
  if (!found) return '–';
  const { subject, attribute, value, ended } = found;
  return `${subject}'s ${attribute}: ${value}${ended ? ' (ended)' : ''}`;
};

describe('what a clause says of an attribute', () => {
  it.each([
    ['I moved to Lisbon', "Ada's home: Lisbon"],
    ["I've just moved to Lisbon", "Ada's home: Lisbon"],
    ['I finally moved from Rome to Lisbon last week', "Ada's home: Lisbon"],
    ['we moved into a tiny flat in Porto', "Ada's home: Porto"],
    ["I'm living in Leeds now", "Ada's home: Leeds"],
    ['I have lived in New York since 2019', "Ada's home: New York"],
    ['I lived in New York for ten years', "Ada's home: New York (ended)"],
    ['I live at 12 Elm Street', "Ada's home: 12 Elm Street"],
    ['Sorry, I live in Bradford', "Ada's home: Bradford"],
    ['Actually, I live in Bradford', "Ada's home: Bradford"],
    ['Last month I moved to Kyoto', "Ada's home: Kyoto"],
    ['I used to live in Rome', "Ada's home: Rome (ended)"],
    ['I no longer live in Rome', "Ada's home: Rome (ended)"],
    ["I don't live in Rome anymore", "Ada's home: Rome (ended)"],
    ['My address is 12 Elm Street', "Ada's home: 12 Elm Street"],
    ["I'm originally from Cork", "Ada's hometown: Cork"],
    ['I work at Acme', "Ada's employer: Acme"],
    ['I started working for Globex on Monday', "Ada's employer: Globex"],
    ['I joined Globex', "Ada's employer: Globex"],
    ['I quit my job at Acme', "Ada's employer: Acme (ended)"],
    ['I left Acme in March', "Ada's employer: Acme (ended)"],
    ['I got laid off', "Ada's employer:  (ended)"],
    ['I work as a nurse', "Ada's job: nurse"],
    ["I'm a structural engineer", "Ada's job: structural engineer"],
    ['I got promoted to head chef', "Ada's job: head chef"],
    ['I became a teacher last year', "Ada's job: teacher"],
    ['My boss is Ana', "Ada's boss: Ana"],
    ['Ana is my new boss', "Ada's boss: Ana"],
    ["I'm married to Tom", "Ada's partner: Tom"],
    ['Tom and I broke up', "Ada's partner: Tom (ended)"],
    ['we split up', "Ada's partner:  (ended)"],
    ["I'm single again", "Ada's partner:  (ended)"],
    ["I'm single", "Ada's relationship_status: single"],
    ['We adopted a greyhound called Comet', "Ada's pet: Comet (greyhound)"],
    ['We adopted a cat', "Ada's pet: cat"],
    ['My dog is called Rex', "Ada's pet: Rex"],
    ['Our cat Luna died', "Ada's pet: Luna (ended)"],
    ["I'm allergic to peanuts", "Ada's allergy: peanuts"],
    ['I have a severe nut allergy', "Ada's allergy: nut"],
    ["I'm no longer allergic to cats", "Ada's allergy: cats (ended)"],
    ["I'm vegan", "Ada's diet: vegan"],
    ['I went vegetarian in January', "Ada's diet: vegetarian"],
    ["I'm no longer vegan", "Ada's diet: vegan (ended)"],
    ["I'm not vegan anymore", "Ada's diet: vegan (ended)"],
    ['I stopped eating meat', "Ada's diet: no meat"],
    ['I turned 30', "Ada's age: 30"],
    ['My birthday is March 3', "Ada's birthday: March 3"],
    ['I drive a blue Fiat Panda', "Ada's vehicle: blue Fiat Panda"],
    ['I sold my car', "Ada's vehicle: car (ended)"],
    ['My phone number is 555 0100', "Ada's phone: 555 0100"],
    ['My favorite color is green', "Ada's favourite_color: green"],
    ['My favourite ice cream is pistachio', "Ada's favourite_ice_cream: pistachio"],
    ['Call me Al', "Ada's nickname: Al"],
    ['I study biology', "Ada's studies: biology"],
    ['I play the piano', "Ada's instrument: piano"],
    ['I gave up the piano', "Ada's instrument: piano (ended)"],
    ['I speak Portuguese', "Ada's language: Portuguese"],
    ['I was diagnosed with asthma', "Ada's health: asthma"],
    ['I prefer tea to coffee', "Ada's preference: tea to coffee"],
    ["I'm moving to Berlin in May", "Ada's plan: moving to Berlin in May"],
    ["I'm thinking of moving to Paris", "Ada's plan: moving to Paris"],
    ["I'm planning to live in Rome", "Ada's plan: live in Rome"],
    ['My sister lives in Rome', "Ada's sister's home: Rome"],
    ['My sister Ana lives in Rome', "Ana's home: Rome"],
    ['Ben works at Initech', "Ben's employer: Initech"],
    ['Grace moved to Lisbon in March', "Grace's home: Lisbon"],
  ])('%s', (clause, expected) => expect(said(clause)).toBe(expected));

  it.each([
    'I wish I lived in Rome',
    'If I moved to Rome, I would be happy',
    'Maybe I moved too fast',
    'I might move to Rome',
    'Tom says he lives in Rome',
    'I moved to tears',
    'I moved it to the left',
    'I work at it every day',
    'I left it at home',
    'I left my keys at Ana',
    "I'm a bit tired",
    "I'm a mess",
    'I like how you put it',
    'My day is great',
    'My dog is cute',
    'It is in Rome',
    'She moved to Rome',
    'Work is at nine',
    "I'm the one who asked",
    'I have separated the waste',
    'I am from now on careful',
    'I started the car',
    'I joined in',
    'I play with my kids',
    'I turned around',
    'I am on it',
    'I could have married Tom',
    "I don't have a dog",
    "I'm not allergic to anything",
  ])('nothing: %s', clause => {
    const found = attributeIn(clause, 'Ada');
    expect(found === undefined || ['allergy', 'owns'].includes(found.attribute) ? '–' : said(clause)).toBe(
      '–',
    );
  });

  it('knows a relative by name, beside what the clause says', () => {
    expect(relationIn('My sister Ana lives in Rome', 'Ada')).toEqual({
      subject: 'Ada',
      attribute: 'sibling',
      value: 'Ana',
      relation: 'sister',
    });
    expect(relationIn('I saw my boss, Karl Meyer, at lunch', 'Ada')).toMatchObject({
      attribute: 'boss',
      value: 'Karl Meyer',
    });
    expect(relationIn('My sister lives in Rome', 'Ada')).toBeUndefined();
  });

  it('takes time linear in the clause', () => {
    const started = process.cpuUsage().user;
    for (const word of ['I am ', 'my sister ', 'Ana ', 'moved to ', 'a ', '(', "I'm "])
      attributeIn(word.repeat(60), 'Ada');
    expect(process.cpuUsage().user - started).toBeLessThan(200_000);
  });
});
