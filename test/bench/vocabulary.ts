/** What the generated speakers talk about: words and frames of our own, no text of a data set. */

export const NAMES = [
  'Maya', 'Oliver', 'Priya', 'Tomas', 'Ingrid', 'Kwame', 'Lucia', 'Hassan', 'Yuki', 'Beatrice', 'Dmitri', 'Amara',
  'Felix', 'Noor', 'Caleb', 'Ximena', 'Ravi', 'Greta', 'Stefan', 'Leila', 'Marcus', 'Anouk', 'Jamal', 'Sofia',
];

export const PLACES = [
  'Lisbon', 'the harbour', 'Kyoto', 'the new library', 'Lake Bled', 'my grandmother\'s farm', 'Oslo', 'the climbing hall',
  'Marrakesh', 'the old bakery', 'Vancouver', 'the community centre', 'Porto', 'a cabin near Tromso', 'the city archive',
  'Buenos Aires', 'the botanical garden', 'Ghent', 'our old school', 'the night market',
];

export const THINGS = [
  'a second-hand violin', 'the pottery course', 'my thesis', 'a vegetable garden', 'the marathon', 'a short film',
  'the job interview', 'a wooden boat', 'the charity concert', 'a photography workshop', 'the adoption papers',
  'a surprise party', 'the kitchen renovation', 'a detective novel', 'the science fair', 'a rescue dog',
  'the choir rehearsal', 'an online bookshop', 'a quilt for the baby', 'the driving test', 'a chess tournament',
  'the volunteer shift', 'a sourdough starter', 'the physics exam', 'an electric bike', 'the family reunion',
];

export const FEELINGS = [
  'proud', 'nervous', 'relieved', 'exhausted', 'grateful', 'excited', 'a bit lost', 'calm', 'hopeful', 'disappointed',
];

export const TIMES = [
  'yesterday', 'last Friday', 'two weeks ago', 'last month', 'this morning', 'next Tuesday', 'on the weekend',
  'in March', 'last summer', 'tomorrow evening', 'on 12 May 2023', 'three days ago', 'since last year',
];

export const ACTIONS = [
  'finished', 'started', 'gave up', 'talked about', 'signed up for', 'paid for', 'dreamed of', 'practised for',
  'told everyone about', 'forgot', 'planned', 'showed me', 'borrowed money for', 'took pictures of',
];

/** `{name}`, `{place}`, `{thing}`, `{feeling}`, `{time}`, `{action}`, and `{rare}` for a word that hardly returns. */
export const FRAMES = [
  'I went to {place} with {name} {time} and we {action} {thing}.',
  'My sister {name} {action} {thing} {time}, and honestly I feel {feeling} about it.',
  'That sounds wonderful, {name}! How long have you been thinking about {thing}?',
  'We are moving to {place} {time}, so I {action} {thing} before the boxes arrive.',
  'I am {feeling} because {name} and I {action} {thing} at {place}.',
  'Do you remember {name} from {place}? They {action} {thing} and opened a studio called {rare}.',
  'Thanks for asking! {time} I {action} {thing}, it took longer than I thought.',
  'My favourite part of {place} was the {rare} exhibition, {name} would have loved it.',
  'The doctor says I should rest, so {thing} has to wait until I am less {feeling}.',
  'I work at {rare} now, and {name} helps me with {thing} every evening.',
  'Wow, {feeling} is exactly how I felt when I {action} {thing} {time}.',
  'We adopted a cat named {rare} {time}; {name} already spoils her.',
  'Have you ever been to {place}? {name} says the {rare} there is worth the trip.',
  'It was {name}\'s birthday {time}, so we {action} {thing} and baked a cake.',
];

export const QUESTIONS = [
  'When did {name} go to {place}?',
  'What did {name} do about {thing}?',
  'Who {action} {thing}?',
  'How did {name} feel about {thing}?',
  'Where did {name} and I go {time}?',
  'What is the cat of {name} called?',
  'Which studio opened at {place}?',
  'What happened at {place} {time}?',
];
