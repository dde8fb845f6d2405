import { sentencesOf } from '../extraction/sentences.ts';
import { DocumentFlag, isQuestion, wordFlags } from '../language/flags.ts';
import { wordsOf } from '../language/words.ts';
import { cutToFit } from './cut-to-fit.ts';

/** A hit as the summary tells it. */
export interface TimelineHit {
  kind: 'turn' | 'observation';
  /** Who made an observation. */
  source?: 'client' | 'rules' | 'llm';
  /** The turn itself, or the one that an observation is of. */
  turnId: string;
  role: string;
  /** When it was said, Unix milliseconds. */
  timestamp: number;
  text: string;
}

const BUDGET = 400;
/** One long turn must not take the whole summary. */
const LINE = 60;
const SHORTEST = 12;

/**
 * A chronological summary of hits: one line an event, `YYYY-MM-DD: Ann: text` in a turn's words or `YYYY-MM-DD: text`
 * in an observation's, the oldest first, within 400 tokens. The date is that of the saying, UTC. Hits come best
 * first; the best ones that fit are kept, and one that doesn't fit is cut at a sentence or a word. Every line is the text
 * of one hit or its beginning.
 *
 * @returns null without hits
 */
export const timeline = (
  hits: readonly TimelineHit[],
  countTokens: (text: string) => number,
): string | null => {
  const lines: { timestamp: number; line: string; order: number }[] = [];
  const seen = new Set<string>();
  let left = BUDGET;
  for (const { timestamp, role, kind, text } of eventsOf(hits)) {
    const date = new Date(timestamp).toISOString().slice(0, 10);
    const opening = kind === 'turn' ? `${date}: ${oneLine(role)}: ` : `${date}: `;
    const line = cutToFit(opening, text, Math.min(left, LINE), countTokens);
    if (line === undefined || seen.has(line)) continue;
    seen.add(line);
    lines.push({ timestamp, line, order: lines.length });
    // Two lines joined by a newline may be one token longer than the sum.
    left -= countTokens(line) + 1;
    if (left < SHORTEST) break;
  }
  if (lines.length === 0) return null;
  lines.sort((a, b) => a.timestamp - b.timestamp || a.order - b.order);
  return lines.map(({ line }) => line).join('\n');
};

/**
 * What of the hits is told, the best first: of a turn and its observations one wording. An extracted one is in the third
 * person with its dates made absolute, so it goes before the turn; what a client noted may be less than the turn, so it goes
 * behind. A turn that only asks or greets tells nothing, if another does.
 */
const eventsOf = (hits: readonly TimelineHit[]): TimelineHit[] => {
  const byTurn = new Map<string, TimelineHit[]>();
  for (const hit of hits) {
    const clean = { ...hit, text: oneLine(hit.text) };
    if (clean.text === '') continue;
    const same = byTurn.get(hit.turnId);
    if (same) same.push(clean);
    else byTurn.set(hit.turnId, [clean]);
  }
  const events = [...byTurn.values()].flatMap(same => {
    const turn = same.find(hit => hit.kind === 'turn');
    const facts = same.filter(hit => hit.kind === 'observation');
    return turn && facts.every(fact => fact.source === 'client') ? [turn] : different(facts);
  });
  const statements = events.filter(event => event.kind === 'observation' || !onlyAsks(event.text));
  return statements.length > 0 ? statements : events;
};

/** Without the facts that say nothing that an earlier one doesn't: a client and an extractor may have noted the same. */
const different = (facts: readonly TimelineHit[]): TimelineHit[] => {
  const kept: { fact: TimelineHit; words: Set<string> }[] = [];
  for (const fact of facts) {
    const words = new Set(wordsOf(fact.text));
    if (!kept.some(other => words.isSubsetOf(other.words))) kept.push({ fact, words });
  }
  return kept.map(({ fact }) => fact);
};

/** Longer ones hold sentences that `sentencesOf` passes over. */
const LONGEST_QUESTION = 400;
/** `Hey Mel!`, `Wow!` */
const GREETING_WORDS = 2;

const onlyAsks = (text: string): boolean => {
  if (text.length > LONGEST_QUESTION || !isQuestion(text)) return false;
  return sentencesOf(text).every(sentence => isQuestion(sentence) || isGreeting(sentence));
};

const isGreeting = (sentence: string): boolean => {
  const words = wordsOf(sentence);
  return words.length <= GREETING_WORDS && !words.some(word => wordFlags(word) & DocumentFlag.firstPerson);
};

/** Seen by nobody: halves of a character, marks and overrides of direction. Joiners stay, they are part of words in some scripts. */
const UNSEEN = /[\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;
const SPACES = /[\s\p{Cc}]+/gu;

/** On one line, as it is read. */
const oneLine = (text: string): string => text.replace(UNSEEN, '').replace(SPACES, ' ').trim();
