import type { SaidFact, SaidObservation } from '../../../schemas/facts.ts';
import type { Conversation } from '../third-person.ts';
import { type AttributeFound, attributeIn, relationIn } from './attribute-in.ts';

/** Attributes whose sentence names a date that isn't the one from which they hold. */
const DATED_OTHERWISE = new Set(['plan', 'birthday', 'goal', 'age', 'preference']);
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const WEEK = /^(\d{4})-W(\d\d)$/;
const DAY_MS = 86_400_000;

/** The Monday of a week: the one with January 4th is the first (ISO 8601). Unix milliseconds. */
const mondayOf = (year: number, week: number): number => {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS + (week - 1) * 7 * DAY_MS;
};

/** When the span of a date's label begins and how long it is at most, in Unix milliseconds. */
const spanOf = (label: string): [from: number, length: number] | undefined => {
  const [, year, month, day] = DATE.exec(label) ?? [];
  if (year !== undefined)
    return [
      Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1)),
      (day ? 1 : month ? 31 : 366) * DAY_MS,
    ];
  const [, ofYear, week] = WEEK.exec(label) ?? [];
  return ofYear === undefined ? undefined : [mondayOf(Number(ofYear), Number(week)), 7 * DAY_MS];
};

/**
 * From when something holds that is said with a date: from its beginning. In a span that isn't over ("this week"), from when it was
 * said, since what somebody said a day before was true then.
 */
const validFrom = (label: string, said: number): string | undefined => {
  const [from, length] = spanOf(label) ?? [];
  if (from === undefined) return undefined;
  const isGoingOn = from <= said && said < from + length!;
  return isGoingOn ? undefined : new Date(from).toISOString();
};

/** The ISO 8601 labels of a clause's dates, and when it was said: Unix milliseconds. */
export interface Dates {
  labels: readonly string[];
  at: number;
}

const saidFact = ({ subject, attribute, value, ended }: AttributeFound, { labels, at }: Dates): SaidFact => {
  const [label] = DATED_OTHERWISE.has(attribute) ? [] : labels;
  const from = label === undefined ? undefined : validFrom(label, at);
  return { subject, attribute, value, ...(from && { valid_from: from }), ...(ended && { ended }) };
};

const possessive = (name: string): string => (/[sS]$/.test(name) ? `${name}'` : `${name}'s`);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Sentences of our own, for what a clause says beside itself or where it isn't a statement ("Call me Al"). */
const sentenceOf = ({ subject, attribute, value, relation }: AttributeFound): string => {
  if (attribute === 'nickname') return `${capital(subject)} wants to be called ${value}.`;
  const whose = subject.startsWith('The ') ? `the ${subject.slice(4)}` : subject;
  return `${value} is ${possessive(whose)} ${relation ?? attribute}.`;
};

/**
 * What a clause says of an attribute of a subject. An assistant says nothing of itself that is worth keeping.
 */
export const saidIn = (
  clause: string,
  { speaker }: Conversation,
  dates: Dates,
): { fact: SaidFact | undefined; beside(isSaid: boolean): SaidObservation[] } => {
  const found = attributeIn(clause, speaker);
  const fact =
    found && !(found.subject === speaker && isMachine(speaker)) ? saidFact(found, dates) : undefined;
  return {
    fact,
    beside: isSaid => {
      if (isMachine(speaker)) return [];
      if (!isSaid && fact?.attribute === 'nickname') return [{ text: sentenceOf(found!), fact }];
      const relation = relationIn(clause, speaker);
      if (!relation || (relation.attribute === fact?.attribute && relation.subject === fact.subject))
        return [];
      return [{ text: sentenceOf(relation), fact: saidFact(relation, { ...dates, labels: [] }) }];
    },
  };
};

const MACHINES = new Set([
  'The assistant',
  'The ai',
  'The bot',
  'The model',
  'The system',
  'The tool',
  'The agent',
]);
export const isMachine = (speaker: string): boolean => MACHINES.has(speaker);
