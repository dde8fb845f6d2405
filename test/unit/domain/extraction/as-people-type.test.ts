/** Sentences as people type them: without capitals, with commas for full stops, without a subject. */
import { describe, expect, it } from 'vitest';
import { saidBy } from '../../../support/worlds/said.ts';

const SAYS: readonly (readonly [text: string, fact: string])[] = [
  // Another statement behind a comma
  ["I'm a paramedic, shifts are brutal.", 'Ada.job = paramedic'],
  ['I live in Leeds, rents are crazy.', 'Ada.home = Leeds'],
  ["I'm vegan, cheese is evil.", 'Ada.diet = vegan'],
  ['I play the cello, strings are expensive.', 'Ada.instrument = cello'],
  // Short forms
  ['my gp is dr Patel, shes lovely', 'Ada.doctor = Dr Patel'],
  ['my bf is called Marek n hes from Brno', 'Ada.partner = Marek'],
  ['my bday is 3 march', 'Ada.birthday = 3 march'],
  // Without a subject
  ['Learning Portuguese, two lessons a week.', 'Ada.language = Portuguese'],
  ['Mum is on warfarin for her heart.', "Ada's mum.medication = warfarin"],
  // Things of one's own
  ["I'm on an iPhone 12, the battery is dying.", 'Ada.phone_model = iPhone 12'],
  ['My company car is a Skoda Octavia.', 'Ada.vehicle = Skoda Octavia'],
  ['I have my bank account with Santander.', 'Ada.bank = Santander'],
  ['I have a gym membership at Basic-Fit.', 'Ada.gym = Basic-Fit'],
  ["I'm seeing this guy called Marek.", 'Ada.partner = Marek'],
  ['I work nights at the hospital.', 'Ada.work_schedule = nights'],
  ["I'm on nights tomorrow.", 'Ada.work_schedule = nights from 2024-05-16 until 2024-05-17'],
];

const OTHERWISE: readonly (readonly [text: string, ...facts: string[]])[] = [
  ['Learning Portuguese is hard.'],
  ['Learning Spanish tips for beginners.'],
  ["I can't wait, we leave at ten."],
  ['I love Guns n Roses.', 'Ada.likes = Guns n Roses'],
  ['My company number is 555-0199.', 'Ada.company_number = 555-0199'],
  ["I'm a grown woman."],
  ['We have an account with Vodafone.'],
  ['I have a membership at Costco.'],
  ["I'm on Pixel 8 camera settings."],
  ["I'm seeing a band this summer called Oasis."],
  ['Me and Anna are in the same team.'],
  ['Anna and I are together in the same team.'],
  ['I moved to 12 Oak dr Austin.'],
];

const REPLACED: readonly (readonly [text: string, ...facts: string[]])[] = [
  ['I changed jobs, I’m at Globex now.', 'Ada.employer = Globex'],
  ['My new job is at Globex.', 'Ada.employer = Globex'],
  ["I've left Acme to join Globex.", 'Ada.employer = Acme ended', 'Ada.employer = Globex'],
  ['I left my job at Acme for Globex.', 'Ada.employer = Acme ended'],
  ['I left my job at Acme for Mia and the baby.', 'Ada.employer = Acme ended'],
  ['I left Vodafone for Orange.', 'Ada.employer = Vodafone ended'],
  ["I'm back in Ghent for good.", 'Ada.home = Ghent'],
  ['I got a new phone number, 555 0188.', 'Ada.phone = 555 0188'],
  ['I have a new car, a Tesla.', 'Ada.vehicle = Tesla'],
  ['I replaced my Golf with a Tesla.', 'Ada.vehicle = Tesla'],
  ['I have a new boyfriend, his name is Sam.', 'Ada.partner = Sam'],
  ['Our daughter was born, her name is Mia.', 'Ada.child = Mia'],
  ['My doctor changed my medication to Ozempic.', 'Ada.medication = Ozempic'],
  ['I switched gyms, I go to PureGym now.', 'Ada.gym = PureGym'],
  ['I joined PureGym.', 'Ada.gym = PureGym'],
  ["I changed doctors, it's Dr Moreau now.", 'Ada.doctor = Dr Moreau'],
  ['I started smoking again.', 'Ada.habit = smoking'],
  ['We gave our dog away.', 'Ada.pet = dog ended'],
  ['The move to Oslo is cancelled.', 'Ada.home = Oslo ended'],
  ['My son started school at Hillcrest.', "Ada's son.school = Hillcrest"],
];

const NOT_REPLACED = [
  'I left Berlin for Munich yesterday.',
  'I left Acme for lunch.',
  'Acme withdrew the offer of free lunches.',
  'Acme rescinded their offer to my sister.',
  "I'm not a nurse, Ana is.",
  'My sister is.',
  'My dad changed jobs, it’s Boeing now.',
  "I didn't get the manager role at Acme.",
  'I replaced my amp with a Yamaha.',
  "I replaced my wife's car with a Tesla.",
  'My cousin got a cat, her name is Tilly.',
  'I started smoking at 16 and quit at 30.',
  "We're back in Paris for good food.",
  "I'm seeing a guy called Dave about a boiler.",
  'They changed my surname to Smyth by mistake.',
  'We got a new phone, a Nokia for grandma.',
  "I'm on an iPhone course.",
  'Learning curves, am I right.',
  "I'm back in Ghent for the weekend.",
  'My new job is at stake.',
  "There's a new girl in class, her name is Mia.",
  'I gave my seat away.',
  'I take the bus now instead of the car.',
  'I started smoking salmon at home.',
  "I changed the bank, it's on the right.",
  "I found a new job, I'm at Starbucks right now drinking coffee.",
  'The move to Kubernetes is cancelled.',
];

describe('what took the place of another', () => {
  it.each(REPLACED)('%s', (text, ...facts) => {
    expect(saidBy('Ada', text)).toEqual(facts);
  });

  it.each(NOT_REPLACED)('is nothing of the speaker in "%s"', text => {
    expect(saidBy('Ada', text).filter(fact => fact.startsWith('Ada.'))).toEqual([]);
  });

  it('ends beside what is taken now', () => {
    const facts = saidBy('Ada', 'I take Ozempic now instead of metformin.');
    expect(facts.toSorted()).toEqual(['Ada.medication = Ozempic', 'Ada.medication = metformin ended']);
  });
});

describe('as people type', () => {
  it.each(SAYS)('%s', (text, fact) => {
    expect(saidBy('Ada', text)).toContain(fact);
  });

  it.each(OTHERWISE)('reads no more in "%s"', (text, ...facts) => {
    expect(saidBy('Ada', text)).toEqual(facts);
  });

  it('is eaten again', () => {
    expect(saidBy('Ada', "I'm eating meat again.")).toEqual(['Ada.diet = no meat ended']);
  });
});
