import { makeRandom } from './bootstrap.ts';
import type { Conversation, Question, Session, Turn } from './dataset.ts';

/** Most of a conversation's turns that a copy of it may lack: beyond, another conversation would be measured. */
const MOST_LEFT_OUT = 0.1;
/** Most that it may lack for the sake of its first question, whose evidence may be much of a short conversation. */
const MOST_FOR_ONE = 0.5;
const SEED = 1;

/** The turns that hold a question's evidence and, within their session, the turns beside them, which may repeat it. */
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
 * The conversation as if the question's evidence had never been said, nor the turns beside it: of this scope the question
 * can't be answered, unless an unlabelled turn answers it too. Its questions are this one alone, unanswerable and without
 * evidence. A pure function: `offlineScope` of it is what a fit needs.
 */
export const withoutEvidence = (conversation: Conversation, question: Question): Conversation => ({
  ...without(conversation, turnsAround(conversation.sessions, new Set(question.evidence))),
  questions: [unanswerable(question)],
});

const unanswerable = (question: Question): Question => ({ ...question, evidence: [], answerable: false });

/** The same order every time, whatever the order of the file, in which questions about one thing often stand together. */
const shuffled = <T>(items: readonly T[]): T[] => {
  const random = makeRandom(SEED);
  return items
    .map(item => ({ item, by: random() }))
    .sort((a, b) => a.by - b.by)
    .map(({ item }) => item);
};

/**
 * Copies of a conversation, each without the evidence of a batch of its questions, which are its only questions. However
 * many questions there are, `copies` is how often the conversation is loaded once more. The evidence of a batch does not
 * overlap, and a copy lacks at most a tenth of the turns; what does not fit is not asked.
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
