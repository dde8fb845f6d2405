import { sentencesOf } from '../extraction/sentences.ts';
import { DocumentFlag, isQuestion, wordFlags } from '../language/flags.ts';
import { wordsOf } from '../language/words.ts';
import { cutToFit } from './cut-to-fit.ts';

/** A hit, with the data that the timeline needs. */
export interface TimelineHit {
  kind: 'turn' | 'observation';
  /** Who made an observation. */
  source?: 'client' | 'rules' | 'llm';
  /** The turn's id; for an observation, the id of the turn it comes from. */
  turnId: string;
  role: string;
  /** When it was said, Unix milliseconds. */
  timestamp: number;
  text: string;
}

const BUDGET = 400;
/** Most tokens of a line: a single long turn must not use up the budget. */
const LINE = 60;
const SHORTEST = 12;

/**
 * A chronological summary of hits, oldest first, within 400 tokens. Each event has one line: `YYYY-MM-DD: Ann: text` for
 * a turn, `YYYY-MM-DD: text` for an observation; the date is when it was said, in UTC. The hits are passed best first:
 * the best that fit are kept, and a text that doesn't fit is cut after a sentence or a word. Every line contains the text
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
    const line = cutToFit({ opening, text }, Math.min(left, LINE), countTokens);
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
 * The events to list, best first, with one wording for a turn and its observations. An extracted observation, in the
 * third person and with absolute dates, is preferred to its turn; a client's observation may contain less than the turn,
 * so the turn is preferred. Turns that only ask or greet are left out if there are others.
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

/** Drops facts whose words are all in an earlier fact: a client and an extractor may have noted the same one. */
const different = (facts: readonly TimelineHit[]): TimelineHit[] => {
  const kept: { fact: TimelineHit; words: Set<string> }[] = [];
  for (const fact of facts) {
    const words = new Set(wordsOf(fact.text));
    if (!kept.some(other => words.isSubsetOf(other.words))) kept.push({ fact, words });
  }
  return kept.map(({ fact }) => fact);
};

/** Longer texts contain sentences that `sentencesOf` skips. */
const LONGEST_QUESTION = 400;
/** Most words of a greeting: `Hey Mel!`, `Wow!` */
const GREETING_WORDS = 2;

const onlyAsks = (text: string): boolean => {
  if (text.length > LONGEST_QUESTION || !isQuestion(text)) return false;
  return sentencesOf(text).every(sentence => isQuestion(sentence) || isGreeting(sentence));
};

const isGreeting = (sentence: string): boolean => {
  const words = wordsOf(sentence);
  return words.length <= GREETING_WORDS && !words.some(word => wordFlags(word) & DocumentFlag.firstPerson);
};

/**
 * Invisible characters: lone surrogates, direction marks and overrides. Joiners are kept: they are part of words in some
 * scripts.
 */
const UNSEEN = /[\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;
const SPACES = /[\s\p{Cc}]+/gu;

/** The visible text on one line. */
const oneLine = (text: string): string => text.replace(UNSEEN, '').replace(SPACES, ' ').trim();
