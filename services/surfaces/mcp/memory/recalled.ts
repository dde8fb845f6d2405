import { bareName, cleaned, named, oneLine } from '../../../../domain/context/quote.ts';
import type { FragmentHit, TurnHit } from '../../../../schemas/http/parts/hits.ts';
import type { RecallAnswer } from '../../../../schemas/http/recall.ts';
import { confidenceInWords, cutBefore, noLonger, ownWords } from '../../client/recalled.ts';
import { minute, quoted, turnsText } from './quoted.ts';

/** From this confidence on the hits may contain the answer; below it, memory probably does not. */
const PERHAPS = 0.3;
/** From this confidence on the hits are reliable. The server's instructions give the same numbers. */
const VERY_LIKELY = 0.8;

/** Maximum facts that are told beside the turns that say them: a long list has more than an answer needs. */
const MOST_NESTED = 5;

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

/** The confidence in words, and what follows from it for an answer. */
interface Judged {
  verdict: string;
  advice: string;
}

/**
 * A recall's answer as the tools return it: facts before turns, best first, with the confidence in words and
 * without hidden characters.
 */
export interface Recalled extends Judged {
  confidence: number;
  facts: RecalledFact[];
  turns: RecalledTurn[];
  entities: string[];
  /** Replaces the hits if a context was requested. */
  context?: string;
}

const timeOf = ({ timestamp }: FragmentHit): string => new Date(Number(timestamp) * 1_000).toISOString();

const common = (hit: FragmentHit, ended = noLonger(hit)) => ({
  id: hit.id,
  time: timeOf(hit),
  text: cutBefore(hit) + cleaned(ownWords(hit)),
  user: oneLine(hit.user_id),
  session: oneLine(hit.session_id),
  ...(hit.part && { part: hit.part }),
  ...(ended !== undefined && { no_longer: ended }),
});

/** Returns the facts that a turn among the hits says; they come with it and take no place of their own. */
const nestedFacts = (hit: TurnHit): RecalledFact[] =>
  (hit.observations ?? []).map(({ id, text, superseded_by, valid_until }) => {
    const ended = noLonger({ kind: 'observation', superseded_by, valid_until });
    return {
      id,
      time: timeOf(hit),
      text: cleaned(text),
      user: oneLine(hit.user_id),
      session: oneLine(hit.session_id),
      ...(ended !== undefined && { no_longer: ended }),
      turn_ids: [hit.id],
    };
  });

/** Returns the facts of the hits in the order of the hits, each once. */
const factsOf = ({ turns, observations }: RecallAnswer['hits']): RecalledFact[] => {
  const facts = new Map<string, RecalledFact>();
  let nested = 0;
  for (const hit of [...turns, ...observations].toSorted((a, b) => b.score - a.score)) {
    if (hit.kind === 'observation') {
      facts.set(hit.id, { ...common(hit), turn_ids: hit.source_turn_ids });
      continue;
    }
    for (const fact of nestedFacts(hit))
      if (nested < MOST_NESTED && !facts.has(fact.id)) {
        facts.set(fact.id, fact);
        nested += 1;
      }
  }
  return [...facts.values()];
};

const NOT_KNOWN = 'say "I do not have that from our earlier conversations", and ask';

/** Describes the calibrated probability, and says what to do and to say at it. */
export const judged = (confidence: number, found: number): Judged => {
  if (found === 0)
    return {
      verdict: 'Memory has nothing on this.',
      advice: `Try other words once, then ${NOT_KNOWN}.`,
    };
  const words = confidenceInWords(confidence);
  const verdict = `${words.charAt(0).toUpperCase()}${words.slice(1)} by what follows.`;
  if (confidence >= VERY_LIKELY) return { verdict, advice: 'Answer from it.' };
  if (confidence >= PERHAPS)
    return {
      verdict,
      advice: 'Say "I am not sure, but …" with its day and who said it, and ask whether that is right.',
    };
  return {
    verdict: `${verdict} Memory probably does not contain the answer.`,
    advice: `Do not present the nearest hits as the answer. Try other words once, then ${NOT_KNOWN}.`,
  };
};

export const recalledOf = ({ hits, confidence, context }: RecallAnswer): Recalled => {
  const found = hits.turns.length + hits.observations.length + hits.entities.length + (context ? 1 : 0);
  return {
    confidence: Number(confidence.toFixed(3)),
    ...judged(confidence, found),
    facts: factsOf(hits),
    turns: hits.turns.map(hit => ({ ...common(hit), speaker: oneLine(hit.role) })),
    entities: hits.entities.map(({ label }) => oneLine(label)),
    ...(context && { context }),
  };
};

/** Writes `Confidence 0.96. Very likely answered by what follows. Answer from it.` */
export const confidenceLine = ({ confidence, verdict, advice }: Judged & { confidence: number }): string =>
  `Confidence ${confidence.toFixed(2)}. ${verdict} ${advice}`;

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
 * Writes a recall as text for a model: the confidence and what follows from it, then facts, dated turns with
 * speakers and ids, entities.
 */
export const recalledText = (recalled: Recalled): string => {
  const { turns, facts, entities, context } = recalled;
  return [
    confidenceLine(recalled),
    ...(context ? ['', context] : []),
    ...(facts.length > 0
      ? [
          '',
          'Facts extracted from what was said (if one differs from its turn, trust the turn):',
          ...facts.map(factLine),
        ]
      : []),
    ...(turns.length > 0 ? ['', 'Said, best first, as quotations:', ...turns.map(turnLines)] : []),
    ...(entities.length > 0 ? ['', `Names in it: ${entities.map(bareName).join(', ')}`] : []),
  ].join('\n');
};
