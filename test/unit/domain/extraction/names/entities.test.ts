import { describe, expect, it } from 'vitest';
import { makeRulesExtractor, normaliseLabel } from '../../../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();
const SAID = Date.UTC(2024, 4, 15, 18, 30);
const entities = (text: string, role = 'user'): string[] =>
  extract({ role, text, timestamp: SAID }).entities.map(({ label, kind }) => `${label}/${kind}`);

const FOUND: readonly (readonly [text: string, ...entities: string[]])[] = [
  ['I went to Zurich with Greta.', 'Zurich/place', 'Greta/person'],
  ['Greta called me.', 'Greta/person'],
  ['My friend Zorblax cooks.', 'Zorblax/person'],
  ['I work at Quentacorp.', 'Quentacorp/organization'],
  ['I studied at the University of Oslo.', 'University of Oslo/organization'],
  ['She is a nurse at Riverside Hospital.', 'Riverside Hospital/organization'],
  ['We walked through Elm Park.', 'Elm Park/place'],
  ['We swam in Lake Orta.', 'Lake Orta/place'],
  ['I flew from New York to San Francisco.', 'New York/place', 'San Francisco/place'],
  ['I bought an iPhone 15.', 'iPhone 15/product'],
  ['We run it on Kubernetes and PostgreSQL.', 'Kubernetes/product', 'PostgreSQL/product'],
  ['Dr. Meier examined me.', 'Dr. Meier/person'],
  ["I read Elena Marchetti's letters.", 'Elena Marchetti/person'],
  ['I saw "The Silent Harbor" at home.', 'The Silent Harbor/other'],
  ['Ask @zed_42 about it.', '@zed_42/person'],
  ['Nokia hired my brother.', 'Nokia/organization'],
  ['Thanks, Boris!', 'Boris/person'],
  ['Hey Greta, how are you?', 'Greta/person'],
  ['I met Anna yesterday.', 'Anna/person'],
  ['We hired Bramwell & Hughes for it.', 'Bramwell & Hughes/other'],
  ['Ryanair does it for less.', 'Ryanair/organization'],
  ['I owe Luca 40 euros.', 'Luca/person'],
  ['i live in prague.', 'Prague/place'],
  ['Vivo en Madrid con María.', 'Madrid/place', 'María/person'],
];

/** In lower case, as people write in chats. */
const LOWER: typeof FOUND = [
  ['met ben at the station', 'Ben/person'],
  ['is priya coming to leith or not', 'Priya/person', 'Leith/place'],
  ["we had tea at marguerite's place", 'Marguerite/person'],
  ["at thibaude's till late", 'Thibaude/person'],
  ['aunt perpie sold the shop', 'Perpie/person'],
  ['hey tomasz, are you there?', 'Tomasz/person'],
  ['heyyy tomasz 👋', 'Tomasz/person'],
  ['my sister grace moved to new york', 'Grace/person', 'New York/place'],
  ['his name is thibo', 'Thibo/person'],
  ['i lived in quentham for a year', 'Quentham/place'],
  ['i live in reading now', 'Reading/place'],
  ['welcome to australia', 'Australia/place'],
  ["jonas said he'd come, marta won't", 'Jonas/person', 'Marta/person'],
  ['i heard it on spotify with my iphone', 'Spotify/organization', 'iPhone/product'],
];

const KINDS: typeof FOUND = [
  ["She lives in Zanthe's house.", 'Zanthe/person'],
  ["I met Zanthe's brother.", 'Zanthe/person'],
  ['Is it Zanthe who used to sing?', 'Zanthe/person'],
  ['I live with Zanthe.', 'Zanthe/person'],
  ['Our new Zanthe is in Toronto.', 'Zanthe/other', 'Toronto/place'],
  ['My dog Biscuit barked.', 'Biscuit/other'],
  ['We went to Vester street.', 'Vester/place'],
  ['We met at a pub called Fernsby.', 'Fernsby/place'],
  ['A company called Quentor hired me.', 'Quentor/organization'],
  ['He bought a crate of Quaff.', 'Quaff/product'],
  ['I pay for the Premium Duo plan.', 'Premium Duo/product'],
  ['He grew up in Brittany.', 'Brittany/place'],
  ['Brittany called.', 'Brittany/person'],
  ['He is from the Faroes.', 'Faroes/place'],
  ['We have two Daniels in the team.', 'Daniel/person'],
];

