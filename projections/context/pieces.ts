/** What a context is made of, and which of it says nothing new. */
import { normaliseWords } from '../extraction/same-words.ts';
import { stem } from '../language/stems.ts';
import { isStopWord } from '../language/stop-words.ts';
import { wordsOf } from '../language/words.ts';

/** What holds at the moment that is asked about: one attribute of one subject. */
export interface HeldFact {
  subject: string;
  attribute: string;
  value: string;
  /** The observation that says it. */
  text: string;
  /** Unix milliseconds. */
  since: number | undefined;
  sourceTurnIds: string[];
}

/** A turn or an observation of the answer. */
export interface SaidPiece {
  kind: 'turn' | 'observation';
  /** Who made an observation. */
  source?: 'client' | 'rules' | 'llm' | undefined;
  /** The turn itself, or every turn that the observation was found in. */
  turnIds: readonly string[];
  user: string;
  role: string;
  /** When it was said, Unix milliseconds. */
  timestamp: number;
  text: string;
  /** Where it is a part of what was said: whether more was said before and after it. */
  leftOut?: { before: boolean; after: boolean } | undefined;
}

/** A denial differs from what it denies in these alone. */
const DENIALS = new Set(['no', 'not', 'nor', 'never']);

const contentOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter(word => DENIALS.has(word) || !isStopWord(word))
      .map(stem),
  );

/** Content words, each text's once; a text may be 65,536 characters long. */
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

/** What a context has, as far as something else could repeat it. */
export const makeRepetition = (facts: readonly HeldFact[]) => {
  const content = makeContent();
  const said = new Set<string>();
  const factWords = facts.map(({ subject, attribute, value, text }) =>
    contentOf(`${subject} ${attribute} ${value} ${text}`),
  );
  const factTexts = new Set(facts.map(({ text }) => normaliseWords(text)));

  return {
    /** Whether a fact says as much: one that was found in this turn, or one of the same words. */
    repeatsFact: ({ kind, turnIds, text, role }: SaidPiece): boolean => {
      if (kind === 'observation' && factTexts.has(normaliseWords(text))) return true;
      const speaker = content(role);
      return facts.some(
        (fact, i) =>
          share(turnIds, fact.sourceTurnIds) && content(text).isSubsetOf(factWords[i]!.union(speaker)),
      );
    },
    /** Whether the same words of the same speaker are there already. */
    isSaid: (piece: SaidPiece): boolean => said.has(keyOf(piece)),
    add: (piece: SaidPiece): void => {
      said.add(keyOf(piece));
    },
    /**
     * Whether a turn says all that an observation of it does. An extracted one has nothing from elsewhere, so that only what of
     * the turn was cut away or left out could say more; a client may have noted anything.
     */
    covers: (turn: SaidPiece, kept: string, observation: SaidPiece): boolean => {
      if (turn.kind !== 'turn' || observation.kind !== 'observation') return false;
      if (!share(turn.turnIds, observation.turnIds)) return false;
      if (observation.source !== 'client' && kept === turn.text && !turn.leftOut) return true;
      return content(observation.text).isSubsetOf(content(kept).union(content(turn.role)));
    },
  };
};

/** A text without words, an emoji for instance, is compared as it is. */
const keyOf = ({ kind, user, role, text }: SaidPiece): string =>
  `${user}\n${kind === 'turn' ? role : ''}\n${normaliseWords(text) || text}`;
