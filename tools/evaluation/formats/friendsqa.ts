/**
 * FriendsQA (Yang & Choi 2019, emorynlp/FriendsQA, dat/*.json): a scene is a session, a season a
 * conversation, so that an answer is to be found among many scenes. Evidence is the utterances that contain
 * any annotator's answer, or whose speaker is the answer.
 */
import { makeCheck } from '../../../schemas/ajv.ts';
import type { Conversation, Session } from '../datasets/dataset.ts';
import {
  DAY,
  FIRST_MORNING,
  type Format,
  has,
  INTEGER,
  listOf,
  questionsOf,
  record,
  SECOND,
  STRING,
  TURN_TAKES,
  turnOf,
} from './format.ts';

interface Paragraph {
  /** With the colon, as it was published. */
  'utterances:': { uid: number; speakers: string[]; utterance: string }[];
  qas: { id: string; question: string; answers: { utterance_id: number }[] }[];
}

interface Scenes {
  data: { title: string; paragraphs: Paragraph[] }[];
}

/** Season, episode, scene: `s01_e23_c06`. */
const TITLE = /^s(\d{1,3})_e(\d{1,3}).*_c(\d{1,3})/;
const SCENE_TAKES = 1_800 * SECOND;

/**
 * Returns a scene's time: an episode a day and a scene each half hour, the same whichever files are read
 * together.
 */
const startOf = (episode: number, scene: number): number =>
  FIRST_MORNING + (episode - 1) * DAY + (scene - 1) * SCENE_TAKES;

/** Returns the question word of an id: `s01_e23_c06_What_Paraphrased` asks what. */
const categoryOf = (id: string): string =>
  /_(What|Who|When|Where|Why|How)\b|_(What|Who|When|Where|Why|How)_/
    .exec(id)
    ?.slice(1)
    .find(Boolean)
    ?.toLowerCase() ?? 'other';

export const friendsqa: Format<Scenes> = {
  name: 'FriendsQA',
  is: value => has(value, 'data'),
  check: makeCheck<Scenes>(
    record({
      data: listOf(
        record({
          title: { ...STRING, pattern: TITLE.source, 'x-rule': 'must name a season, an episode and a scene' },
          paragraphs: listOf(
            record({
              'utterances:': listOf(record({ uid: INTEGER, speakers: listOf(STRING), utterance: STRING })),
              qas: listOf(
                record({ id: STRING, question: STRING, answers: listOf(record({ utterance_id: INTEGER })) }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
  conversationsOf: ({ data }): Conversation[] =>
    data.map(({ title, paragraphs }) => {
      const [, season, episode, scene] = TITLE.exec(title)!;
      const start = startOf(Number(episode), Number(scene));
      const turnId = (uid: number): string => `${title}:${uid}`;
      const utterances = paragraphs.flatMap(paragraph => paragraph['utterances:']);
      const session: Session = {
        id: title,
        turns: utterances.flatMap(({ uid, speakers, utterance }, i) =>
          turnOf(turnId(uid), speakers.join(', '), utterance, start + i * TURN_TAKES),
        ),
      };
      const asked = paragraphs
        .flatMap(({ qas }) => qas)
        .map(({ id, question, answers }) => ({
          id,
          question,
          category: categoryOf(id),
          evidence: answers.map(answer => turnId(answer.utterance_id)),
        }));
      return {
        id: `s${season}`,
        sessions: [session],
        questions: questionsOf(asked, new Set(session.turns.map(turn => turn.id))),
      };
    }),
};
