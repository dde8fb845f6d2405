/** The material of a context, and which pieces of it repeat others. */
import { normaliseWords } from '../extraction/sentences/same-words.ts';
import { stem } from '../language/words/stems.ts';
import { isStopWord } from '../language/words/stop-words.ts';
import { wordsOf } from '../language/words/words.ts';
import { isCourtesy, isEmptyFact } from '../ranking/timeline/filler.ts';
import type { Bears } from './bearing-facts.ts';

/** A fact that is current at the moment asked about: one attribute of one subject. */
export interface HeldFact {
  subject: string;
  attribute: string;
  value: string;
  /** The text of the observation that says it. */
  text: string;
  /** Unix milliseconds. */
  since: number | undefined;
  sourceTurnIds: string[];
  bears: Bears;
}

/** A turn or an observation of the answer. */
export interface SaidPiece {
  kind: 'turn' | 'observation';
  /** Origin of an observation. */
  source?: 'client' | 'rules' | 'llm' | undefined;
  /** The turn itself, or every turn that the observation was found in. */
  turnIds: readonly string[];
  user: string;
  role: string;
  /** Time of saying, Unix milliseconds. */
  timestamp: number;
  /** The speaker's offset from UTC then, minutes. */
  utcOffset?: number | undefined;
  text: string;
  /** The probability that it is evidence, 0 to 1. */
  score: number;
  /** For a part of what was said: whether there was more before and after it. */
  leftOut?: { before: boolean; after: boolean } | undefined;
}

/** A piece that is less likely evidence than this isn't quoted, where any is likelier. */
const LEAST_SCORE = 0.005;

/** Returns the pieces that may be quoted: likely ones, and no courtesies where others answer. */
export const telling = (said: readonly SaidPiece[]): SaidPiece[] => {
  // A memory of a few turns has no likely ones: the best is quoted.
  const best = said.reduce((most, { score }) => Math.max(most, score), 0);
  const likely = said.filter(({ score }) => score >= Math.min(LEAST_SCORE, best));
  const rest = likely.filter(({ kind, text }) => (kind === 'turn' ? !isCourtesy(text) : !isEmptyFact(text)));
  return rest.length > 0 ? rest : likely;
};

/** The only words in which a denial differs from what it denies. */
const DENIALS = new Set(['no', 'not', 'nor', 'never']);

const contentOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter(word => DENIALS.has(word) || !isStopWord(word))
      .map(stem),
  );

/** Returns content words, computed once per text; a text may be 65,536 characters long. */
const makeContent = () => {
  const known = new Map<string, ReadonlySet<string>>();
  return (text: string): ReadonlySet<string> => {
    const content = known.get(text) ?? contentOf(text);
    known.set(text, content);
    return content;
  };
};

const share = (some: readonly string[], others: readonly string[]): boolean =>
  some.some(id => others.includes(id));

/** Remembers the contents of a context, to recognise repetitions. */
export const makeRepetition = (facts: readonly HeldFact[]) => {
  const content = makeContent();
  const said = new Set<string>();
  const factWords = facts.map(({ subject, attribute, value, text }) =>
    contentOf(`${subject} ${attribute} ${value} ${text}`),
  );
  const factTexts = new Set(facts.map(({ text }) => normaliseWords(text)));

  return {
    /** Whether a fact says as much: one found in this turn, or one in the same words. */
    repeatsFact: ({ kind, turnIds, text, role }: SaidPiece): boolean => {
      if (kind === 'observation' && factTexts.has(normaliseWords(text))) return true;
      const speaker = content(role);
      return facts.some(
        (fact, i) =>
          share(turnIds, fact.sourceTurnIds) && content(text).isSubsetOf(factWords[i]!.union(speaker)),
      );
    },
    /** Whether the same words of the same speaker are included already. */
    isSaid: (piece: SaidPiece): boolean => said.has(keyOf(piece)),
    add: (piece: SaidPiece): void => {
      said.add(keyOf(piece));
    },
    /**
     * Whether a turn says everything that an observation of it says. An extracted observation takes nothing
     * from elsewhere, so it adds something only if part of the turn was cut off; a client may have noted
     * anything.
     */
    covers: (turn: SaidPiece, kept: string, observation: SaidPiece): boolean => {
      if (turn.kind !== 'turn' || observation.kind !== 'observation') return false;
      if (!share(turn.turnIds, observation.turnIds)) return false;
      if (observation.source !== 'client' && kept === turn.text && !turn.leftOut) return true;
      return content(observation.text).isSubsetOf(content(kept).union(content(turn.role)));
    },
  };
};

/** Identifies what was said by its words. A text without words, such as an emoji, is compared as it is. */
const keyOf = ({ kind, user, role, text }: SaidPiece): string =>
  `${user}\n${kind === 'turn' ? role : ''}\n${normaliseWords(text) || text}`;
