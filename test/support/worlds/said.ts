/** One turn, read by the extractor, said on a Wednesday in May 2024. */
import { makeRulesExtractor } from '../../../domain/extraction/extract.ts';

const extract = makeRulesExtractor();
/** A Wednesday. */
const SAID = Date.UTC(2024, 4, 15, 18, 30);

/** Returns what a turn says: "subject.attribute = value", with "from" and "ended" where they are given. */
export const saidBy = (role: string, text: string): string[] =>
  extract({ role, text, timestamp: SAID }).observations.flatMap(({ fact }) => {
    if (fact === undefined) return [];
    const { subject, attribute, about, value, valid_from, valid_until, ended, stance, certainty } = fact;
    const of = about === undefined ? '' : ` of ${about}`;
    const from = valid_from === undefined ? '' : ` from ${valid_from.slice(0, 10)}`;
    const until = valid_until === undefined ? '' : ` until ${valid_until.slice(0, 10)}`;
    const how = stance === 'plan' || stance === 'was' ? ` (${stance})` : '';
    const unsure = certainty === undefined ? '' : ` (${certainty})`;
    return [`${subject}.${attribute}${of} = ${value}${from}${until}${ended ? ' ended' : ''}${how}${unsure}`];
  });
