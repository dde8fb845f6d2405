/** Tells a sequence to the extractor and the fold, and compares what holds after each line. */
import { makeRulesExtractor } from '../../../domain/extraction/extract.ts';
import { speakerLabel } from '../../../domain/extraction/speaker.ts';
import type { Dated, Fact } from '../../../domain/facts/holds/dated-facts.ts';
import { standingOf } from '../../../domain/facts/holds/standing.ts';
import { slotOf } from '../../../domain/facts/values/slots.ts';
import type { SaidFact } from '../../../schemas/facts.ts';
import { factsOfLine } from './facts-of-line.ts';
import type { Expected, Line, Sequence } from './read-sequences.ts';

const CLIENT_FACT = /^fact: ([a-z_]+) = (.+?)(?:, from (\d{4}(?:-\d\d){0,2}))?(, ended)?$/;
/** The line before as a turn: a short answer says nothing without its question. */
const spoken = (line: Line | undefined) =>
  line === undefined || /^(?:client|retract)$/.test(line.who)
    ? undefined
    : { role: line.who, text: line.says };
const ARTICLE = /^(?:an?|the|my|our|his|her|their) /i;

const extract = makeRulesExtractor();

const clientFact = (says: string): SaidFact => {
  const [, attribute = '', value = '', from, ended] = CLIENT_FACT.exec(says) ?? [];
  return {
    subject: 'The user',
    attribute,
    value,
    ...(from !== undefined && { valid_from: new Date(from).toISOString() }),
    ...(ended !== undefined && { ended: true }),
  };
};

const plain = (value: string): string =>
  value
    .toLowerCase()
    .replace(ARTICLE, '')
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/[^\p{L}\p{N}$£€%.+ ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const idOf = (attribute: string, value: string): string => slotOf({ attribute, value }, new Map()).id;
/** Whether a value says what is expected: the same words, or these among others ("old Volvo" is a Volvo). */
const says = (attribute: string, value: string, expected: string): boolean => {
  const [one, other] = [plain(value), plain(expected)];
  return (
    one === other ||
    idOf(attribute, value) === idOf(attribute, expected) ||
    ` ${one} `.includes(` ${other} `) ||
    ` ${other} `.includes(` ${one} `)
  );
};

const isOf = (subject: string, { of }: Expected, speaker: string): boolean => {
  if (of === undefined) return subject === speaker || subject === 'The user';
  const label = subject.toLowerCase();
  return label === of.toLowerCase() || new RegExp(`['’]s? (?:\\w+ )?${of}$`, 'i').test(subject);
};

/** A disagreement: what was expected after which line, and what held. */
export interface Wrong {
  after: string;
  expected: string;
  held: string;
}

const written = ({ of, attribute, values }: Expected): string =>
  `${of === undefined ? '' : `${of}: `}${attribute} = ${values.join(', ') || 'nothing'}`;

/** Returns the disagreements of a sequence; empty where all holds that should, and nothing else. */
export const tellSequence = ({ lines, asOf }: Sequence): Wrong[] => {
  const facts: Fact<Dated>[] = [];
  const wrong: Wrong[] = [];
  let latest = 0;
  let speaker = 'The user';
  const compare = (after: string, holds: readonly Expected[], moment: number): void => {
    const standing = standingOf(
      facts.filter(({ timestamp }) => timestamp <= moment),
      moment,
    );
    const now = new Set(
      [...standing.holding.values()].flatMap(periods => periods.map(({ said }) => said[0].fact)),
    );
    for (const expected of holds) {
      const held = [...now]
        .filter(fact => fact.attribute === expected.attribute && isOf(fact.subject, expected, speaker))
        .map(({ value }) => value);
      const isRight =
        held.every(value => expected.values.some(each => says(expected.attribute, value, each))) &&
        expected.values.every(each => held.some(value => says(expected.attribute, value, each)));
      if (!isRight) wrong.push({ after, expected: written(expected), held: held.join(', ') || 'nothing' });
    }
  };
  for (const [at, { when, who, says: line, holds }] of lines.entries()) {
    latest = Math.max(latest, when);
    if (who === 'retract') {
      for (let index = facts.length - 1; index >= 0; index--)
        if (facts[index]!.text === line) facts.splice(index, 1);
    } else {
      const role = who === 'client' ? 'user' : who;
      const said =
        who === 'client'
          ? [clientFact(line)]
          : extract({
              role,
              text: line,
              timestamp: when,
              before: spoken(lines[at - 1]),
              own: lines.slice(Math.max(0, at - 2), at).findLast(each => each.who === role)?.says,
            }).observations.flatMap(({ fact }) => fact ?? []);
      if (who !== 'client' && who !== 'assistant') speaker = speakerLabel(role);
      facts.push(
        ...factsOfLine({ at, role, text: line, timestamp: when, recordedAt: Math.max(latest, when) }, said),
      );
    }
    compare(line, holds, latest);
  }
  for (const { moment, holds } of asOf)
    compare(`as of ${new Date(moment).toISOString().slice(0, 10)}`, holds, moment);
  return wrong;
};
