import { describe, expect, it } from 'vitest';
import { saidBy } from '../../../support/worlds/said.ts';

const SAYS: readonly (readonly [text: string, ...facts: string[]])[] = [
  // Where one lives
  ['I moved to Lisbon.', 'Ada.home = Lisbon'],
  ["I've just moved to Lisbon", 'Ada.home = Lisbon'],
  ["I'm living in Lisbon now.", 'Ada.home = Lisbon'],
  ['i live in prague', 'Ada.home = prague'],
  ['In March I moved to Lisbon with my wife.', 'Ada.home = Lisbon from 2024-03-01'],
  ["I've lived in Porto since 2019.", 'Ada.home = Porto from 2019-01-01'],
  ['I have lived in Porto for six years.', 'Ada.home = Porto from 2018-05-01'],
  ['I moved from Rome to Paris in 2020.', 'Ada.home = Paris from 2020-01-01'],
  ['Correction: I live in Porto, not Lisbon.', 'Ada.home = Porto'],
  ['I live in Bern and work at the university.', 'Ada.home = Bern', 'Ada.employer = university'],
  ['I ate it daily when I lived in Taichung.', 'Ada.home = Taichung ended (was)'],
  ['I used to live in Rome.', 'Ada.home = Rome ended (was)'],
  ['I lived in Rome as a kid.', 'Ada.home = Rome ended (was)'],
  ["I don't live in Lisbon anymore.", 'Ada.home = Lisbon ended'],
  ['I was born in Oslo.', 'Ada.birthplace = Oslo'],
  ["I'm from Ghana originally.", 'Ada.hometown = Ghana'],
  // Intentions
  ["We're relocating to Porto in June.", 'Ada.home = Porto from 2024-06-01 (plan)'],
  ["I'm thinking of moving to Berlin.", 'Ada.plan = move to Berlin'],
  ['I want to move to Berlin.', 'Ada.goal = move to Berlin'],
  // Ends that are said, and those to come
  ["I'm leaving Acme in June.", 'Ada.employer = Acme from 2024-06-01 ended (plan)'],
  // Nothing ends that one had planned to leave; what is not planned any more was no plan, if nobody says so.
  ["I'm not leaving Acme after all.", 'Ada.employer = Acme'],
  ["I'm not cancelling the gym after all, it's cheaper now.", 'Ada.subscription = gym'],
  ["I'm not leaving Acme."],
  ["I'm not leaving Lisbon after all."],
  ["I'm not leaving Hannah alone after all."],
  ["I'm not leaving Acme after all that work."],
  ["I'll stop taking warfarin on 1 July.", 'Ada.medication = warfarin from 2024-07-01 ended (plan)'],
  ['I retire on 30 June, counting the days.', 'Ada.job =  from 2024-06-30 ended (plan)'],
  // A visit may end so, too.
  ['I leave Lisbon on Friday.'],
  ["I'm leaving for Rome on Friday.", 'Ada.plan = leave for Rome'],
  ["I've moved to Graz until the end of June.", 'Ada.home = Graz until 2024-07-01'],
  ['I live in Rome until August.', 'Ada.home = Rome until 2024-08-01'],
  ["I'm taking amoxicillin until Monday.", 'Ada.medication = amoxicillin until 2024-05-21'],
  ["I've got a job at the post office until 31 December.", 'Ada.employer = post office until 2025-01-01'],
  ['I work at Tesco until the end of the year.', 'Ada.employer = Tesco until 2025-01-01'],
  ['I live in Rome until mid August.', 'Ada.home = Rome'],
  ['I worked at Acme until March.', 'Ada.employer = Acme ended (was)'],
  // Values to come
  ['From 15 October my number will be 555-0189.', 'Ada.phone = 555-0189 from 2024-10-15 (plan)'],
  ['My new boss will be Greta.', 'Ada.boss = Greta (plan)'],
  ["Starting on 1 July I'm going vegan.", 'Ada.diet = vegan from 2024-07-01 (plan)'],
  ["I'm starting at Acme on Monday.", 'Ada.employer = Acme from 2024-05-20 (plan)'],
  // People called by what they are
  ['Mum lives in Beja.', "Ada's mum.home = Beja"],
  ["Dad's number is 555-0177.", "Ada's dad.phone = 555-0177"],
  ['My neighbour Greta moved away.', 'Ada.neighbour = Greta ended'],
  ['Mateo left me.', 'Ada.partner = Mateo ended'],
  ['My brother left me his car.'],
  ["Ben and I aren't friends any more.", 'Ada.friend = Ben ended'],
  ["I'm with Monzo now.", 'Ada.bank = Monzo'],
  ['I moved from Netflix to Mubi.'],
  ['I graduated on Friday!', 'Ada.studies =  from 2024-05-10 ended'],
  ['I became a Buddhist.', 'Ada.religion = Buddhist'],
  ["I've outgrown the allergy."],
  ["I really don't like mushrooms, sorry.", 'Ada.dislikes = mushrooms'],
  ['My kitchen budget is 6,500 euros now.', 'Ada.budget of kitchen = 6,500 euros'],
  // Groups that one joins are no employers
  ['I joined the Rotary club.', 'Ada.membership = Rotary club'],
  ['I joined Acme.', 'Ada.employer = Acme'],
  // Plans that come to nothing
  ['The Vienna move fell through.', 'Ada.home = Vienna ended'],
  ['Philips withdrew the offer.', 'Ada.employer = Philips ended'],
  // Values of today, and those that began today
  ['I work nights this week.', 'Ada.work_schedule = nights from 2024-05-13 until 2024-05-20'],
  ['I started at Acme today.', 'Ada.employer = Acme from 2024-05-15'],
  ["I'm senior editor as of today.", 'Ada.job = senior editor from 2024-05-15'],
  // Whole values
  ['Now my favourite colour is red.', 'Ada.favourite_colour = red'],
  ['My blood type is O neg.', 'Ada.blood_type = O neg'],
  ['I love Leeds, shame about the weather.', 'Ada.likes = Leeds'],
  ['My band is called The Moles.', 'Ada.band = The Moles'],
  ["I'm leaving Ford at the end of the month.", 'Ada.employer = Ford from 2024-06-01 ended (plan)'],
  ["I'm moving to Canada this summer.", 'Ada.home = Canada (plan)'],
  ['I quit Ford in January.', 'Ada.employer = Ford from 2024-01-01 ended'],
  ['We had to put Rex down.', 'Ada.pet = Rex ended'],
  ["I don't live in Oslo any more.", 'Ada.home = Oslo ended'],
  // Ends that had to be, and that others made
  ['I had to give up tennis because of my back.', 'Ada.sport = tennis ended'],
  ['I had to leave Acme.', 'Ada.employer = Acme ended'],
  ['I had to leave early.'],
  ["Bruno died and I can't stop crying.", 'Ada.pet = Bruno ended'],
  ["Bruno died, I'm devastated.", 'Ada.pet = Bruno ended'],
  ['Marco broke up with me.', 'Ada.partner = Marco ended'],
  ["I'm no longer with Acme.", 'Ada.employer = Acme ended'],
  ['Friday was my last day at Acme.', 'Ada.employer = Acme from 2024-05-10 ended'],
  ["I can't play tennis any more.", 'Ada.sport = tennis ended'],
  ["I changed my number, it's 555-0199 now.", 'Ada.phone = 555-0199'],
  // Stays by their length
  ["We've been in Denver since March.", 'Ada.home = Denver from 2024-03-01'],
  ["I've been in Rome since Monday."],
  ["I've been at Deloitte for three years.", 'Ada.employer = Deloitte from 2021-05-01'],
  ['I teach maths at Lincoln Elementary.', 'Ada.employer = Lincoln Elementary'],
  ['I got laid off from Meta.', 'Ada.employer = Meta ended'],
  ['My favourite book is East of Eden, what should I read next?', 'Ada.favourite_book = East of Eden'],
  // Statements inside others
  ["I forgot to say I'm allergic to nuts.", 'Ada.allergy = nuts'],
  ['I told you I live in Leeds.', 'Ada.home = Leeds'],
  ["My son's allergic to eggs.", "Ada's son.allergy = eggs"],
  ['Vegan btw.', 'Ada.diet = vegan'],
  ['My brother, a dentist, moved to Rome.', "Ada's brother.job = dentist"],
  // A time behind what has ended
  ['I cancelled Netflix last week.', 'Ada.subscription = Netflix from 2024-05-06 ended'],
  [
    "I've finally cancelled Netflix and subscribed to Mubi.",
    'Ada.subscription = Netflix ended',
    'Ada.subscription = Mubi',
  ],
  // Work
  ["I'm a nurse at St Mary's.", 'Ada.job = nurse', "Ada.employer = St Mary's"],
  ['I work as a nurse at the hospital.', 'Ada.job = nurse', 'Ada.employer = hospital'],
  ['I work for Acme in Leeds.', 'Ada.employer = Acme'],
  ['I started at Acme last week.', 'Ada.employer = Acme from 2024-05-06'],
  ['I got promoted to head of design.', 'Ada.job = head of design'],
  ['I quit my job at Acme.', 'Ada.employer = Acme ended'],
  ['I quit my job.', 'Ada.employer =  ended'],
  ['I left Acme in March.', 'Ada.employer = Acme from 2024-03-01 ended'],
  ['I no longer work at Acme.', 'Ada.employer = Acme ended'],
  ['I work nights.', 'Ada.work_schedule = nights'],
  ['I earn 40k a year.', 'Ada.salary = 40k a year'],
  ['I study medicine in Graz.', 'Ada.studies = medicine'],
  // People and pets
  ['We adopted a greyhound called Comet.', 'Ada.pet = Comet'],
  ['My dog Comet loves the beach.', 'Comet.likes = beach', 'Ada.pet = Comet'],
  ['My dog Comet died last week.', 'Ada.pet = Comet from 2024-05-06 ended'],
  ['My cat is called Miso.', 'Ada.pet = Miso'],
  ['My new boss is Ana.', 'Ada.boss = Ana'],
  ['My boss, Ana, moved to Rome.', 'Ana.home = Rome', 'Ada.boss = Ana'],
  ['My sister Ana lives in Rome.', 'Ana.home = Rome', 'Ada.sibling = Ana'],
  ['My sister lives in Rome with her husband.', "Ada's sister.home = Rome"],
  ['Ana moved to Paris last month.', 'Ana.home = Paris from 2024-04-01'],
  ["Ben's wife works at Google.", "Ben's wife.employer = Google"],
  ["I need a present for my dad, he's turning 70 on June 3rd.", "Ada's dad.age = 70 from 2024-06-03 (plan)"],
  ["I'm engaged to Ben.", 'Ada.partner = Ben', 'Ada.relationship_status = engaged'],
  ['We got married.', 'Ada.relationship_status = married'],
  ['I broke up with Tom.', 'Ada.partner = Tom ended'],
  ["I'm single again.", 'Ada.partner =  ended', 'Ada.relationship_status = single'],
  ['I have a daughter called Mia.', 'Ada.child = Mia'],
  ['I have two kids.', 'Ada.child = two kids'],
  // Body and taste
  ["I'm vegan now.", 'Ada.diet = vegan'],
  ["I'm no longer vegan.", 'Ada.diet = vegan ended'],
  ['I gave up meat.', 'Ada.diet = no meat'],
  ["I don't eat pork.", 'Ada.diet = no pork'],
  ["I'm allergic to peanuts.", 'Ada.allergy = peanuts'],
  ["I'm not allergic to nuts.", 'Ada.allergy = nuts ended'],
  ['I have asthma.', 'Ada.health = asthma'],
  ['I broke my arm.', 'Ada.health = broken arm'],
  ['I stopped taking ibuprofen.', 'Ada.medication = ibuprofen ended'],
  ['I quit smoking.', 'Ada.habit = smoking ended'],
  ['I turned 30 yesterday.', 'Ada.age = 30 from 2024-05-14'],
  ["I'm 34 years old.", 'Ada.age = 34'],
  ['I turned thirty yesterday.', 'Ada.age = 30 from 2024-05-14'],
  ["I'm seventeen.", 'Ada.age = 17'],
  ['My birthday is June 3rd.', 'Ada.birthday = 3 June'],
  ['My favorite movie is Alien.', 'Ada.favourite_film = Alien'],
  ['I prefer tea to coffee.', 'Ada.preference = tea to coffee'],
  ["I don't like olives.", 'Ada.dislikes = olives'],
  ['I love jazz.', 'Ada.likes = jazz'],
  // Things
  ['I sold my car.', 'Ada.vehicle = car ended'],
  ['I drive an old Volvo.', 'Ada.vehicle = Volvo'],
  ['I got a new iPhone 15.', 'Ada.phone_model = iPhone 15'],
  ['My phone number is 555 1234.', 'Ada.phone = 555 1234'],
  ['I cancelled Netflix.', 'Ada.subscription = Netflix ended'],
  ['I own a bakery.', 'Ada.owns = bakery'],
  ['I play the cello.', 'Ada.instrument = cello'],
  ['I joined a choir.', 'Ada.membership = choir'],
  ['I speak French and Spanish.', 'Ada.language = French', 'Ada.language = Spanish'],
  ['Please call me Al.', 'Ada.nickname = Al'],
];

