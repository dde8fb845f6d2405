import { describe, expect, it } from 'vitest';
import { isoLabel } from '../../../../../domain/extraction/dates/calendar.ts';
import { makeDatesAbsolute } from '../../../../../domain/extraction/dates/dates.ts';

/** A Wednesday. */
const SAID = Date.UTC(2024, 4, 15, 18, 30);

const TABLE: readonly (readonly [sentence: string, absolute: string, ...labels: string[]])[] = [
  ['I saw her yesterday.', 'I saw her on 14 May 2024.', '2024-05-14'],
  ['Yesterday I saw her.', 'On 14 May 2024 I saw her.', '2024-05-14'],
  ['I ran yesterday morning.', 'I ran on the morning of 14 May 2024.', '2024-05-14'],
  ['We arrived the day before yesterday.', 'We arrived on 13 May 2024.', '2024-05-13'],
  ['We leave the day after tomorrow.', 'We leave on 17 May 2024.', '2024-05-17'],
  ['I fly out tomorrow evening.', 'I fly out on the evening of 16 May 2024.', '2024-05-16'],
  ['I cooked today.', 'I cooked on 15 May 2024.', '2024-05-15'],
  ['I slept badly last night.', 'I slept badly on the night of 14 May 2024.', '2024-05-14'],
  ['We meet tonight.', 'We meet on the night of 15 May 2024.', '2024-05-15'],
  ['I swam this morning.', 'I swam on the morning of 15 May 2024.', '2024-05-15'],
  ['I met him last Friday.', 'I met him on 10 May 2024.', '2024-05-10'],
  ['I met him last Wednesday.', 'I met him on 8 May 2024.', '2024-05-08'],
  ['The exam is next Friday.', 'The exam is on 24 May 2024.', '2024-05-24'],
  ['The exam is on Friday.', 'The exam is on 17 May 2024.', '2024-05-17'],
  ['I had the exam on Friday.', 'I had the exam on 10 May 2024.', '2024-05-10'],
  ['I went out Saturday night.', 'I went out on the night of 11 May 2024.', '2024-05-11'],
  ['I moved last week.', 'I moved in the week of 6 May 2024.', '2024-W19'],
  ['I start next week.', 'I start in the week of 20 May 2024.', '2024-W21'],
  ['I hiked last weekend.', 'I hiked on the weekend of 11 May 2024.', '2024-W19'],
  ['We camped two weekends ago.', 'We camped on the weekend of 4 May 2024.', '2024-W18'],
  ['It closed last month.', 'It closed in April 2024.', '2024-04'],
  ['It opens next month.', 'It opens in June 2024.', '2024-06'],
  ['I graduated last year.', 'I graduated in 2023.', '2023'],
  ['I have rented it since last year.', 'I have rented it since 2023.', '2023'],
  ['I will retire next year.', 'I will retire in 2025.', '2025'],
  ['She left 3 days ago.', 'She left on 12 May 2024.', '2024-05-12'],
  ['She left two weeks ago.', 'She left in the week of 29 April 2024.', '2024-W18'],
  ['She left five months ago.', 'She left in December 2023.', '2023-12'],
  ['She left eighteen months ago.', 'She left in November 2022.', '2022-11'],
  ['She left ten years ago.', 'She left in 2014.', '2014'],
  ['She left a year ago.', 'She left in 2023.', '2023'],
  ['I called 20 hours ago.', 'I called on 14 May 2024.', '2024-05-14'],
  ['I painted it a few days ago.', 'I painted it a few days before 15 May 2024.'],
  ['I painted it a couple of months ago.', 'I painted it a couple of months before May 2024.'],
  ['I painted it several years ago.', 'I painted it several years before 2024.'],
  ['I lost it the other day.', 'I lost it shortly before 15 May 2024.'],
  ["I'm moving in two weeks.", "I'm moving in the week of 27 May 2024.", '2024-W22'],
  ["I'm moving in 3 months.", "I'm moving in August 2024.", '2024-08'],
  ['I went to Spain last summer.', 'I went to Spain in summer 2023.', '2023'],
  ['I will go to Spain this summer.', 'I will go to Spain in summer 2024.', '2024'],
  ['We skied last winter.', 'We skied in winter 2023-2024.', '2023'],
  ['I visited in March.', 'I visited in March 2024.', '2024-03'],
  ['I visited in August.', 'I visited in August 2023.', '2023-08'],
  ['We booked the night train for 3 July.', 'We booked the night train for 3 July 2024.', '2024-07-03'],
  ['The wedding was moved to 3 July.', 'The wedding was moved to 3 July 2024.', '2024-07-03'],
  ['We booked a table for Monday.', 'We booked a table for 20 May 2024.', '2024-05-20'],
  ['I booked a train and left on 3 July.', 'I booked a train and left on 3 July 2023.', '2023-07-03'],
  ['I will visit in March.', 'I will visit in March 2025.', '2025-03'],
  [
    'Grace found a flat, she moves there in March.',
    'Grace found a flat, she moves there in March 2025.',
    '2025-03',
  ],
  [
    'Grace found a flat, she moved there in March.',
    'Grace found a flat, she moved there in March 2024.',
    '2024-03',
  ],
  ['I visited last June.', 'I visited in June 2023.', '2023-06'],
  ['We met on May 3rd.', 'We met on 3 May 2024.', '2024-05-03'],
  ['We met on the 3rd of December.', 'We met on 3 December 2023.', '2023-12-03'],
  ['We met on July 9, 2019.', 'We met on 9 July 2019.', '2019-07-09'],
  ['We met in June 2019.', 'We met in June 2019.', '2019-06'],
  ['I have lived here since 2011.', 'I have lived here since 2011.', '2011'],
  ['The deadline is 2024-07-01.', 'The deadline is 2024-07-01.', '2024-07-01'],
  ['I got back on sunday night.', 'I got back on the night of 12 May 2024.', '2024-05-12'],
  ['I have had it since monday.', 'I have had it since 13 May 2024.', '2024-05-13'],
  ['I am moving in january.', 'I am moving in January 2025.', '2025-01'],
  ['I was there on 4 april.', 'I was there on 4 April 2024.', '2024-04-04'],
  ['My last day is the 31st!', 'My last day is on 31 May 2024!', '2024-05-31'],
  ['I am back on the 3rd.', 'I am back on 3 June 2024.', '2024-06-03'],
  ['I met her on the 20th.', 'I met her on 20 April 2024.', '2024-04-20'],
  [
    'I arrive on 3 July and leave on the 12th.',
    'I arrive on 3 July 2024 and leave on 12 July 2024.',
    '2024-07-03',
    '2024-07-12',
  ],
  ['The call is on Tuesday, 14 October.', 'The call is on 14 October 2025.', '2025-10-14'],
  [
    "I've learned it since March and I'm doing the exam on 22 June.",
    "I've learned it since March 2024 and I'm doing the exam on 22 June 2024.",
    '2024-03',
    '2024-06-22',
  ],
  ['They moved it to Friday.', 'They moved it to 17 May 2024.', '2024-05-17'],
  ["Yesterday's talk was long.", 'The 14 May 2024 talk was long.', '2024-05-14'],
  ["Last week's talk was long.", "The week of 6 May 2024's talk was long.", '2024-W19'],
  ['Last week was long.', 'The week of 6 May 2024 was long.', '2024-W19'],
  ['I was away for the last two weeks.', 'I was away for the two weeks before 15 May 2024.'],
  ['We cooked turkey last Christmas.', 'We cooked turkey Christmas 2023.', '2023'],
  ['Earlier this week I resigned.', 'Earlier in the week of 13 May 2024 I resigned.', '2024-W20'],
];

