import { describe, expect, it } from 'vitest';
import type { SaidOfNames } from '../../../../../domain/facts/names/names.ts';
import { ownNames, ownNamesSet, withOwnNames } from '../../../../../domain/facts/names/own-names.ts';
import { peopleOf } from '../../../../../domain/facts/names/people.ts';
import { kinSaid } from '../../../../../domain/facts/names/said-of.ts';

/** A fact about a subject in the words that were said: "Alex: The user's brother Alex lives in Oslo." */
const saying = (words: string, session = 's1') => {
  const [, subject = '', text = ''] = /^(.*?): (.*)$/.exec(words)!;
  return { fact: { subject, subjectId: `ent_${subject}` }, text, role: 'user', session };
};
const BROTHER = "Alex: The user's brother Alex lives in Oslo.";
const BOSS = "Alex: The user's boss Alex lives in Rome.";
const BARE = 'Alex: Alex moved to Bergen.';
const UNNAMED = "The user's brother: The user's brother is a nurse.";

/** The label of whom each of these is said. */
const labels = (said: readonly string[], known: Parameters<typeof peopleOf>[1] = {}): string[] => {
  const all = said.map(one => saying(one));
  const people = peopleOf(all, known);
  return all.map(one => people.of(one).label);
};

describe('people', () => {
  it('are one by name and by relation, while one relation goes with the name', () => {
    expect(labels([BROTHER, BARE, UNNAMED])).toEqual(['Alex', 'Alex', 'Alex']);
    expect(labels(["Ruth: The user's mum Ruth is 60.", 'Ruth: My mother Ruth is 61.'])).toEqual([
      'Ruth',
      'Ruth',
    ]);
    expect(labels([UNNAMED, BARE], { kin: ["The user's bro Alex"] })).toEqual(['Alex', 'Alex']);
  });

  it('of one name are two where their relations differ, and the bare name is neither', () => {
    const [brother, boss] = ["The user's brother Alex", "The user's boss Alex"];
    expect(labels([BROTHER, BOSS, BARE, UNNAMED])).toEqual([brother, boss, 'Alex', brother]);
    expect(labels([BROTHER], { kin: [boss] })).toEqual([brother]);
    expect(labels(["Jo: The user's wife Jo is 40.", "Jo: The user's ex wife Jo is 50."])).toEqual([
      "The user's wife Jo",
      "The user's ex wife Jo",
    ]);
    // Whose relative it is makes no difference by itself: a wife of one is a mother of another.
    expect(labels(["Jo: Tom's wife Jo is 40.", "Jo: Mia's mother Jo is 40."])).toEqual(['Jo', 'Jo']);
  });

  it('are told apart by a surname, which a first name with the relation finds', () => {
    expect(
      labels([
        "Anna Keller: The user's sister Anna Keller lives in Graz.",
        "Anna Novak: The user's colleague Anna Novak lives in Brno.",
        "Anna: The user's sister Anna sings.",
      ]),
    ).toEqual(['Anna Keller', 'Anna Novak', 'Anna Keller']);
  });

  it('of a relation that several have are not guessed', () => {
    const kin = ["The user's brother Alex", "The user's brother Tom"];
    expect(labels([UNNAMED], { kin })).toEqual(["The user's brother"]);
    expect(
      labels(["The user's older brother: The user's older brother is 40."], { kin: kin.slice(1) }),
    ).toEqual(["The user's older brother"]);
  });

  it('are split by session, with what is stored under one id decided together', () => {
    const split: SaidOfNames = {
      ...ownNamesSet([]),
      me: undefined,
      entity: 'Alex',
      names: ['Alex'],
      split: ['Alex Novak'],
      sessions: ['work'],
    };
    const said = [saying(BARE, 'work'), saying(BARE, 'family')];
    const people = peopleOf(said, { corrections: [split] });
    expect(said.map(one => people.of(one).label)).toEqual(['Alex Novak', 'Alex']);
    expect(people.together('ent_Alex').toSorted()).toEqual(['alex novak', 'ent_Alex']);
    expect(people.named('Alex Novak').map(({ label }) => label)).toEqual(['Alex Novak']);
  });

  it('keep a correction that sets a name and its relation apart', () => {
    const apart: SaidOfNames = {
      ...ownNamesSet([]),
      me: undefined,
      entity: 'Alex',
      split: ["The user's brother Alex"],
      names: ['Alex'],
    };
    expect(labels([BROTHER, BARE], { corrections: [apart] })).toEqual(["The user's brother Alex", 'Alex']);
  });
});

describe("a user's own names", () => {
  it('are one subject with the user, whose relatives are theirs', () => {
    const corrections = [ownNamesSet(['Priya', 'Pri'])];
    expect(
      labels(
        [
          'The user: The user lives in Lyon.',
          'Priya: Priya lives in Porto.',
          'Pri: Pri is 40.',
          "Priya's brother: Priya's brother is a nurse.",
          BROTHER,
        ],
        { corrections },
      ),
    ).toEqual(['Priya', 'Priya', 'Priya', 'Alex', 'Alex']);
    expect(peopleOf([saying('Pri: Pri is 40.')], { corrections, into: 'any' }).me).toBe('user');
    expect(peopleOf([saying('Pri: Pri is 40.')]).me).toBeUndefined();
  });

  it('are those that were set last; a name that is dropped is split off', () => {
    const set = [ownNamesSet(['Priya', 'Pri']), ownNamesSet(['Pri'])];
    expect(ownNames(set)).toEqual(['Pri']);
    expect(withOwnNames(set).filter(({ split }) => split.length > 0)).toMatchObject([{ split: ['Priya'] }]);
    expect(labels(['Priya: Priya is 40.', 'The user: The user is 30.'], { corrections: set })).toEqual([
      'Priya',
      'Pri',
    ]);
  });
});

it('reads relatives in the facts that name them', () => {
  const named = (text: string, attribute: string, value: string) => ({
    ...saying(`The user: ${text}`),
    fact: { subject: 'The user', subjectId: 'ent_1', attribute, value },
  });
  expect(
    kinSaid([
      named("The user's brother is called Alex.", 'sibling', 'Alex'),
      named('The user has two brothers, Jon and Pat.', 'sibling', 'Jon'),
      named('The user has a dog named Rex.', 'pet', 'Rex'),
      named('The user has two children.', 'child', 'two'),
      named('The user lives in Oslo.', 'home', 'Oslo'),
    ]),
  ).toEqual(["The user's brother Alex", "The user's brother Jon", "The user's dog Rex"]);
});
