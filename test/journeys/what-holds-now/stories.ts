/** Stories: what people say over time, and what they ask then. Each is of a user of its own. */

export interface Story {
  name: string;
  /** Role, text and when it was said; written in this order. */
  turns: readonly (readonly [role: string, text: string, timestamp: string])[];
  asks: readonly {
    q: string;
    /** The text that the first turn contains. */
    first: string;
    /** Texts of turns that say what no longer holds: where they are hits, they say so. */
    old?: readonly string[];
    /** Texts of turns of which only the ranking says that the first one is later. */
    later?: readonly string[];
  }[];
  /** The values that hold of an attribute, in any order, in `GET /memory/facts`. */
  holds?: Readonly<Record<string, readonly string[]>>;
  /** The relations of a name to others now: attributes of the facts whose value names it. */
  relations?: Readonly<Record<string, readonly string[]>>;
}

const day = (month: number, date = 5): string =>
  `2026-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}T09:00:00Z`;

const TALK = [
  ['user', 'The weather was lovely on Sunday.', day(3, 9)],
  ['user', 'I watched a film about whales yesterday.', day(4, 9)],
  ['user', 'My back hurts a bit from gardening.', day(4, 19)],
] as const;

const user = (text: string, at: string) => ['user', text, at] as const;

export const STORIES: readonly Story[] = [
  {
    name: 'a move',
    turns: [user('I moved to Lisbon.', day(1)), ...TALK, user('I moved to Porto.', day(6))],
    asks: [{ q: 'Where do I live?', first: 'Porto', old: ['I moved to Lisbon.'] }],
    holds: { home: ['Porto'] },
  },
  {
    name: 'the example of the client',
    turns: [
      ['Ada', 'I moved to Lyon last week.', day(2)],
      ['Ada', 'The museum here is great.', day(2, 8)],
    ],
    asks: [{ q: 'Where does Ada live?', first: 'Lyon' }],
    holds: { home: ['Lyon'] },
  },
  {
    name: 'a gym that is cancelled like a subscription',
    turns: [user('I train at Ironbark.', day(1)), ...TALK, user("I've cancelled Ironbark.", day(5))],
    asks: [{ q: 'Which gym do I train at?', first: 'cancelled', old: ['I train at Ironbark.'] }],
    holds: { gym: [], subscription: [] },
  },
  {
    name: 'a husband of whom only the name is said',
    turns: [user("My husband's name is Arthur.", day(1)), user('Arthur died on Thursday.', day(5))],
    asks: [{ q: 'What is the name of my husband?', first: 'Arthur', old: ["My husband's name is Arthur."] }],
    holds: { partner: [] },
  },
  {
    name: 'a neighbour with the name of a daughter',
    turns: [user('My daughter is called Greta.', day(1)), user('My neighbour Greta moved away.', day(5))],
    asks: [],
    holds: { child: ['Greta'] },
  },
  {
    name: 'a job with an end',
    turns: [user("I've got a job at the post office until 31 May.", day(1))],
    asks: [],
    holds: { employer: [] },
  },
  {
    name: 'an end that was announced',
    turns: [user('I work at Acme.', day(1)), user("I'm leaving Acme on 30 April.", day(2))],
    asks: [],
    holds: { employer: [] },
  },
  {
    name: 'another job',
    turns: [user('I work as a nurse.', day(1)), ...TALK, user('I got a new job as a paramedic.', day(5))],
    asks: [{ q: 'What is my job?', first: 'paramedic', old: ['I work as a nurse.'] }],
    holds: { job: ['paramedic'] },
  },
  {
    name: 'another employer',
    turns: [
      user('I work at Acme.', day(1)),
      ...TALK,
      user('I quit my job at Acme.', day(5)),
      user('I started at Globex.', day(6)),
    ],
    asks: [{ q: 'Which company do I work for?', first: 'Globex', old: ['I work at Acme.'] }],
    holds: { employer: ['Globex'] },
  },
  {
    name: 'no employer',
    turns: [user('I work at Acme.', day(1)), ...TALK, user('I quit my job at Acme.', day(5))],
    asks: [{ q: 'Do I work at Acme?', first: 'quit', old: ['I work at Acme.'] }],
    holds: { employer: [] },
  },
  {
    name: 'a break',
    turns: [user('My boyfriend Tom cooked for us.', day(1)), ...TALK, user('Tom and I broke up.', day(5))],
    asks: [{ q: 'Who is my boyfriend?', first: 'broke up' }],
    holds: { partner: [] },
  },
  {
    name: 'a new partner',
    turns: [
      user('I am dating Tom.', day(1)),
      user('I broke up with Tom.', day(3)),
      ...TALK,
      user('I am dating Leo.', day(6)),
    ],
    asks: [{ q: 'Who am I dating?', first: 'Leo', old: ['I am dating Tom.'] }],
    holds: { partner: ['Leo'] },
  },
  {
    name: 'no longer vegan',
    turns: [user("I'm vegan.", day(1)), ...TALK, user("I'm no longer vegan.", day(5))],
    asks: [{ q: 'Am I vegan?', first: 'no longer', old: ["I'm vegan."] }],
    holds: { diet: [] },
  },
  {
    name: 'another diet',
    turns: [user('I am a vegetarian.', day(1)), ...TALK, user('I went vegan.', day(5))],
    asks: [{ q: 'What is my diet?', first: 'vegan', old: ['I am a vegetarian.'] }],
    holds: { diet: ['vegan'] },
  },
  {
    name: 'a correction',
    turns: [user('I live in Leeds.', day(5, 1)), user('Sorry, I live in Bradford.', day(5, 2))],
    asks: [{ q: 'Where do I live?', first: 'Bradford', old: ['I live in Leeds.'] }],
    holds: { home: ['Bradford'] },
  },
  {
    name: 'another boss',
    turns: [user('My boss is Ana.', day(1)), ...TALK, user('My new boss is Karl.', day(5))],
    asks: [{ q: 'Who is my manager?', first: 'Karl', old: ['My boss is Ana.'] }],
    holds: { boss: ['Karl'] },
    relations: { karl: ['boss'], Ana: [] },
  },
  {
    name: 'another favourite',
    turns: [
      user('My favourite colour is blue.', day(1)),
      ...TALK,
      user('My favourite colour is green now.', day(5)),
    ],
    asks: [{ q: 'What is my favourite colour?', first: 'green', old: ['My favourite colour is blue.'] }],
    holds: { favourite_colour: ['green'] },
  },
  {
    name: 'a car that was sold',
    turns: [user('I drive a Fiat.', day(1)), ...TALK, user('I sold my Fiat.', day(5))],
    asks: [{ q: 'What car do I drive?', first: 'sold', old: ['I drive a Fiat.'] }],
    holds: { vehicle: [] },
  },
  {
    name: 'another car',
    turns: [user('I drive a Fiat.', day(1)), ...TALK, user('I bought a Volvo.', day(5))],
    asks: [{ q: 'What car do I drive?', first: 'Volvo', old: ['I drive a Fiat.'] }],
    holds: { vehicle: ['Volvo'] },
  },
  {
    name: 'another number',
    turns: [
      user('My phone number is 555 0100.', day(1)),
      ...TALK,
      user('My new phone number is 555 0199.', day(5)),
    ],
    asks: [{ q: 'What is my phone number?', first: '0199', old: ['My phone number is 555 0100.'] }],
    holds: { phone: ['555 0199'] },
  },
  {
    name: 'pets that add up',
    turns: [
      user('We adopted a greyhound called Comet.', day(1)),
      ...TALK,
      user('We adopted a cat called Luna.', day(5)),
    ],
    asks: [{ q: 'What is my cat called?', first: 'Luna' }],
    holds: { pet: ['Comet', 'Luna'] },
  },
  {
    name: 'allergies that add up, and one that ended',
    turns: [
      user('I am allergic to peanuts.', day(1)),
      user('I am allergic to cats.', day(2)),
      ...TALK,
      user('I am no longer allergic to cats.', day(5)),
    ],
    asks: [{ q: 'Am I allergic to cats?', first: 'no longer', old: ['I am allergic to cats.'] }],
    holds: { allergy: ['peanuts'] },
  },
  {
    name: 'a plan that came true',
    turns: [
      user('I live in Rome.', day(1)),
      user('I am moving to Berlin in May.', day(3)),
      ...TALK,
      user('I moved to Berlin.', day(5, 20)),
    ],
    asks: [{ q: 'Where do I live?', first: 'I moved to Berlin', old: ['I live in Rome.'] }],
    holds: { home: ['Berlin'] },
  },
  {
    name: 'a plan that stayed one',
    turns: [user('I live in Rome.', day(1)), ...TALK, user('I am thinking of moving to Paris.', day(5))],
    asks: [{ q: 'Where do I live?', first: 'Rome' }],
    holds: { home: ['Rome'] },
  },
  {
    name: 'two people with one first name',
    turns: [user('Ana Costa lives in Rome.', day(1)), ...TALK, user('Ana Silva lives in Paris.', day(5))],
    asks: [
      { q: 'Where does Ana Costa live?', first: 'Rome' },
      { q: 'Where does Ana Silva live?', first: 'Paris' },
    ],
    holds: { home: ['Rome', 'Paris'] },
  },
  {
    name: 'a question about the past',
    turns: [user('I moved to Lisbon.', day(1)), ...TALK, user('I moved to Porto.', day(6))],
    asks: [{ q: 'Where did I live before Porto?', first: '', old: ['I moved to Lisbon.'] }],
  },
  {
    name: 'an import out of order',
    turns: [user('I moved to Porto.', day(6)), ...TALK, user('I moved to Lisbon.', day(1))],
    asks: [{ q: 'Where do I live?', first: 'Porto', old: ['I moved to Lisbon.'] }],
    holds: { home: ['Porto'] },
  },
  {
    name: 'told late',
    turns: [user('I moved to Madrid in April.', day(5)), user('I moved to Vienna in February.', day(6))],
    asks: [{ q: 'Where do I live?', first: 'Madrid', old: ['I moved to Vienna in February.'] }],
    holds: { home: ['Madrid'] },
  },
  {
    name: 'said twice',
    turns: [user('I live in Oslo.', day(1)), ...TALK, user('I still live in Oslo.', day(5))],
    asks: [{ q: 'Where do I live?', first: 'Oslo' }],
    holds: { home: ['Oslo'] },
  },
  {
    name: 'back again',
    turns: [
      user('I moved to Lisbon.', day(1)),
      user('I moved to Porto.', day(3)),
      ...TALK,
      user('I moved back to Lisbon.', day(6)),
    ],
    asks: [{ q: 'Where do I live?', first: 'Lisbon', old: ['I moved to Porto.'] }],
    holds: { home: ['Lisbon'] },
  },
  {
    name: "a sister's home",
    turns: [user('I live in Milan.', day(1)), ...TALK, user('My sister lives in Naples.', day(5))],
    asks: [
      { q: 'Where do I live?', first: 'Milan' },
      { q: 'Where does my sister live?', first: 'Naples' },
    ],
    holds: { home: ['Milan', 'Naples'] },
  },
  {
    name: "somebody else's employer",
    turns: [user('Ben works at Initech.', day(1)), ...TALK, user('Ben works at Hooli now.', day(5))],
    asks: [{ q: 'Where does Ben work?', first: 'Hooli', old: ['Ben works at Initech.'] }],
    holds: { employer: ['Hooli'] },
  },
  {
    name: "somebody else's move",
    turns: [
      ['Ada', 'Grace moved to Lisbon in March.', day(4)],
      ['Ada', 'I had soup for lunch.', day(4, 6)],
      ['Ada', 'Grace moved to Madrid last week.', day(7)],
    ],
    asks: [{ q: 'Where does Grace live?', first: 'Madrid', old: ['Grace moved to Lisbon in March.'] }],
    holds: { home: ['Madrid'] },
  },
  {
    name: 'one person with two names',
    turns: [
      ['Ada', 'Melanie moved to Lisbon in March.', day(4)],
      ['Ada', 'I had soup for lunch.', day(4, 6)],
      ['Ada', 'Mel moved to Madrid last week.', day(7)],
    ],
    asks: [{ q: 'Where does Melanie live?', first: 'Madrid', old: ['Melanie moved to Lisbon in March.'] }],
    holds: { home: ['Madrid'] },
  },
  {
    name: 'a promotion',
    turns: [
      user('I work as a waiter.', day(1)),
      ...TALK,
      user('I got promoted to restaurant manager.', day(5)),
    ],
    asks: [{ q: 'What do I do for a living?', first: 'manager', old: ['I work as a waiter.'] }],
    holds: { job: ['restaurant manager'] },
  },
  {
    name: 'what to be called',
    turns: [user('Call me Al.', day(1)), ...TALK, user('Please call me Alex.', day(5))],
    asks: [{ q: 'What is my nickname?', first: 'Alex', old: ['Call me Al.'] }],
    holds: { nickname: ['Alex'] },
  },
  {
    name: 'an instrument that was given up',
    turns: [user('I play the piano.', day(1)), ...TALK, user('I gave up the piano.', day(5))],
    asks: [{ q: 'Which instrument do I play?', first: 'gave up', old: ['I play the piano.'] }],
    holds: { instrument: [] },
  },
  {
    name: 'another subject',
    turns: [user('I study biology.', day(1)), ...TALK, user('I study chemistry now.', day(5))],
    asks: [{ q: 'What do I study?', first: 'chemistry', old: ['I study biology.'] }],
    holds: { studies: ['chemistry'] },
  },
  {
    name: 'another gym',
    turns: [user('My gym is Fit4You.', day(1)), ...TALK, user('My gym is now Iron House.', day(5))],
    asks: [{ q: 'Which gym do I go to?', first: 'Iron House', old: ['My gym is Fit4You.'] }],
    holds: { gym: ['Iron House'] },
  },
  {
    name: 'a new value in passing',
    turns: [
      user('I buy my bread at Hansen, the one with the long queue.', day(1)),
      ...TALK,
      user('Hansen has closed, so I buy my bread at Molina now.', day(5)),
    ],
    asks: [
      {
        q: 'Where do I buy my bread?',
        first: 'Molina now',
        later: ['I buy my bread at Hansen, the one with the long queue.'],
      },
    ],
  },
  {
    name: 'what somebody else does',
    turns: [
      user('I buy my bread at Hansen, the one with the long queue.', day(1)),
      ...TALK,
      user('My sister buys her bread at Molina.', day(5)),
    ],
    asks: [{ q: 'Where do I buy my bread?', first: 'Hansen' }],
  },
];
