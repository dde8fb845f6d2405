/** The reader's input: a question, and a turn that may answer it. */
import type { StaticTable } from '../language/vectors/static-vectors.ts';
import { fold, streamSafe } from '../language/words/fold.ts';
import { wordPieces } from '../language/words/word-pieces.ts';
import type { Input } from './encoder.ts';

/** Pieces of BERT's vocabulary. */
const [UNKNOWN, START, END] = [100, 101, 102];
/** The most pieces of the question, of each turn, and of who said it. */
const [MOST_OF_QUESTION, MOST_OF_TURN, MOST_OF_ROLE] = [24, 48, 8];
/** A piece has a few letters: more characters than this have no room, and are not looked at. */
const CHARACTERS_PER_PIECE = 12;
/** A word, or any other character alone. */
const TOKEN = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu;
/** Characters without a form of their own: joiners, soft hyphens, variation selectors. */
const UNSEEN = /\p{Cf}|\p{Variation_Selector}/gu;
const APOSTROPHES = /[‘’ʼ]/g;
const QUOTES = /[“”„]/g;

/** A turn as it is read. */
export interface TurnToRead {
  role: string;
  /** Its sentences, and how well each of them fits the question. */
  sentences: readonly string[];
  fits: readonly number[];
}

/** Returns the first pieces of a text: its words as BERT splits them, any other character alone. */
export const piecesOf = (table: StaticTable, text: string, most = Number.POSITIVE_INFINITY): number[] => {
  const read = text.slice(0, most * CHARACTERS_PER_PIECE);
  const plain = streamSafe(read).replace(UNSEEN, '').replace(APOSTROPHES, "'").replace(QUOTES, '"');
  const found = [...plain.matchAll(TOKEN)].flatMap(([token]) => {
    const pieces = wordPieces(table, fold(token));
    return pieces.length > 0 ? pieces : [UNKNOWN];
  });
  return found.slice(0, most);
};

/** Returns the pieces of a turn: where it is long, those of the sentences that fit best. */
export const piecesOfTurn = (table: StaticTable, { role, sentences, fits }: TurnToRead): number[] => {
  const pieces = sentences.map(sentence => piecesOf(table, sentence, MOST_OF_TURN));
  const order = [...sentences.keys()].sort((a, b) => fits[b]! - fits[a]! || a - b);
  const chosen = new Set<number>();
  let room = MOST_OF_TURN;
  for (const i of order) {
    if (pieces[i]!.length > room) continue;
    chosen.add(i);
    room -= pieces[i]!.length;
  }
  const said = pieces.flatMap((of, i) => (chosen.has(i) ? of : []));
  return [...piecesOf(table, role, MOST_OF_ROLE), ...piecesOf(table, ':'), ...said];
};

/** Puts a question and a turn together: `[CLS] question [SEP] turn [SEP]`. */
export const inputOf = (table: StaticTable, question: string, turn: TurnToRead): Input => {
  const asked = [START, ...piecesOf(table, question, MOST_OF_QUESTION), END];
  return { pieces: [...asked, ...piecesOfTurn(table, turn), END], question: asked.length };
};
