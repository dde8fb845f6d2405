import { describe, expect, it } from 'vitest';
import { beginning, localDay } from '../../../../../domain/extraction/dates/calendar.ts';
import { makeRulesExtractor } from '../../../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();
const DAY = 86_400_000;

describe("the speaker's days", () => {
  it.each([
    ['I broke my arm yesterday.', '2025-03-06T04:30:00Z', -300, '4 March 2025'],
    ['My recital is tonight.', '2025-03-06T04:00:00Z', -480, '5 March 2025'],
    ['We met my boss last month.', '2025-03-31T21:30:00Z', 180, 'March 2025'],
    ['I flew home this morning.', '2025-03-05T20:30:00Z', 660, '6 March 2025'],
    ['I sold my car on Friday.', '2025-03-07T23:30:00Z', 60, '7 March 2025'],
    ['I broke my arm yesterday.', '2025-03-06T04:30:00Z', undefined, '5 March 2025'],
  ])('%s, said at %s with %s minutes', (text, at, utcOffset, day) => {
    const { observations } = extract({ role: 'user', text, timestamp: Date.parse(at), utcOffset });
    expect(observations[0]!.text).toContain(day);
  });

  it('are those of another zone before and after midnight in UTC', () => {
    expect(localDay(Date.parse('2025-03-06T04:30:00Z'), -300)).toBe('2025-03-05');
    expect(localDay(Date.parse('2025-03-05T20:30:00Z'), 660)).toBe('2025-03-06');
    expect(localDay(Date.parse('2025-03-05T20:30:00Z'))).toBe('2025-03-05');
  });

  it('begin in the order in which they are to the moment of saying, in every zone', () => {
    const day = Date.UTC(2025, 2, 6);
    for (let utcOffset = -720; utcOffset <= 840; utcOffset += 30) {
      for (let hour = 0; hour < 24; hour++) {
        const said = day + hour * 3_600_000 - utcOffset * 60_000;
        const today = beginning(day, said, utcOffset);
        expect(today).toBeLessThanOrEqual(said);
        expect(beginning(day - DAY, said, utcOffset)).toBeLessThanOrEqual(said);
        const tomorrow = beginning(day + DAY, said, utcOffset);
        expect(tomorrow).toBeGreaterThan(said);
        expect(new Date(tomorrow).toISOString().slice(0, 10)).toBe('2025-03-07');
      }
    }
  });
});
