import { bareName, cleaned } from '../../../../domain/context/quote.ts';
import type { TurnHit } from '../../../../schemas/http/parts/hits.ts';
import type { RecallAnswer } from '../../../../schemas/http/recall.ts';
import { ownWords } from '../../client/recalled.ts';
import { speakersDay } from '../../client/speakers-clock.ts';

interface SummaryLine {
  /** A day of the speaker. */
  time: string;
  text: string;
}

/** Returns the visible characters of a text: white space differs between the summary and the turn. */
const seen = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+/gu, '');

const turnOf = (hit: TurnHit) => ({
  day: speakersDay(Number(hit.timestamp) * 1_000, hit.utc_offset),
  role: seen(hit.role),
  text: seen(ownWords(hit)),
});

/** Returns `Ada: …`, the name quoted if needed. A name may contain colons; the turns show where it ends. */
const withBareName = (said: string, turns: ReturnType<typeof turnOf>[]): string => {
  // Prefers the longer possible name, which needs quotation marks most. The summary leaves out greetings at
  // the beginning.
  const end = [...said.matchAll(/: /g)].findLast(({ index }) => {
    const role = seen(said.slice(0, index));
    const beginning = seen(said.slice(index).replace(/^: | ?…$/g, ''));
    return turns.some(turn => turn.role === role && turn.text.includes(beginning));
  });
  return end ? `${bareName(said.slice(0, end.index))}${said.slice(end.index)}` : said;
};

/** Returns the lines of the service's own summary of turns: `2026-02-20: Ada: …`. */
export const summaryLines = ({ timeline, hits }: RecallAnswer): SummaryLine[] => {
  const turns = hits.turns.map(turnOf);
  return (timeline ?? '').split('\n').flatMap(line => {
    const [, time, said] = /^(\d{4}-\d{2}-\d{2}): (.*)$/s.exec(line) ?? [];
    if (time === undefined || said === undefined) return [];
    const ofDay = turns.filter(({ day }) => day === time);
    return [{ time, text: cleaned(withBareName(said, ofDay)) }];
  });
};