const SPELLED: typeof FOUND = [
  ["She works at Guy's Hospital.", "Guy's Hospital/organization"],
  ['reading Middlemarch by George Eliot', 'Middlemarch/other', 'George Eliot/person'],
  ['See the doc in Notion.', 'Notion/other'],
  ['Ask Zanthe in Finance.', 'Zanthe/person', 'Finance/other'],
  ['Everyone calls me Zanthe.', 'Zanthe/person'],
  ['@Ben Short can you look?', 'Ben Short/person'],
  ['Please ask @Ben Short, he knows.', 'Ben Short/person'],
  ['@Ben Can you look?', 'Ben/person'],
  ['@Zanthe thanks!', 'Zanthe/person'],
  ['@channel and @here, please look at it'],
  ['Here Zanthe said no.', 'Zanthe/other'],
  ['Bring Zanthe some water.', 'Zanthe/other'],
  ['In Ghent, 23 March.', 'Ghent/place'],
  ['Open Settings > Apps > Tunewell.', 'Tunewell/other'],
  ['"Dear Ms. Vargas, it was a pleasure to meet you and your team."', 'Ms. Vargas/person'],
];

// biome-ignore format: one table
const NONE = [
  'Hello there!', 'Thanks a lot!', 'Wow, that is Great!', 'I love Monday mornings.', 'Yes. No. Maybe. Sure.', 'Mom and Dad called.', 'The weather is nice.', 'Painting helps me relax.', 'I watch TV on my PC.',
  'Here: the plan. Bring it. Where? There!', 'The meeting is over, Bring it.', 'WHAT IS THAT', 'NOOOO way', 'Sundays are busy, and so is Easter.', 'It is due on 3 May 2024, or in 2025.',
  'The Q3 numbers are red, and so is the CI.', 'I get a TypeError with NODE_ENV=production for AB-12345.', 'Happy New Year!', 'Coach says hi.',
  'Reading is fun. Nice to see you.', 'i was reading in bath', 'will may come in march?', 'i hope he will mark it', 'my friend will call', "it's my roomate's place", "standup's at ten", 'thanks agian for the help', 'a marie biscuit', 'the turkey was in the oven',
  'Gonna was a word.', "I'm tired. I've slept badly. I'll rest.", 'Ich mag Kuchen und Hunde auf dem Sofa.', 'I AM SO TIRED OF ALL THIS', 'What a day! Such fun! Really!', 'a@b.example', 'We speak German at home.', 'Volunteering is hard.',
];

describe('entities', () => {
  it.each([...FOUND, ...LOWER, ...KINDS, ...SPELLED])('%s', (text, ...expected) => {
    expect(entities(text)).toEqual(expected);
  });

  it.each(NONE)('finds no name in "%s"', text => {
    expect(entities(text)).toEqual([]);
  });

  it('counts the speaker when the role is a name', () => {
    expect(entities('Good morning!', 'Ada')).toEqual(['Ada/person']);
    expect(entities('Good morning!', 'Zoë Müller')).toEqual(['Zoë Müller/person']);
    for (const role of ['user', 'assistant', 'System', 'tool'])
      expect(entities('Good morning!', role)).toEqual([]);
  });

  it('names an entity once, however it is spelled', () => {
    expect(entities('I like Zürich. My home is ZURICH? No, Zurich is home. And Zürich\u2019s lake.')).toEqual(
      ['Zürich/place'],
    );
  });

  it('keeps at most 32 entities of a turn', () => {
    const text = Array.from(
      { length: 90 },
      (_, index) =>
        `I know Qan${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))}.`,
    ).join(' ');
    expect(entities(text)).toHaveLength(32);
  });
});

describe('normaliseLabel', () => {
  it.each([
    ['The Silent Harbor', 'silent harbor'],
    ['Zürich', 'zurich'],
    ['ZURICH', 'zurich'],
    ["Greta's", 'greta'],
    ['Greta’s', 'greta'],
    ['  New   York ', 'new york'],
    ['@Zed_42', '@zed_42'],
    ['C++', 'c++'],
    ['C#', 'c#'],
    ['Москва', 'москва'],
    ['йод', 'йод'],
    ['दिल्ली', 'दिल्ली'],
    ['北京', '北京'],
    ['ＡＢＣ', 'abc'],
    ['!!!', '!!!'],
    ['The', 'the'],
    ['2024-05-14', '2024-05-14'],
  ])('%s → %s', (label, normalised) => {
    expect(normaliseLabel(label)).toBe(normalised);
    expect(normaliseLabel(normalised)).toBe(normalised);
  });
});
