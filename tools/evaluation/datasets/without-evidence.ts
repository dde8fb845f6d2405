import { makeRandom } from '../measure/bootstrap.ts';
import type { Conversation, Question, Session, Turn } from './dataset.ts';

/**
 * Maximum share of a conversation's turns that a copy may lack: beyond it, another conversation would be
 * measured.
 */
const MOST_LEFT_OUT = 0.1;
/** Maximum share for the sake of the first question, whose evidence may be much of a short conversation. */
const MOST_FOR_ONE = 0.5;
const SEED = 1;

/**
 * Returns the turns that hold a question's evidence and, within their session, the turns beside them, which
 * may repeat it.
 */
const turnsAround = (sessions: readonly Session[], evidence: ReadonlySet<string>): Set<string> => {
  const around = new Set<string>();
  for (const { id, turns } of sessions) {
    const named = (turn: Turn | undefined): boolean =>
      turn !== undefined && (evidence.has(turn.id) || evidence.has(id));
    for (const [i, turn] of turns.entries())
      if (named(turn) || named(turns[i - 1]) || named(turns[i + 1])) around.add(turn.id);
  }
  return around;
};

const without = (
  { sessions, ...conversation }: Conversation,
  leftOut: ReadonlySet<string>,
): Conversation => ({
  ...conversation,
  sessions: sessions
    .map(session => ({ ...session, turns: session.turns.filter(({ id }) => !leftOut.has(id)) }))
    .filter(({ turns }) => turns.length > 0),
});

/**
 * Returns the conversation as if the question's evidence, and the turns beside it, had never been said: the
 * question has no answer in it, unless an unlabelled turn answers it too. It is the copy's only question,
 * unanswerable and without evidence. A pure function: a fit needs `offlineScope` of it.
 */
export const withoutEvidence = (conversation: Conversation, question: Question): Conversation => ({
  ...without(conversation, turnsAround(conversation.sessions, new Set(question.evidence))),
  questions: [unanswerable(question)],
});

const unanswerable = (question: Question): Question => ({ ...question, evidence: [], answerable: false });

/** Shuffles, always in the same way: in a file, questions about one thing are often adjacent. */
const shuffled = <T>(items: readonly T[]): T[] => {
  const random = makeRandom(SEED);
  return items
    .map(item => ({ item, by: random() }))
    .sort((a, b) => a.by - b.by)
    .map(({ item }) => item);
};

/**
 * Returns copies of a conversation, each without the evidence of a batch of its questions, which are its only
 * questions. `copies` is the number of additional loads of the conversation, however many questions there
 * are. The evidence of a batch does not overlap, and a copy lacks at most a tenth of the turns; questions
 * that do not fit are not asked.
 */
export const copiesWithoutEvidence = (conversation: Conversation, copies: number): Conversation[] => {
  const turns = conversation.sessions.flatMap(session => session.turns).length;
  let waiting = shuffled(conversation.questions.filter(({ answerable }) => answerable)).map(question => ({
    question,
    around: turnsAround(conversation.sessions, new Set(question.evidence)),
  }));
  const made: Conversation[] = [];
  while (made.length < copies && waiting.length > 0) {
    const leftOut = new Set<string>();
    const questions: Question[] = [];
    const passedOver: typeof waiting = [];
    for (const one of waiting) {
      const most = turns * (questions.length === 0 ? MOST_FOR_ONE : MOST_LEFT_OUT);
      if (leftOut.size + one.around.size > most || !leftOut.isDisjointFrom(one.around)) {
        passedOver.push(one);
        continue;
      }
      for (const id of one.around) leftOut.add(id);
      questions.push(unanswerable(one.question));
    }
    if (questions.length === 0) break;
    made.push({ ...without(conversation, leftOut), questions });
    waiting = passedOver;
  }
  return made;
};
