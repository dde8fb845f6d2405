import { describe, expect, it } from 'vitest';
import { makeDatesAbsolute } from '../../../../../domain/extraction/dates/dates.ts';

type Row = readonly [sentence: string, absolute: string, ...labels: string[]];

/** Said on a Monday, 3 March 2025. */
const IN_MARCH = Date.UTC(2025, 2, 3, 12);
const COMPOUND: readonly Row[] = [
  ['We met three weeks ago on a Tuesday.', 'We met on 11 February 2025.', '2025-02-11'],
  ['We met on a Tuesday three weeks ago.', 'We met on 11 February 2025.', '2025-02-11'],
  ['We met three days ago, on Friday.', 'We met on 28 February 2025.', '2025-02-28'],
  ['The wedding is on the first Sunday in June.', 'The wedding is on 1 June 2025.', '2025-06-01'],
  ['The wedding was on the first Sunday in June.', 'The wedding was on 2 June 2024.', '2024-06-02'],
  [
    'The clinic is open on the second Tuesday of next month.',
    'The clinic is open on 8 April 2025.',
    '2025-04-08',
  ],
  ['The clinic was open on the last Friday of May.', 'The clinic was open on 31 May 2024.', '2024-05-31'],
  ['The fair was on the third Saturday of last month.', 'The fair was on 15 February 2025.', '2025-02-15'],
  ['The fair is on the last Friday of May 2027.', 'The fair is on 28 May 2027.', '2027-05-28'],
  ['The exam is the Friday after next.', 'The exam is on 14 March 2025.', '2025-03-14'],
  ['I saw her the Friday before last.', 'I saw her on 21 February 2025.', '2025-02-21'],
  ['I hiked the weekend before last.', 'I hiked on the weekend of 22 February 2025.', '2025-W08'],
  ['I slept badly the night before last.', 'I slept badly on the night of 1 March 2025.', '2025-03-01'],
  [
    "I'm away from Monday to Wednesday.",
    "I'm away from 10 March 2025 to 12 March 2025.",
    '2025-03-10',
    '2025-03-12',
  ],
  [
    "I'm away from monday to wednesday.",
    "I'm away from 10 March 2025 to 12 March 2025.",
    '2025-03-10',
    '2025-03-12',
  ],
  [
    'I was away from Monday to Wednesday.',
    'I was away from 24 February 2025 to 26 February 2025.',
    '2025-02-24',
    '2025-02-26',
  ],
  [
    "I'll be in Oslo Monday through Wednesday.",
    "I'll be in Oslo from 10 March 2025 through 12 March 2025.",
    '2025-03-10',
    '2025-03-12',
  ],
  [
    "I'm in Oslo Thursday-Saturday.",
    "I'm in Oslo from 6 March 2025 to 8 March 2025.",
    '2025-03-06',
    '2025-03-08',
  ],
  [
    "I'm free between Tuesday and Thursday.",
    "I'm free between 4 March 2025 and 6 March 2025.",
    '2025-03-04',
    '2025-03-06',
  ],
  [
    "I'm in Rome from 28 December to 3 January.",
    "I'm in Rome from 28 December 2025 to 3 January 2026.",
    '2025-12-28',
    '2026-01-03',
  ],
  [
    'I was in Rome from 28 December to 3 January.',
    'I was in Rome from 28 December 2024 to 3 January 2025.',
    '2024-12-28',
    '2025-01-03',
  ],
  [
    'I was in Rome from 3 March to 5 April.',
    'I was in Rome from 3 March 2024 to 5 April 2024.',
    '2024-03-03',
    '2024-04-05',
  ],
  ["I'm in Rome from 3 to 5 May.", "I'm in Rome from 3 to 5 May 2025.", '2025-05-03', '2025-05-05'],
  ['I was in Rome May 3-5, 2024.', 'I was in Rome 3 to 5 May 2024.', '2024-05-03', '2024-05-05'],
  ["I'm free between 3 and 5 May.", "I'm free between 3 and 5 May 2025.", '2025-05-03', '2025-05-05'],
  [
    "I'll be there from November to February.",
    "I'll be there from November 2025 to February 2026.",
    '2025-11',
    '2026-02',
  ],
  [
    'I was there from November to February 2024.',
    'I was there from November 2023 to February 2024.',
    '2023-11',
    '2024-02',
  ],
  ['I was off for the last week of May.', 'I was off for the last week of May 2024.', '2024-05'],
  ['The move is a week on Monday.', 'The move is on 17 March 2025.', '2025-03-17'],
  ['The move is on Monday week.', 'The move is on 17 March 2025.', '2025-03-17'],
  ['The move is two weeks from Friday.', 'The move is on 21 March 2025.', '2025-03-21'],
  ['We fly a fortnight on Saturday.', 'We fly on 22 March 2025.', '2025-03-22'],
  ['I left a week ago today.', 'I left on 24 February 2025.', '2025-02-24'],
  ["I'm leaving a week tomorrow.", "I'm leaving on 11 March 2025.", '2025-03-11'],
  ['I left a week ago last Friday.', 'I left on 21 February 2025.', '2025-02-21'],
  ['I saw him two Fridays ago.', 'I saw him on 21 February 2025.', '2025-02-21'],
  ['We fly home the day after Christmas.', 'We fly home on 26 December 2025.', '2025-12-26'],
  ['We flew home the day after Christmas.', 'We flew home on 26 December 2024.', '2024-12-26'],
  ['We flew home two days before last Christmas.', 'We flew home on 23 December 2024.', '2024-12-23'],
  ['The deadline is two days before Friday.', 'The deadline is on 5 March 2025.', '2025-03-05'],
  ['The party is a week after 9 May.', 'The party is on 16 May 2025.', '2025-05-16'],
  ['I was ill the week before 3 May.', 'I was ill the week before 3 May 2024.'],
  ["I'm leaving in two weeks on Thursday.", "I'm leaving on 20 March 2025.", '2025-03-20'],
  ["I'm leaving on Thursday in two weeks.", "I'm leaving on 20 March 2025.", '2025-03-20'],
  ['It closes at the end of next month.', 'It closes at the end of April 2025.', '2025-04'],
  ['I start next week on Tuesday.', 'I start on 11 March 2025.', '2025-03-11'],
  ['I started last week, on Tuesday.', 'I started on 25 February 2025.', '2025-02-25'],
  ['I start on Tuesday of next week.', 'I start on 11 March 2025.', '2025-03-11'],
  ['We moved last year in March.', 'We moved in March 2024.', '2024-03'],
  ['We moved in March of last year.', 'We moved in March 2024.', '2024-03'],
  ['We married on 9 March last year.', 'We married on 9 March 2024.', '2024-03-09'],
  ['We married on 3 May of 2019.', 'We married on 3 May 2019.', '2019-05-03'],
  ['The concert is in two years on 9 March.', 'The concert is on 9 March 2027.', '2027-03-09'],
  ['The rent is due on the 5th of next month.', 'The rent is due on 5 April 2025.', '2025-04-05'],
  ["I'm seeing the dentist on the 14th.", "I'm seeing the dentist on 14 March 2025.", '2025-03-14'],
  ['I saw the dentist on the 14th.', 'I saw the dentist on 14 February 2025.', '2025-02-14'],
  ['The meeting is Monday the 17th.', 'The meeting is on 17 March 2025.', '2025-03-17'],
  ['It happened on Friday the 14th.', 'It happened on 14 February 2025.', '2025-02-14'],
  [
    'The meeting was moved from Friday to Monday.',
    'The meeting was moved from 7 March 2025 to 10 March 2025.',
    '2025-03-07',
    '2025-03-10',
  ],
];

