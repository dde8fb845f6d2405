import { describe, expect, it } from 'vitest';
import { askedTimes, type Extent } from '../../../../../domain/language/times/asked-times.ts';
import { dateMatch } from '../../../../../domain/language/times/date-match.ts';
import { queryDates } from '../../../../../domain/language/times/query-dates.ts';

/** A Wednesday. */
const moment = Date.parse('2026-10-14T09:30:00Z');
const dayOf = (at: number): string => (at < 0 ? 'ever' : new Date(at).toISOString().slice(0, 10));
/** First and last day of each span. */
const spansOf = (q: string): string[] =>
  askedTimes(q, { moment }).spans.map(({ from, to }) => `${dayOf(from)} ${dayOf(to - 1)}`);

const expectSpan = (q: string, span: string): void => expect(spansOf(q)).toEqual([span]);

describe('the times of a question', () => {
  it.each([
    ['What did I eat yesterday?', '2026-10-13 2026-10-13'],
    ['What did I eat the day before yesterday?', '2026-10-12 2026-10-12'],
    ['Who called last night?', '2026-10-13 2026-10-13'],
    ['What have I eaten today?', '2026-10-14 2026-10-14'],
    ['What was I doing a year ago today?', '2025-01-01 2025-12-31'],
    ['Who came on Monday?', '2026-10-12 2026-10-12'],
    ['Who came last Wednesday?', '2026-10-07 2026-10-07'],
    ['What did we cook last weekend?', '2026-10-10 2026-10-11'],
    ['What did we cook the weekend before last?', '2026-10-03 2026-10-04'],
    ['What broke last week?', '2026-10-05 2026-10-11'],
    ['What broke this week?', '2026-10-12 2026-10-14'],
    ['What broke two weeks ago?', '2026-09-28 2026-10-04'],
    ['What broke two weekends ago?', '2026-10-03 2026-10-04'],
    ['What have I eaten from 10 to 20 October?', '2026-10-10 2026-10-20'],
    ['What has she painted since last summer?', '2026-06-01 2026-10-14'],
    ['What broke 2-3 weeks ago?', '2026-09-21 2026-10-04'],
    ['What broke two or three days ago?', '2026-10-11 2026-10-12'],
    ['What broke 1.5 weeks ago?', '2026-09-28 2026-10-11'],
    ['What broke in the last 2 to 3 days?', '2026-10-11 2026-10-14'],
    ['What broke a few days ago?', '2026-10-09 2026-10-12'],
    ['What broke in the past three weeks?', '2026-09-23 2026-10-14'],
    ['What broke in the last couple of months?', '2026-07-16 2026-10-14'],
    ['What did I read last month?', '2026-09-01 2026-09-30'],
    ['What did I read three months ago?', '2026-07-01 2026-07-31'],
    ['What did I read last year?', '2025-01-01 2025-12-31'],
    ['Where were we last summer?', '2026-06-01 2026-08-31'],
    ['Where were we last autumn?', '2025-09-01 2025-11-30'],
    ['Where were we in the winter?', '2025-12-01 2026-02-28'],
    ['Has she been ill lately?', '2026-09-14 2026-10-14'],
    ['What has she painted since last week?', '2026-10-05 2026-10-14'],
    ['What had she painted before yesterday?', 'ever 2026-10-12'],
  ])('%s', expectSpan);

  it.each([
    ['What broke between March and May?', '2026-03-01 2026-05-31'],
    ['what broke between march and may', '2026-03-01 2026-05-31'],
    ['What broke between 2024 and 2030?', '2024-01-01 2030-12-31'],
    ['What broke between November and February?', '2025-11-01 2026-02-28'],
    ['Where was John between August 11 and August 15 2023?', '2023-08-11 2023-08-15'],
    ['Where were we from 3 to 10 June?', '2026-06-03 2026-06-10'],
    ['Where were we June 3-10, 2025?', '2025-06-03 2025-06-10'],
    ['What did we see in early June?', '2026-06-01 2026-06-11'],
    // Late October is still ahead.
    ['What did we see in late October?', '2025-10-21 2025-10-31'],
    ['Which classes did Evan join in mid-August 2023?', '2023-08-10 2023-08-22'],
    ['What did we see in the second half of May?', '2026-05-17 2026-05-31'],
    ['What did we see in the first week of December?', '2025-12-01 2025-12-07'],
    ['What did we see in the last week of February?', '2026-02-22 2026-02-28'],
    ['What did we see in the fall of 2025?', '2025-09-01 2025-11-30'],
    ['What have I paid since August?', '2026-08-01 2026-10-14'],
    ['What had I paid before April 2025?', 'ever 2025-03-31'],
    ['What have I paid after 20 September?', '2026-09-21 2026-10-14'],
    ['Where was Tim in the week before 16 November 2023?', '2023-11-09 2023-11-15'],
    ['What is the name of the puppy she got two weeks before August 11, 2023?', '2023-07-25 2023-07-31'],
  ])('%s', expectSpan);

  it.each([
    'May I ask what her last name is?',
    'What does he do every Monday?',
    'How many days ago did I run?',
    'May version 2-3 may be out?',
    // Things that are ahead were said before.
    'What are my plans this weekend?',
    'What do I have to do this week?',
    'Who comes on Monday?',
    'What should I do today?',
    'What is the budget this year?',
    'What will I buy today?',
    'What did we plan for this weekend?',
    'What do I have to finish before November?',
    'Until winter, what should I repair?',
    'What did we do on the last two days of the trip?',
    'Where did we sleep on our last night in Rome?',
    'Did the battery last two days?',
    'Did I like the film Yesterday?',
    'What are my plans for late November?',
    'What do I have to finish before early November?',
    'What is scheduled on Thursday?',
    'Tell me which class I have on Thursday.',
    'What broke more than two weeks ago?',
    "What did we do the week before April's birthday?",
    'Which classes were in the last week of term?',
    'Who came on Friday, 12 June?',
    'Who came on Friday the 12th?',
    'What is the first day of spring?',
    'What did we eat after lunch?',
    'Have I done this before?',
    'Who is from Spring Valley?',
    'Where is the march to?',
    // Dates by name are matched by themselves, and the day that is named says which week is meant.
    'What happened on 3 June 2026?',
    'What was his issue last week, as mentioned on November 6, 2023?',
    'What happens on 31 February to 32 February?',
  ])('none in: %s', q => {
    expect(spansOf(q)).toEqual([]);
  });

  const from = (first: string, last: string) => (): Extent => ({
    first: Date.parse(first),
    last: Date.parse(last),
  });

  it('takes the words of the clock out, where turns were said then', () => {
    const extent = from('2026-01-01', '2026-10-13T20:00:00Z');
    expect(askedTimes('What did I eat yesterday evening?', { moment, extent }).rest).toBe(
      'What did I eat  ?',
    );
    expect(askedTimes('What did I eat in early June?', { moment, extent }).rest).toBe(
      'What did I eat in early June?',
    );
    const before = from('2026-01-01', '2026-10-10');
    expect(askedTimes('What did I eat yesterday?', { moment, extent: before })).toEqual({
      spans: [],
      rest: 'What did I eat yesterday?',
    });
    expect(askedTimes('What did I eat yesterday?', { moment, extent: () => undefined }).spans).toEqual([]);
  });

  it('reads no clock for a chat that ended years ago, and a name still', () => {
    const extent = from('2022-01-01', '2024-06-01');
    expect(askedTimes('What did he start two years ago?', { moment, extent }).spans).toEqual([]);
    expect(askedTimes('What did he start in early May 2024?', { moment, extent }).spans).toHaveLength(1);
  });

  it('knows that a talk has no other time than its own', () => {
    expect(askedTimes('What did we talk about yesterday?', { moment }).spans[0]).toMatchObject({
      toldLater: false,
    });
    expect(askedTimes('What did the doctor say last week?', { moment }).spans[0]).toMatchObject({
      toldLater: true,
    });
    expect(askedTimes('Where did I run yesterday?', { moment }).spans[0]).toMatchObject({ toldLater: true });
  });

  it('holds nothing against the day before and after, as days are not the same everywhere', () => {
    const { spans } = askedTimes('What did I eat last week?', { moment });
    const against = (at: string) => dateMatch({ dates: [], spans }, Date.parse(at)).askedTime === -1;
    expect(['2026-10-03', '2026-10-04', '2026-10-05', '2026-10-16', '2026-10-17'].map(against)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('counts days where the question is asked', () => {
    const spanAt = (utcOffset: number) => {
      const [span] = askedTimes('What did I eat yesterday?', { moment, utcOffset }).spans;
      return [span!.from, span!.to].map(at => new Date(at).toISOString().slice(0, 16));
    };
    // Half past one in the morning of the 14th, and half past ten in the evening of the 14th.
    expect(spanAt(-480)).toEqual(['2026-10-13T08:00', '2026-10-14T08:00']);
    expect(spanAt(780)).toEqual(['2026-10-12T11:00', '2026-10-13T11:00']);
    const dates = queryDates('What did I eat on 13 October 2026?');
    const day = (at: string, utcOffset?: number) =>
      dateMatch({ dates, spans: [], utcOffset }, Date.parse(at)).day;
    expect(day('2026-10-14T02:00:00Z', -480)).toBe(1);
    expect(day('2026-10-14T02:00:00Z')).toBeLessThan(1);
    expect(day('2026-10-12T20:00:00Z', 780)).toBe(1);
    expect(day('2026-10-12T20:00:00Z')).toBe(0);
  });

  it('compares each turn with few times, however long the question is', () => {
    expect(spansOf('yesterday, '.repeat(700))).toHaveLength(8);
    expect(queryDates('3 June 2025, '.repeat(600))).toHaveLength(32);
  });

  it('takes this weekend for the one that is or just was', () => {
    const spans = (at: string) =>
      askedTimes('What did we do this weekend?', { moment: Date.parse(at) }).spans;
    const saturday = Date.parse('2026-10-17');
    for (const at of ['2026-10-17T09:00:00Z', '2026-10-18T09:00:00Z', '2026-10-19T09:00:00Z'])
      expect(spans(at)).toMatchObject([{ from: saturday }]);
    expect(spans('2026-10-20T09:00:00Z')).toEqual([]);
  });

  it.each([
    ['What did I eat yesterday?', true],
    ['What did I eat in the past three weeks?', true],
    ['What did I see in early June?', true],
    // Things that held then may have been told before.
    ['Where did I live last year?', false],
    ['What did I pay between March and July?', false],
    ['What do I pay since last week?', false],
    ['Which music do I like lately?', false],
    // And what is ahead was told before, too: "When did you say the plumber comes today?"
    ['What did I eat today?', false],
    ['What time was my flight yesterday?', false],
    ['What did I order for last week?', false],
    ['What did I weigh two months ago compared to now?', false],
    ['Who came on Monday?', false],
    ['Tell me what we did at the lake last weekend.', true],
    ['What have I paid this month?', false],
  ])('%s, and at no other time: %s', (q, isSharp) => {
    expect(askedTimes(q, { moment }).spans).toMatchObject([{ isSharp }]);
  });
});
