/** Ends that are told in passing and values that stand apart from what they are, beside look-alikes. */
import { describe, expect, it } from 'vitest';
import { makeRulesExtractor } from '../../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();
const timestamp = Date.parse('2026-03-04T10:00:00Z');
const said = (text: string, question?: string): string[] =>
  extract({
    role: 'user',
    text,
    timestamp,
    ...(question !== undefined && { before: { role: 'assistant', text: question } }),
  }).observations.flatMap(({ fact }) =>
    fact ? [`${fact.attribute} = ${fact.value}${fact.ended ? ', over' : ''}${fact.adds ? ', too' : ''}`] : [],
  );

describe('ends', () => {
  it.each<[text: string, fact: string]>([
    ['My shoulder is completely healed.', 'health = shoulder, over'],
    ['My left ankle has healed up nicely.', 'health = ankle, over'],
    ['My sciatica is gone.', 'health = sciatica, over'],
    ["I've recovered from pneumonia.", 'health = pneumonia, over'],
    ["I'm over my bronchitis.", 'health = bronchitis, over'],
    ["No more tonsillitis, I'm well again!", 'health = tonsillitis, over'],
    ['No more warfarin for me.', 'medication = warfarin, over'],
    ['Our Corsa was stolen on Friday.', 'owns = Corsa, over'],
    ["The Fiesta's been written off.", 'owns = Fiesta, over'],
    ['Somebody nicked my bike.', 'owns = bike, over'],
    ['My Nikon D750 slipped off the pier and is gone for good.', 'owns = Nikon D750, over'],
    ['We let our Netflix subscription lapse.', 'subscription = Netflix, over'],
    ['My Spotify subscription has expired.', 'subscription = Spotify, over'],
    ['I quit Swedish and started Greek.', 'language = Swedish, over'],
    ["I've given up Korean.", 'language = Korean, over'],
    ["I'm not seeing Hannah any more.", 'partner = Hannah, over'],
    ['I was made redundant by Siemens.', 'employer = Siemens, over'],
    ["I left St Anne's in May.", "employer = St Anne's, over"],
    ["Friday was my last day at St Mary's.", "employer = St Mary's, over"],
    ["It's hard to write, but Bruno died on Sunday.", 'pet = Bruno, over'],
    ['sold the Berlingo today :)', 'owns = Berlingo, over'],
  ])('%s', (text, fact) => {
    expect(said(text)).toContain(fact);
  });

  it.each([
    'My bike was stolen but they found it.',
    'My phone was nearly stolen.',
    'My identity was stolen.',
    'Thieves stole our hearts.',
    'My patience is gone for good.',
    'My knee is not healed yet.',
    'My ankle is almost healed.',
    'My back is good.',
    "My foot's gone to sleep.",
    'No more coffee for me, thanks.',
    "No more meetings, I'm fine.",
    "I'm over the moon.",
    'I got over the wall.',
    'I recovered from the shock.',
    'I let Tom go.',
    "I'm not seeing Anna today.",
    'I dropped English for the exam.',
    'I went on nights out.',
    "I didn't know what to say, but Tom died laughing.",
  ])('reads no fact in: %s', text => {
    expect(said(text)).toEqual([]);
  });

  it.each<[question: string, answer: string, facts: string[]]>([
    ['Are you still with Hannah?', 'Over since June.', ['partner = Hannah, over']],
    ['Are you still seeing Hannah?', "It's over.", ['partner = Hannah, over']],
    ['Are you still with Hannah?', 'Yes.', []],
    ['Are you still with Nordbeam?', "It's over.", []],
  ])('%s %s', (question, answer, facts) => {
    expect(said(answer, question)).toEqual(facts);
  });
});

describe('values that stand apart', () => {
  it.each<[text: string, fact: string]>([
    ["I go to Dr Ferro, she's been my GP for years.", 'doctor = Dr Ferro'],
    ["On Fridays I see Mr Hall, he's my piano teacher.", 'teacher = Mr Hall'],
    ["We go to Riverside, it's our gym.", 'gym = Riverside'],
    ["We've had the same van for ages, a Ford Transit.", 'vehicle = Ford Transit'],
    ["I'm Lena, based in Bonn.", 'home = Bonn'],
    ['Bristol born and bred, and I still live here.', 'home = Bristol'],
    ['Of all films, Alien is my favourite.', 'favourite_film = Alien'],
    ['I own a cello and play it most evenings.', 'instrument = cello'],
    ['Back at Barclays since spring.', 'bank = Barclays'],
    ["I'm in the sales department of Bosch.", 'employer = Bosch'],
    ['My Netflix subscription costs 12 euros.', 'subscription = Netflix'],
    ["Switched teams last month, I'm on Orca now.", 'team = Orca'],
    ["I've been reassigned to the data team.", 'team = data'],
    ['They put me on night shifts.', 'work_schedule = night shifts'],
    ["We've swapped Leeds for Bristol.", 'home = Bristol'],
    ['My cousin emigrated to Toronto.', 'home = Toronto'],
    ['Our wedding has been moved to 23 August.', 'wedding = 23 August 2026'],
    ['We had to push the wedding back to 6 September.', 'wedding = 6 September 2026'],
    ["I'm staying at Philips after all.", 'employer = Philips'],
    ['On top of my job at Aldi I drive for Bolt.', 'employer = Bolt, too'],
    ['I also work at Lidl.', 'employer = Lidl, too'],
    ['We bought a scooter as well, a Honda Vision.', 'vehicle = Honda Vision, too'],
  ])('%s', (text, fact) => {
    expect(said(text)).toContain(fact);
  });

  it.each([
    "I had lunch with Sarah. He's a nurse.",
    "I go to Anna, it's the school run.",
    'We hired a car for the day, a Fiat.',
    'They wrote about me: Tom, living in Leeds.',
    "I'm tired, living in hope.",
    'Of all days, Monday is my least favourite.',
    'I got a guitar for my nephew and play with it.',
    'Back with a vengeance!',
    'Back at Easter.',
    'The boss is Leonie, not mine.',
    'Remember: home is where the heart is.',
    'I was moved to tears.',
    'I swapped Spotify for Tidal.',
    'The wedding was moved to 3 May.',
    'We moved the wedding gifts to the hall.',
    "I'm staying at the Hilton after all.",
    'I saw Anna.',
  ])('reads no fact in: %s', text => {
    expect(said(text)).toEqual([]);
  });
});