/** Said on 20 October 2025: what is announced is to come, what is told has been. */
const IN_OCTOBER = Date.UTC(2025, 9, 20, 12);
const BY_TENSE: readonly Row[] = [
  ['The race is on 9 March.', 'The race is on 9 March 2026.', '2026-03-09'],
  ['The race was on 9 March.', 'The race was on 9 March 2025.', '2025-03-09'],
  ["I'm running on March 9th.", "I'm running on 9 March 2026.", '2026-03-09'],
  ['She told me the race is on 9 March.', 'She told me the race is on 9 March 2026.', '2026-03-09'],
  ['I booked a train that leaves on 9 March.', 'I booked a train that leaves on 9 March 2026.', '2026-03-09'],
  ['I got tickets for 9 March.', 'I got tickets for 9 March 2026.', '2026-03-09'],
  ["We're going to Rome this spring.", "We're going to Rome in spring 2026.", '2026'],
  ['We went to Rome this spring.', 'We went to Rome in spring 2025.', '2025'],
  ["We'll go to Rome this March.", "We'll go to Rome in March 2026.", '2026-03'],
  ['The lecture starts in September.', 'The lecture starts in September 2026.', '2026-09'],
];

/** Cases of Duckling (Duckling/Time/EN/Corpus.hs), at its reference time. */
const OF_DUCKLING = Date.UTC(2013, 1, 12, 4, 30);
const DUCKLING: readonly Row[] = [
  ['The exam is the wednesday after next.', 'The exam is on 20 February 2013.', '2013-02-20'],
  ['The exam is the friday after next.', 'The exam is on 22 February 2013.', '2013-02-22'],
  ['The exam is wednesday of next week.', 'The exam is on 20 February 2013.', '2013-02-20'],
  ['The exam is wednesday next week.', 'The exam is on 20 February 2013.', '2013-02-20'],
  ['The exam is monday of this week.', 'The exam is on 11 February 2013.', '2013-02-11'],
  ['It was on the last Monday of March 2013.', 'It was on 25 March 2013.', '2013-03-25'],
  ['The exam is on the last Sunday of March 2014.', 'The exam is on 30 March 2014.', '2014-03-30'],
  ['The exam is on the first tuesday of October.', 'The exam is on 1 October 2013.', '2013-10-01'],
  ['The exam is on the third Tuesday of September 2014.', 'The exam is on 16 September 2014.', '2014-09-16'],
  ['The exam is on the second Wednesday of October 2014.', 'The exam is on 8 October 2014.', '2014-10-08'],
  ['I saw him the day before yesterday.', 'I saw him on 10 February 2013.', '2013-02-10'],
  ["I'll be back the day after tomorrow.", "I'll be back on 14 February 2013.", '2013-02-14'],
];

