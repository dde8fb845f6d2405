import { isAssistant } from '../../../../domain/language/query/speakers.ts';
import type { Conversation, Question, Session } from '../../datasets/dataset.ts';
import { copiesWithoutEvidence } from '../../datasets/without-evidence.ts';

/**
 * The origin of a question for the calibration of confidence: its data set; a copy that lacks its evidence;
 * four turns around its evidence; four turns around another person's statement on it; four turns of another
 * session; another conversation's question; several pairs' conversations in one scope, and a copy of that
 * which lacks its evidence.
 */
export type Case =
  | 'asked'
  | 'absent'
  | 'small'
  | 'smallOther'
  | 'smallForeign'
  | 'foreign'
  | 'group'
  | 'groupAbsent';

export interface CalibrationCase {
  conversation: Conversation;
  of: Exclude<Case, 'asked'>;
}

/** Further copies of a conversation would hardly show another kind of absence. */
const COPIES = 2;
/** One question of this many is also asked of a scope of a few turns. */
const SMALL_EVERY = 4;
/** Turns of a small scope: before the evidence, and from it on. */
const [BEFORE, FROM] = [2, 2];
/** Number of questions from another conversation. */
const FOREIGN = 15;
/** Pairs in one scope; one question of this many is asked of it. */
const [PAIRS, GROUP_EVERY] = [3, 4];

/**
 * Makes cases that the questions of a data set never show: an answer that was not said, although something
 * similar was, or nothing similar; scopes of a few turns, as everybody's first ones are; and several kinds of
 * groups.
 *
 * @param others the other conversations of the data set
 */
export const calibrationCases = (
  conversation: Conversation,
  others: readonly Conversation[],
): CalibrationCase[] => {
  const group = groupOf(conversation, others);
  return [
    ...copiesWithoutEvidence(conversation, COPIES).map(copy => ({
      conversation: copy,
      of: 'absent' as const,
    })),
    ...smallScopes(conversation),
    ...(others[0]
      ? [{ conversation: withQuestionsOf(conversation, others[0]), of: 'foreign' as const }]
      : []),
    ...(group
      ? [
          { conversation: group, of: 'group' as const },
          ...copiesWithoutEvidence(group, 1).map(copy => ({
            conversation: copy,
            of: 'groupAbsent' as const,
          })),
        ]
      : []),
  ];
};

/**
 * Returns, for some questions, the turns around their evidence, and as many turns of another session, from
 * which they can't be answered.
 */
const smallScopes = ({ sessions, questions, ...conversation }: Conversation): CalibrationCase[] => {
  const scope = (of: CalibrationCase['of'], session: Session, at: number, question: Question) => ({
    of,
    conversation: {
      ...conversation,
      sessions: [{ ...session, turns: session.turns.slice(Math.max(0, at - BEFORE), at + FROM) }],
      questions: [question],
    },
  });
  return [true, false]
    .flatMap(kept =>
      questions
        .filter(({ answerable, evidence }) => answerable === kept && evidence.length === 1)
        .filter((_, i) => i % SMALL_EVERY === 0),
    )
    .flatMap((question, i) => {
      const own = sessions.find(({ turns }) => turns.some(({ id }) => id === question.evidence[0]));
      if (!own) return [];
      const at = own.turns.findIndex(({ id }) => id === question.evidence[0]);
      const around = scope(question.answerable ? 'small' : 'smallOther', own, at, question);
      const others = sessions.filter(session => session !== own);
      const other = question.answerable ? others[i % Math.max(1, others.length)] : undefined;
      return other ? [around, scope('smallForeign', other, BEFORE + i, unanswerable(question))] : [around];
    })
    .filter(({ conversation }) => conversation.sessions[0]!.turns.length > 0);
};

const unanswerable = (question: Question): Question => ({ ...question, evidence: [], answerable: false });

const withQuestionsOf = (conversation: Conversation, { questions }: Conversation): Conversation => {
  const answerable = questions.filter(question => question.answerable);
  const every = Math.max(1, Math.floor(answerable.length / FOREIGN));
  return { ...conversation, questions: answerable.filter((_, i) => i % every === 0).map(unanswerable) };
};

const speakersOf = ({ sessions }: Conversation): Set<string> =>
  new Set(sessions.flatMap(({ turns }) => turns.map(({ role }) => role)));

const isPair = (speakers: ReadonlySet<string>): boolean =>
  speakers.size === 2 && ![...speakers].some(isAssistant);

/**
 * Joins a pair's conversation with those of other pairs, session by session in order of time, as if one group
 * had them.
 */
const groupOf = (own: Conversation, others: readonly Conversation[]): Conversation | undefined => {
  const speakers = speakersOf(own);
  if (!isPair(speakers)) return;
  const joined = [own];
  for (const other of others) {
    const theirs = speakersOf(other);
    if (joined.length === PAIRS || !isPair(theirs) || !speakers.isDisjointFrom(theirs)) continue;
    joined.push(other);
    for (const speaker of theirs) speakers.add(speaker);
  }
  if (joined.length === 1) return;
  const ofAnother = ({ id, sessions }: Conversation): Session[] =>
    sessions.map(session => ({
      id: `${id}/${session.id}`,
      turns: session.turns.map(turn => ({ ...turn, id: `${id}/${turn.id}` })),
    }));
  const saidFirst = ({ turns }: Session): number => Date.parse(turns[0]?.timestamp ?? '');
  return {
    ...own,
    sessions: [...own.sessions, ...joined.slice(1).flatMap(ofAnother)].sort(
      (a, b) => saidFirst(a) - saidFirst(b),
    ),
    questions: own.questions.filter(({ answerable }) => answerable).filter((_, i) => i % GROUP_EVERY === 0),
  };
};
