import type { Conversation, Question, Session } from './dataset.ts';
import { copiesWithoutEvidence } from './without-evidence.ts';

/** Where a question for the calibration of confidence comes from. */
export type Case = 'asked' | 'absent' | 'small';

/** More copies of a conversation would hardly show another kind of absence. */
const COPIES = 2;
/** One question in so many is asked of a scope of a few turns, too. */
const SMALL_EVERY = 4;
/** Turns of a small scope, before and from the evidence on. */
const [BEFORE, FROM] = [2, 2];

/**
 * What the questions of a data set never show: that the answer was not said although much like it was, and scopes of a few turns,
 * as everybody's first ones are.
 */
export const calibrationCases = (
  conversation: Conversation,
): { conversation: Conversation; of: Exclude<Case, 'asked'> }[] => [
  ...copiesWithoutEvidence(conversation, COPIES).map(copy => ({ conversation: copy, of: 'absent' as const })),
  ...smallScopes(conversation).map(small => ({ conversation: small, of: 'small' as const })),
];

/** For some questions the turns around their evidence, and as many turns of another session, of which they can't be answered. */
const smallScopes = ({ sessions, questions, ...conversation }: Conversation): Conversation[] =>
  questions
    .filter(({ answerable, evidence }) => answerable && evidence.length === 1)
    .filter((_, i) => i % SMALL_EVERY === 0)
    .flatMap((question, i) => {
      const own = sessions.find(({ turns }) => turns.some(({ id }) => id === question.evidence[0]));
      const others = sessions.filter(session => session !== own);
      if (!own) return [];
      const scope = (session: Session, at: number, asked: Question): Conversation => ({
        ...conversation,
        sessions: [{ ...session, turns: session.turns.slice(Math.max(0, at - BEFORE), at + FROM) }],
        questions: [asked],
      });
      const at = own.turns.findIndex(({ id }) => id === question.evidence[0]);
      const other = others[i % Math.max(1, others.length)];
      const unanswerable = { ...question, evidence: [], answerable: false };
      return [scope(own, at, question), ...(other ? [scope(other, BEFORE + i, unanswerable)] : [])];
    })
    .filter(({ sessions }) => sessions[0]!.turns.length > 0);