/** No date, or one that is not understood whole: not a word of it is replaced. */
// biome-ignore format: one table
const AS_SAID = [
  'We met two months ago on a Tuesday.', 'We met a Tuesday two months ago.', 'We met three days ago, on a Monday.', 'I left a week ago Friday.', 'I broke it two weeks ago or so.', 'I leave in two weeks or so.',
  'The clinic is open on the first Sunday of every month.', 'On the last Friday of the month we eat out.', 'I pay rent on the first Monday of the month.', 'It was the first Sunday we met.', 'We met on the Friday.', 'We left on that Friday.', 'The last Friday was fun.',
  'She is a Tuesday person.', 'My Tuesday class moved.', 'I teach Sunday school.', 'I go every other Friday.', 'I swim every second Tuesday.', 'I run some Saturday mornings.', 'I cook one Sunday a month.', 'I work from Monday to Wednesday.', 'The shop is open Monday to Friday.',
  'It has been a week on Monday.', 'We always fly home the day after Christmas.', 'We meet the Tuesday after Easter.', 'The match is on Tuesday, 14 March.', 'Dinner is on the 14th or 15th.', 'I want the second one.', 'I may go with them.', 'I sat with her.', 'Between Ben and April nothing happened.',
  'I take my pills at 7:30 every morning.', 'It was the last week of school.', 'The party is on the fifth Monday of April.', 'The sale ran from 10 March 2025 to 5 March 2025.',
];

describe('makeDatesAbsolute, of compound times', () => {
  it.each(COMPOUND)('%s', (sentence, absolute, ...labels) => {
    expect(makeDatesAbsolute(sentence, IN_MARCH)).toMatchObject({ text: absolute, labels });
  });

  it.each(BY_TENSE)('in October: %s', (sentence, absolute, ...labels) => {
    expect(makeDatesAbsolute(sentence, IN_OCTOBER)).toMatchObject({ text: absolute, labels });
  });

  it.each(DUCKLING)('as Duckling: %s', (sentence, absolute, ...labels) => {
    expect(makeDatesAbsolute(sentence, OF_DUCKLING)).toMatchObject({ text: absolute, labels });
  });

  it.each(AS_SAID)('leaves the words as they were said: %s', sentence => {
    expect(makeDatesAbsolute(sentence, IN_MARCH)).toMatchObject({ text: sentence, labels: [] });
  });
});

const DAY = 86_400_000;
const everyDay = (first: number): number[] => Array.from({ length: 366 }, (_, day) => first + day * DAY);

describe('a date', () => {
  it.each([
    'The exam is on Friday.',
    'The exam is this Friday.',
    'The exam is next Friday.',
    'The exam is the Friday after next.',
    'The race is on 9 March.',
    'The race is on the 29th.',
    'The fair is on the first Sunday in June.',
    'The fair is on the last Friday of May.',
    "I'm leaving in two weeks on Thursday.",
    'He told me the party starts on 31 January.',
    'We fly home the day after Christmas.',
    'The move is on Monday week.',
  ])('is not before the day on which it is announced: %s', sentence => {
    for (const said of everyDay(IN_MARCH)) {
      const [label] = makeDatesAbsolute(sentence, said).labels;
      expect(label! >= new Date(said).toISOString().slice(0, 10), `${label} said at ${said}`).toBe(true);
    }
  });

  it.each([
    "I'm away from Monday to Wednesday.",
    'I was away from Friday to Monday.',
    "I'll be away from 28 December to 3 January.",
    'I was away from 30 May to 2 June.',
  ])('is the end of a range after its beginning: %s', sentence => {
    for (const said of everyDay(IN_MARCH)) {
      const [from, to] = makeDatesAbsolute(sentence, said).labels;
      expect(from! < to!, `${from} to ${to} said at ${said}`).toBe(true);
    }
  });
});
