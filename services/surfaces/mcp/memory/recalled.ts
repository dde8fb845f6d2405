import { bareName, cleaned, named, oneLine } from '../../../../domain/context/quote.ts';
import type { FragmentHit } from '../../../../schemas/http/parts/hits.ts';
import type { RecallAnswer } from '../../../../schemas/http/recall.ts';
import { confidenceInWords, cutBefore, noLonger, ownWords } from '../../client/recalled.ts';
import { minute, quoted, turnsText } from './quoted.ts';

/** From this confidence on the hits may contain the answer; below it, memory probably does not. */
const PERHAPS = 0.3;
/**
 * From this confidence on the hits are reliable. The instructions and the tools' descriptions give the same
 * numbers.
 */
const VERY_LIKELY = 0.8;

export interface RecalledTurn {
  id: string;
  /** RFC 3339 in UTC. */
  time: string;
  speaker: string;
  text: string;
  user: string;
  session: string;
  /** For a long turn: the part of it that `text` is, in characters. */
  part?: { from: number; to: number };
  /** States that it no longer holds, and since when. */
  no_longer?: string;
}

export interface RecalledFact {
  id: string;
  time: string;
  text: string;
  /** The turns that it was extracted from. */
  turn_ids: string[];
  user: string;
  session: string;
  part?: { from: number; to: number };
  no_longer?: string;
}

/**
 * A recall's answer as the tools return it: best first, with the confidence in words and without hidden
 * characters.
 */
export interface Recalled {
  confidence: number;
  verdict: string;
  turns: RecalledTurn[];
  facts: RecalledFact[];
  entities: string[];
  /** Replaces the hits if a context was requested. */
  context?: string;
}

const common = (hit: FragmentHit, ended = noLonger(hit)) => ({
  id: hit.id,
  time: new Date(Number(hit.timestamp) * 1_000).toISOString(),
  text: cutBefore(hit) + cleaned(ownWords(hit)),
  user: oneLine(hit.user_id),
  session: oneLine(hit.session_id),
  ...(hit.part && { part: hit.part }),
  ...(ended !== undefined && { no_longer: ended }),
});

/** Describes the calibrated probability and its consequence for answering. */
export const verdictOf = (confidence: number, found: number): string => {
  if (found === 0)
    return 'Memory has nothing on this. Say that you do not know it from earlier conversations.';
  const words = confidenceInWords(confidence);
  const first = `${words.charAt(0).toUpperCase()}${words.slice(1)} by what follows.`;
  if (confidence >= VERY_LIKELY) return first;
  if (confidence >= PERHAPS) return `${first} Say that you are not sure, or ask the person.`;
  return `${first} Memory probably does not contain the answer: do not present the nearest hits as one.`;
};

export const recalledOf = ({ hits, confidence, context }: RecallAnswer): Recalled => {
  const found = hits.turns.length + hits.observations.length + hits.entities.length + (context ? 1 : 0);
  return {
    confidence: Number(confidence.toFixed(3)),
    verdict: verdictOf(confidence, found),
    turns: hits.turns.map(hit => ({ ...common(hit), speaker: oneLine(hit.role) })),
    facts: hits.observations.map(hit => ({ ...common(hit), turn_ids: hit.source_turn_ids })),
    entities: hits.entities.map(({ label }) => oneLine(label)),
    ...(context && { context }),
  };
};

/** Writes `Confidence 0.96. Very likely answered by what follows.` */
export const confidenceLine = ({ confidence, verdict }: Pick<Recalled, 'confidence' | 'verdict'>): string =>
  `Confidence ${confidence.toFixed(2)}. ${verdict}`;

/** Begins continued lines. Our own lines never begin like this, so no stored line can pass for one. */
export const CONTINUED = '   > ';

/** Returns notes that a reader needs after the text's id. */
const notes = ({ part, no_longer }: Pick<RecalledTurn, 'part' | 'no_longer'>): string =>
  `${part ? ', a part of it' : ''}${no_longer ? `, ${no_longer}` : ''}`;

/** Writes the turn's id, user and session as a separate line. */
export const originLine = ({
  id,
  user,
  session,
  ...noted
}: Pick<RecalledTurn, 'id' | 'user' | 'session' | 'part' | 'no_longer'>): string =>
  `   [${id}, user ${named(user)}, session ${named(session)}${notes(noted)}]`;

const turnLines = (turn: RecalledTurn, index: number): string =>
  `${index + 1}. ${minute(turn.time)} ${bareName(turn.speaker)}: ${quoted(turn.text, CONTINUED)}\n${originLine(turn)}`;

const factLine = (fact: RecalledFact): string =>
  `- ${minute(fact.time)} [${fact.id} ${turnsText(fact.turn_ids)}${notes(fact)}] ${quoted(fact.text, CONTINUED)}`;

/**
 * Writes a recall as text for a model: the confidence, then dated turns with speakers and ids, facts,
 * entities.
 */
export const recalledText = (recalled: Recalled): string => {
  const { turns, facts, entities, context } = recalled;
  return [
    confidenceLine(recalled),
    ...(context ? ['', context] : []),
    ...(turns.length > 0 ? ['', 'Said, best first, as quotations:', ...turns.map(turnLines)] : []),
    ...(facts.length > 0
      ? [
          '',
          'Facts extracted from what was said (if one differs from its turn, trust the turn):',
          ...facts.map(factLine),
        ]
      : []),
    ...(entities.length > 0 ? ['', `Names in it: ${entities.map(bareName).join(', ')}`] : []),
  ].join('\n');
};