/** No date, or none that may be guessed: the words stay as they are. */
// biome-ignore format: one table
const UNCHANGED = [
  'I may go with them.', 'They march on.', 'I sat with her.', 'I have played for 3 years.', 'I swim every Friday.', 'I swim on Mondays.', 'I ran 10 km in 2 hours.',
  'I live on the 3rd floor.', 'It was built in the 18th century.', 'I may 3 times a day.', 'I pay on the 5th every month.', 'My birthday is on May 3rd.', 'It was Black Friday.', 'I earn 2000 euros.', 'The room is 1950 square feet.', 'It rained 31 February 2023.', 'I work at night.', 'I love Monday mornings.',
];

describe('makeDatesAbsolute', () => {
  it.each(TABLE)('%s', (sentence, absolute, ...labels) => {
    expect(makeDatesAbsolute(sentence, SAID)).toMatchObject({ text: absolute, labels });
  });

  it.each(UNCHANGED)('leaves a sentence without a relative date as it is: %s', sentence => {
    expect(makeDatesAbsolute(sentence, SAID)).toMatchObject({ text: sentence, labels: [] });
  });

  it('counts days in UTC, over the ends of months and years', () => {
    expect(makeDatesAbsolute('I saw her yesterday.', Date.UTC(2024, 0, 1, 0, 0, 0)).labels).toEqual([
      '2023-12-31',
    ]);
    expect(makeDatesAbsolute('I saw her yesterday.', Date.UTC(2024, 2, 1, 23, 59, 59, 999)).labels).toEqual([
      '2024-02-29',
    ]);
    expect(makeDatesAbsolute('I leave next month.', Date.UTC(2023, 0, 31)).labels).toEqual(['2023-02']);
  });

  it('leaves a sentence alone that was said outside of any calendar', () => {
    for (const timestamp of [Number.NaN, Number.POSITIVE_INFINITY, -8.64e15, 8.64e15]) {
      expect(makeDatesAbsolute('I saw her yesterday.', timestamp).text).toBe('I saw her yesterday.');
    }
  });

  it('leaves no relative word in any sentence of the table, on any weekday', () => {
    for (const [sentence] of TABLE) {
      for (let day = 0; day < 7; day++) {
        const { text } = makeDatesAbsolute(sentence, SAID + day * 86_400_000);
        expect(text).not.toMatch(
          /yesterday|today|tomorrow|tonight|\bago\b|\b(?:last|next|this) (?:week|month|year|summer|winter|Friday|morning|night)/i,
        );
      }
    }
  });
});

describe('isoLabel', () => {
  it.each([
    [Date.UTC(2021, 0, 2), '2020-W53'],
    [Date.UTC(2024, 11, 30), '2025-W01'],
    [Date.UTC(2023, 0, 1), '2022-W52'],
    [Date.UTC(2024, 0, 1), '2024-W01'],
  ])('knows the ISO 8601 week of %d', (day, label) => {
    expect(isoLabel({ day, unit: 'week' })).toBe(label);
  });
});