/** Lists, types of values, clauses, requests and doubts. */
const READS: readonly (readonly [text: string, ...facts: string[]])[] = [
  ["I'm allergic to nuts and cats.", 'Ada.allergy = nuts', 'Ada.allergy = cats'],
  [
    'I take aspirin, metformin and ramipril.',
    'Ada.medication = aspirin',
    'Ada.medication = metformin',
    'Ada.medication = ramipril',
  ],
  [
    'My favourite foods are pizza, ramen and dosa.',
    'Ada.favourite_food = pizza',
    'Ada.favourite_food = ramen',
    'Ada.favourite_food = dosa',
  ],
  ['I have two brothers, Jon and Pat.', 'Ada.sibling = Jon', 'Ada.sibling = Pat'],
  ['I have a cat called Tofu and a dog called Rex.', 'Ada.pet = Tofu', 'Ada.pet = Rex'],
  ['My address is 4 Elm Road, Leeds.', 'Ada.address = 4 Elm Road, Leeds'],
  ['I work at Smith, Jones and Partners.', 'Ada.employer = Smith, Jones and Partners'],
  ["I'm 1.78 m tall.", 'Ada.height = 1.78 m'],
  ["I'm 5'11\" tall.", 'Ada.height = 5\'11"'],
  ['My rent is 1,250.50 euros a month.', 'Ada.rent = 1,250.50 euros a month'],
  ['My budget for the laptop is 2,000 euros.', 'Ada.budget of laptop = 2,000 euros'],
  ['My email is ana@ex.org.', 'Ada.email = ana@ex.org'],
  [
    'I was born in Rome but grew up in Milan and now live in Turin.',
    'Ada.birthplace = Rome',
    'Ada.hometown = Milan',
    'Ada.home = Turin',
  ],
  ['I live in Boston with my two dogs.', 'Ada.home = Boston'],
  ['My dog Rex is 4 years old and weighs 32 kg.', 'Rex.age = 4', 'Rex.weight = 32 kg', 'Ada.pet = Rex'],
  ["My brother's wife is called Kim.", "Ada's brother.partner = Kim"],
  ["My wife's car is a Volvo.", "Ada's wife.vehicle = Volvo"],
  ["My dog's name is Rex.", 'Ada.pet = Rex'],
  ['Can you remember that I have a dog named Xena?', 'Ada.pet = Xena'],
  ['FYI I moved to Split.', 'Ada.home = Split'],
  ['These days my favourite tea is Oolong.', 'Ada.favourite_tea = Oolong'],
  ["I think I'm allergic to latex.", 'Ada.allergy = latex (0.6)'],
  ["I've stopped being a vegetarian.", 'Ada.diet = vegetarian ended'],
  ["I don't like jazz anymore.", 'Ada.likes = jazz ended'],
  ["I haven't eaten meat since 2018.", 'Ada.diet = no meat from 2018-01-01'],
  ["I'm in Lyon now for about seven years.", 'Ada.home = Lyon from 2017-05-01'],
  ["I'm vegan, I don't drink coffee.", 'Ada.diet = vegan', 'Ada.diet = no coffee'],
];

