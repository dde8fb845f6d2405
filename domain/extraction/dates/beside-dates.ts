/** Words between and before dates that belong to them: ranges ("to") and distances ("the day after"). */
import { DAY, dayFrom, monthOf, oneDay, type Span, spell, yearOf } from './calendar.ts';
import { type Dated, FEW, NUMBER, number } from './date-words.ts';
import { isWeekly, tenseAt } from './tense.ts';

/** A date where a sentence says it. */
export interface Match {
  start: number;
  end: number;
  dated: Dated;
}

const DISTANCE = new RegExp(
  `\\b(?:(?<only>for )?(?<count>the|${NUMBER}|${FEW}) (?<unit>day|night|morning|evening|week|weekend|month|year)s? (?<side>before|after|following|from) (?:the )?)$`,
  'i',
);

/** "The day after the 14th", "two weeks before 3 May": the day that is meant, or no day to be labelled by. */
function atDistance(match: Match, sentence: string, from: number): Match {
  const { dated } = match;
  const found = DISTANCE.exec(sentence.slice(Math.max(from, match.start - 48), match.start));
  if (found === null || dated.span === undefined) return match;
  const { only, count, unit, side } = found.groups as Record<string, string>;
  const size = /^day/i.test(unit!) ? 1 : /^week$/i.test(unit!) ? 7 : 0;
  const times = /^the$/i.test(count!) ? (size === 1 ? 1 : 0) : number(count!);
  const isPlain = dated.span.unit === 'day' && dated.text === spell(dated.span);
  if (only !== undefined || !isPlain || !(size * times > 0))
    return { ...match, dated: { text: dated.text, preposition: dated.preposition } };
  const day = dated.span.day + (/before/i.test(side!) ? -1 : 1) * size * times * DAY;
  const span = oneDay(day);
  return {
    start: match.start - found[0].length,
    end: match.end,
    dated: { text: spell(span), preposition: 'on', span },
  };
}

const TO = /^\s*(?:to|through|thru|until|till|up to|-|–|—)\s*(?:the )?$/i;
/** "Moved from Friday to Monday" is no range. */
const MOVED = /\b(?:moved|moving|postponed|rescheduled|pushed|changed|brought|switched)\b[^,;]*$/i;

const later = ({ day }: Span, every: 'week' | 'year', turns: 1 | -1): number | undefined =>
  every === 'week'
    ? day + turns * 7 * DAY
    : dayFrom(yearOf(day) + turns, monthOf(day), new Date(day).getUTCDate());

function moved(match: Match, turns: 1 | -1): Match | undefined {
  const { span, every, text } = match.dated;
  const day = span && every && later(span, every, turns);
  if (day === undefined) return undefined;
  return {
    ...match,
    dated: { ...match.dated, span: oneDay(day), text: text.replace(spell(span!), spell(oneDay(day))) },
  };
}

/** Returns both ends with the second after the first; undefined where they stay the words that were said. */
function ordered(first: Match, second: Match, sentence: string): [Match, Match] | undefined {
  const areWeekdays = first.dated.every === 'week' && second.dated.every === 'week';
  if (areWeekdays && isWeekly(sentence, first.start)) return undefined;
  if (second.dated.span!.day > first.dated.span!.day) return [first, second];
  const before = tenseAt(sentence, first.start) === 'past' ? moved(first, -1) : undefined;
  if (before !== undefined) return [before, second];
  const after = moved(second, 1);
  return after !== undefined && after.dated.span!.day > first.dated.span!.day ? [first, after] : undefined;
}

const isDay = ({ dated }: Match): boolean => dated.span?.unit === 'day';

/** Returns the matches, which are in the order of the text, with what the words beside them make of them. */
export function withWordsBeside(matches: readonly Match[], sentence: string): Match[] {
  const dates: Match[] = [];
  for (let at = 0; at < matches.length; at++) {
    const from = dates.at(-1)?.end ?? 0;
    const first = atDistance(matches[at]!, sentence, from);
    const second = matches[at + 1];
    const before = sentence.slice(from, first.start);
    const gap = second && sentence.slice(first.end, second.start);
    const isRange =
      gap !== undefined && (TO.test(gap) || (/^\s+and\s+$/i.test(gap) && /\bbetween\s+$/i.test(before)));
    if (second === undefined || !isRange || !isDay(first) || !isDay(second) || MOVED.test(before)) {
      dates.push(first);
      continue;
    }
    at++;
    const range = ordered(first, second, sentence);
    if (range === undefined) continue;
    const [start, end] = range;
    // "Monday-Wednesday", "away Monday to Wednesday": "from 10 March to 12 March".
    const isBare = /\b(?:from|between|since)\s+$/i.test(before);
    const dash = /[-–—]/.test(gap!);
    dates.push({
      ...start,
      end: dash ? end.start : start.end,
      dated: {
        ...start.dated,
        text: `${isBare ? '' : 'from '}${start.dated.text}${dash ? ' to ' : ''}`,
        preposition: '',
      },
    });
    dates.push({ ...end, dated: { ...end.dated, preposition: '' } });
  }
  return dates;
}
