import { describe, expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();
/** A Wednesday. */
const SAID = Date.UTC(2024, 4, 15, 18, 30);
const facts = (role: string, text: string): string[] =>
  extract({ role, text, timestamp: SAID }).observations.map(({ text }) => text);

const KEPT: readonly (readonly [role: string, text: string, ...facts: string[]])[] = [
  ['Ada', "I'm vegan.", 'Ada is vegan.'],
  ['Ada', 'I have two cats.', 'Ada has two cats.'],
  ['Ada', 'I work at a bakery.', 'Ada works at a bakery.'],
  ['Ada', 'I teach chemistry and coach a rowing club.', 'Ada teaches chemistry and coaches a rowing club.'],
  ['Ada', 'I practice and train every day.', 'Ada practices and trains every day.'],
  ['Ada', 'I also really enjoy opera.', 'Ada also really enjoys opera.'],
  ['Ada', "I don't drink coffee.", "Ada doesn't drink coffee."],
  ['Ada', "I haven't finished my thesis.", "Ada hasn't finished their thesis."],
  ['Ada', "I've been learning Danish.", 'Ada has been learning Danish.'],
  ['Ada', "I'd never seen snow before.", 'Ada had never seen snow before.'],
  ['Ada', "I'd buy a smaller car.", 'Ada would buy a smaller car.'],
  ['Ada', "I'll bring the drums.", 'Ada will bring the drums.'],
  ['Ada', 'I was born in Oslo.', 'Ada was born in Oslo.'],
  ['Ada', 'I carry my harp everywhere.', 'Ada carries their harp everywhere.'],
  [
    'Ada',
    'My sister Greta plays the cello.',
    "Ada's sister Greta plays the cello.",
    "Ada's sister is called Greta.",
  ],
  ['Ada', 'The red bike is mine.', "The red bike is Ada's."],
  ['Ada', 'My wife and I love sailing.', "Ada's wife and Ada love sailing."],
  ['Ada', "We're renovating the kitchen.", 'Ada and others are renovating the kitchen.'],
  ['Ada', 'Our landlord raised the rent.', "Ada's landlord raised the rent."],
  ['Ada', 'The doctor told me to rest my knee.', 'The doctor told Ada to rest their knee.'],
  ['Ada', 'Joined a chess club last month.', 'Ada joined a chess club in April 2024.'],
  ['Ada', 'Just got back from Lisbon.', 'Ada just got back from Lisbon.'],
  ['Ada', 'Gonna apply for the scholarship.', 'Ada is going to apply for the scholarship.'],
  ['Ada', 'Love baking rye bread.', 'Ada loves baking rye bread.'],
  ['Ada', 'Hey Boris! I sold the boat yesterday.', 'Ada sold the boat on 14 May 2024.'],
  ['Ada', 'Yeah, thanks Boris! By the way, I passed the exam!', 'Ada passed the exam.'],
  ['Ada', 'I broke my arm, but I still play chess.', 'Ada broke their arm.', 'Ada still plays chess.'],
  ['Ada', 'Hi Boris, I baked a cake for you.', 'Ada baked a cake for Boris.'],
  ['Ada', 'When I was six, we lived in Malta.', 'When Ada was six, they lived in Malta.'],
  ['Ada', 'The museum opens again in June.', 'Ada said the museum opens again in June 2024.'],
  ['Ada', 'Lisbon has steep streets.', 'Ada said Lisbon has steep streets.'],
  ['James', 'My dog ate my shoes.', "James' dog ate their shoes."],
  ['user', 'I am allergic to peanuts.', 'The user is allergic to peanuts.'],
  [
    'user',
    'my name is Tomas and i live in prague. im a nurse',
    "The user's name is Tomas.",
    'The user lives in prague.',
    'The user is a nurse.',
  ],
  [
    'user',
    'My manager wants me to present the budget next Friday.',
    "The user's manager wants the user to present the budget on 24 May 2024.",
  ],
  [
    'assistant',
    'I booked your flight to Rome for tomorrow.',
    "The assistant booked the user's flight to Rome for 16 May 2024.",
  ],
  ['Ada', 'I`m a nurse.', 'Ada is a nurse.'],
  ['Ada', 'I’m a nurse and I’ve moved to Bern.', 'Ada is a nurse.', 'Ada has moved to Bern.'],
  [
    'Ada',
    'hahaha I sold the boat 😂😂 my brother is furious',
    'Ada sold the boat.',
    "Ada's brother is furious.",
  ],
  ['Ada', 'I fed the dog 🐶 at the lake.', 'Ada fed the dog at the lake.'],
  ['Ada', "My bike's back from the workshop.", "Ada's bike is back from the workshop."],
  [
    'Ada',
    "My sister's been ill, and my dog's bowl is broken.",
    "Ada's sister has been ill.",
    "Ada's dog's bowl is broken.",
  ],
  ['Ada', 'Because I hate flying, you know that.', 'Ada hates flying.'],
  [
    'Ada',
    'We sold the shop, Boris has moved to Riga.',
    'Ada and others sold the shop.',
    'Boris has moved to Riga.',
  ],
  [
    'Ada',
    'I have a meeting at the bank on Monday, please draft a letter',
    'Ada has a meeting at the bank on 20 May 2024.',
  ],
  ['Ada', 'We named the boat Tern, what do you think', 'Ada and others named the boat Tern.'],
  [
    'Ada',
    'My cousin Isla plays drums. She toured with a band in 2019.',
    "Ada's cousin Isla plays drums.",
    "Ada's cousin is called Isla.",
    "Ada's cousin Isla toured with a band in 2019.",
  ],
  [
    'Ada',
    'My supervisor plays drums. He toured with a band in 2019.',
    "Ada's supervisor plays drums.",
    "Ada's supervisor toured with a band in 2019.",
  ],
  ['Ada', 'My godmother plays drums. He toured with a band in 2019.', "Ada's godmother plays drums."],
  [
    'Ada',
    // The subject of the sentence before, and its only person.
    "Greta lives in Riga. She's learning Latvian.",
    'Greta lives in Riga.',
    'Greta is learning Latvian.',
  ],
  ['Ada', 'I had lunch with Sarah. He paid for everything.', 'Ada had lunch with Sarah.'],
  ['Ada', 'My brother called Greta. She was born in 1990.', "Ada's brother called Greta."],
  [
    'user',
    "My name is Tomas, and my wife's from Rome.",
    "The user's name is Tomas.",
    "The user's wife is from Rome.",
  ],
  ['Ada', 'I signed up. For the half marathon. In Ghent.', 'Ada signed up for the half marathon in Ghent.'],
  [
    'Ada',
    "My dad, he's turning 70 in June, and he lives in Graz.",
    "Ada's dad is turning 70 in June 2024.",
    "Ada's dad lives in Graz.",
  ],
  ['Ada', 'I adopted a dog last week, it was so exciting!', 'Ada adopted a dog in the week of 6 May 2024.'],
  ['Ada', 'Dr. Meier gave me a new prescription.', 'Dr. Meier gave Ada a new prescription.'],
];

/** Nothing worth remembering, or nothing that stands alone. */
// biome-ignore format: one table
const LEFT_OUT = [
  'Hey Boris! How are you?', 'Hello there!', 'Good morning, everyone!', 'Thanks so much, Boris!', 'Thank you, that means a lot to me.', 'Bye, take care!', 'See you tomorrow!', 'Congrats on the new job!',
  'Wow, that is amazing!', 'That sounds great.', 'Sounds like a plan.', 'Haha, yeah.', 'Ok.', 'Yes!', 'No worries.', 'Of course!', 'I agree.', 'I totally understand.', "I'm so happy for you!", "I'm glad to hear that.",
  'What did you cook?', 'Did you call Greta yesterday?', 'Where do you live', 'how old is your dog', 'You like tea, right?', 'What a beautiful moment!', 'How cool is that!', "Let's go to the park.", 'Let me know how it goes.',
  'Check out this picture!', 'Keep it up!', "Don't give up!", 'Have fun!', 'You are doing great, Boris!', 'Your garden is lovely.', 'It was so much fun!', 'They are the best.', 'That is so true.', 'Such a magical evening!', 'So much energy!',
  'hahahaha I am stealing that', 'My boss would never...', 'Took him two hours to get home.', "I'm glad you're feeling better!", 'With kids I would suggest:', 'Or people who chew loudly.', 'To fix this, open the settings and restart it.',
  'I apologize for the confusion.', 'It should be 12, not 14.', '"I am writing to you because my order has not arrived."', 'nah don\'t like that one, too formal', 'heyyy, good morning!!',
  'Good luck with your exam tomorrow!', 'Happy birthday, Boris!', 'I love it!', "I can't wait to hear about it.", 'Nice to meet you.', 'Makes me smile.', '12345', '???', '…', 'https://example.org/a?b=c', 'lol',
  // Captions, opinions and commonplaces; what only another sentence explains; what isn't a sentence.
  '[shared a photo: a photo of a red canoe on a lake]', 'ngl the new bus line is a disaster', 'I think the plan is a good one.', 'Friendship is a gift.', 'Painting is such a joy for everyone.', 'Time heals all wounds.',
  'I sold it yesterday.', 'They gave me a raise.', 'I went there with Tom.', 'That one is mine.', 'He was a mechanic his whole life.', 'I want this for my birthday.', 'I read that book in a week.',
  "I love and acceptance should be everyone's right.", 'I did my master is in physics.', "I can't Thursday.", "I'm walking.", 'We can definitely make a difference.', "We're all in this together.",
];

describe('facts', () => {
  it.each(KEPT)('%s: %s', (role, text, ...expected) => {
    expect(facts(role, text)).toEqual(expected);
  });

  it.each(LEFT_OUT)('leaves out "%s"', text => {
    expect(facts('Ada', text)).toEqual([]);
    expect(facts('user', text)).toEqual([]);
  });

  it('says a thing once', () => {
    expect(facts('Ada', 'I have two cats. I have two cats! i have two cats.')).toEqual(['Ada has two cats.']);
  });

  it('keeps at most 16 facts of a turn', () => {
    const text = Array.from({ length: 60 }, (_, index) => `I planted ${index + 2} trees.`).join(' ');
    expect(facts('Ada', text)).toHaveLength(16);
  });

  it('reads lists, and neither code nor links', () => {
    const text =
      'My plan:\n- I will sell the car\n- I will rent a bike\n```js\nconst I = "I am a robot";\n```\nI keep the drawings at https://example.org/I-am-here in a folder.';
    expect(facts('Ada', text)).toEqual([
      'Ada will sell the car.',
      'Ada will rent a bike.',
      'Ada keeps the drawings at a link in a folder.',
    ]);
  });

  it.each([
    ['Spanish', 'Vivo en Madrid con mi hermana desde el año pasado.'],
    ['German', 'Ich wohne seit letztem Jahr in Berlin und arbeite als Lehrer.'],
    ['French', 'Je suis allé au marché hier avec mon frère.'],
    ['Russian', 'Я живу в Москве с братом.'],
    ['Arabic', 'أعيش في القاهرة مع أخي.'],
    ['Chinese', '我昨天去了北京。'],
    ['Japanese', '私は東京に住んでいます。'],
    ['Hindi', 'मैं दिल्ली में रहता हूँ।'],
    ['Dutch', 'Ik woon in Utrecht en ik werk bij een bakker.'],
    ['Italian', 'Ho comprato una macchina la settimana scorsa.'],
    ['Portuguese', 'Eu moro em Lisboa com a minha irmã.'],
  ])('makes no English of %s', (_, text) => {
    expect(facts('Ada', text)).toEqual([]);
  });
});

describe('facts of an assistant', () => {
  it.each([
    'Cooked rice freezes well for two months.',
    'The capital of Mongolia is Ulaanbaatar.',
    "I'd treat the autumn as a handover project.",
    'I recommend a proper glass case.',
    'Every studio has a Birgitta.',
    "We'd ask you not to follow up by phone.",
  ])('leaves out what it explains: "%s"', text => {
    expect(facts('assistant', text)).toEqual([]);
  });

  it('keeps what it did', () => {
    expect(facts('assistant', 'I set a reminder for tomorrow at 9 am.')).toEqual([
      'The assistant set a reminder for 16 May 2024 at 9 am.',
    ]);
  });
});