/** Sentences that give the speaker no attribute. */
// biome-ignore format: one table
const SAYS_NOTHING = [
  'We might move to Berlin.', 'I would live in Rome.', 'I almost moved to Rome.', 'I never lived in Rome.', 'If I moved to Berlin, I would be happy.', 'I wish I lived in Paris.',
  'Do I live in Lisbon?', 'Tom says he lives in Rome.', 'My mum thinks I live in Rome.', 'Tom said I work at Acme.', 'I live in Paris, just kidding!', "I live in Rome, no wait, in Turin.",
  'I live in fear of spiders.', 'I moved my desk to the window.', 'I left early today.', 'I left my phone at home.', "I'm working on a paper.", "I'm a mess.", "I'm a morning person.", "I'm 12 minutes away.",
  'I have a meeting at the bank.', 'My job is stressful.', 'My therapist is great.', 'I love it when it rains.', "I'll take the bet.", 'I could be a nurse.', 'I was almost engaged to Ben.', 'I work at home.',
  "I'm seeing my therapist tomorrow.", "I've been a nurse for five years in my dreams.", 'I have a dentist appointment next Friday.', 'My gym is closed today.', "I'm engaged in a long debate.",
  "I'm 2.5 hours behind schedule.", "I'm 5 minutes away.", 'My email is down today.', 'I live in a small house.', 'My diet is a disaster.', "I'm in Paris for the weekend.", 'My brother called Greta.',
  "It's not true that I live in Rome.", "I'm anything but vegan.", 'Neither my wife nor I eat meat.', 'I might be allergic to latex.', 'I applied for a job at Meta.', 'My flat is a mess and my job is a joke.',
  'Lisbon has steep streets.', 'I played chess with Tom.', 'I have played chess before.', 'The car has two doors.', 'I bought a photo of a dog.', "I haven't moved to Porto.", "I didn't quit my job.",
];

