/**
 * Sentences of somebody who tried to break the extractor: nothing in them is a fact, whatever a pattern would
 * see.
 */
import { expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();

const NOTHING = [
  'Other thing, the office want us in on Fridays from now on.',
  'My landlord wants the rent in cash from now on.',
  'Work needs me on Sundays from now on.',
  "I've got cancer treatment questions for a friend.",
  'I have cancer screening on Friday.',
  'I have diabetes in my family.',
  'I have a depression in my mattress.',
  'I have a peanut allergy sign to print.',
  "I'm pregnant with ideas.",
  'I was diagnosed with being awesome.',
  "I'm allergic to meetings, and my boss knows it.",
  'None of my kids are vegetarian.',
  "I'm no doctor, but that looks infected.",
  'I speak no German.',
  "I don't love sushi, I adore it.",
  "I'm divorced from reality.",
  'We broke up the band.',
  'My husband broke up the party.',
  'I got fired up.',
  'I left Google Docs open.',
  'I left Amazon a bad review.',
  'I left Twitter.',
  'My dog died of boredom watching that.',
  'I lost my dog at the park for ten minutes.',
  "I've stopped caring.",
  "I'm seeing Dune tonight.",
  "I'm seeing Taylor Swift in May.",
  'My husband is a Marine.',
  "My boyfriend is Sam's brother.",
  'My wife is Right-handed.',
  'Emma will be my wife.',
  'I got married to the idea of a beach house.',
  "I'm practically married.",
  'My girlfriend used to be my boss.',
  'My sister had a baby.',
  'I live in fear of Mondays.',
  'I live in Terror.',
  'I live in Excel all day.',
  'I moved to Postgres last week.',
  'I moved to Seat 14C.',
  'I live in Berlin in my head.',
  'So I live in Berlin now, apparently, according to my phone.',
  'I live in Boston, I mean Austin.',
  "I'm from HR.",
  "I'm from Google.",
  'I work with Amazon a lot.',
  'I work at an altitude of 3000m.',
  'I joined Facebook in 2008.',
  'Working at Dell sucks.',
  "I'm a doctor on TV.",
  "I'm basically a lawyer at this point.",
  "I'm a bad cook.",
  "I'm a nurse, sorry, I meant my wife is a nurse.",
  "I'm a former nurse.",
  'I have a hot dog for lunch.',
  'I bought my dog a Tesla.',
  'My next car is a Tesla.',
  "By the time I'm 40 I want to live in France.",
  'I love Lucy is my favorite show.',
  'I prefer not to say.',
  'My favorite band used to be Oasis.',
  'My neighbor is moving to Canada if the election goes badly.',
  "I don't eat fish on Mondays.",
  "I'm vegan until 6pm.",
];

it.each(NOTHING)('concludes nothing from "%s"', text => {
  const said = extract({ role: 'user', text, timestamp: Date.UTC(2025, 2, 3, 10) }).observations;
  expect(
    said.flatMap(({ fact }) => (fact === undefined ? [] : [`${fact.attribute} = ${fact.value}`])),
  ).toEqual([]);
});