describe('attributes', () => {
  it.each(SAYS)('%s', (text, ...facts) => {
    expect(saidBy('Ada', text)).toEqual(facts);
  });

  it.each(READS)('%s', (text, ...facts) => {
    expect(saidBy('Ada', text)).toEqual(facts);
  });

  it.each(SAYS_NOTHING)('reads none in "%s"', text => {
    expect(saidBy('Ada', text)).toEqual([]);
  });

  it('takes the name that the observation uses for the speaker', () => {
    expect(saidBy('user', 'I live in Porto.')).toEqual(['The user.home = Porto']);
    expect(saidBy('user', "I'm Tomas.")).toEqual(['The user.name = Tomas']);
  });

  it('keeps standing wishes of an assistant, as a preference', () => {
    expect(saidBy('user', 'Always answer in French.')).toEqual([
      'The user.preference = always answer in French',
    ]);
    expect(saidBy('user', 'Never suggest pork again.')).toEqual([
      'The user.preference = never suggest pork again',
    ]);
    expect(saidBy('user', 'Please keep your answers short.')).toEqual([
      'The user.preference = keep your answers short',
    ]);
    expect(saidBy('Ada', 'Always wear sunscreen.')).toEqual([]);
  });

  it('reads none in what an assistant says', () => {
    expect(saidBy('assistant', 'I live in Porto. Ana moved to Rome.')).toEqual([]);
  });
});
