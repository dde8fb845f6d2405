/**
 * Reorders the best turns by what their words are: an answer of the kind that the question asks for, about
 * the person that it asks about, rather than another question or a courtesy. The ranking knows words and
 * their neighbours in meaning; it doesn't know that a Pixel is a phone, or that "half two" is a time.
 */
import { answerKinds } from '../language/query/answer-kinds.ts';
import { askedPersons, bearing, namesByRelation } from '../language/query/asked-persons.ts';
import { tellsChange } from '../language/query/tells-change.ts';
import { isQuestion } from '../language/words/flags.ts';
import type { Ranked } from './rank.ts';
import { isFiller, onlyAsks } from './timeline/filler.ts';

/** Turns that may change places, by kind of chat: in chats of people the ranking's order is as good. */
const REORDERED = { assistant: 20, people: 10 } as const;
/** In characters: a longer turn has words of every kind. */
const LONG = 300;
const SHORT = 25;
/** A longer question tells something of its speaker. */
const SHORT_QUESTION = 80;

/** Log-odds, fitted on chats with an assistant and then rounded; others of that kind keep their order. */
const WEIGHTS = {
  onlyAsks: -1.5,
  filler: -2,
  form: 0.5,
  otherForm: -0.3,
  things: 0.8,
  otherThings: -0.7,
  short: -1,
  changed: 0.2,
  samePerson: 0.5,
} as const;
/** The best turns of a chat with an assistant answer more often than their words alone tell. */
const READ = 0.7;
/** A turn about somebody else of that name is no answer. */
const OTHER_PERSON = -6;
/** For a turn that followed the same question; less than nothing if it says that nobody knows. */
const FOLLOWS = 3;
const UNKNOWN =
  /\b(?:(?:do|did|does)(?:n['’]t| not) (?:know|have|remember)|no idea|not sure|never (?:told|said|mentioned)|haven['’]t (?:told|said|mentioned)|can['’]t (?:find|tell)|could you tell me)\b/i;

/** Returns the places of the turns that may move. */
export const answerPlaces = (ranked: readonly Ranked[], follows: (one: Ranked) => boolean): number[] => {
  const most = REORDERED[ranked[0]?.chat ?? 'people'];
  let turns = 0;
  return ranked.flatMap((one, place) => {
    if (one.candidate.kind !== 'turn') return [];
    return turns++ < most || follows(one) ? [place] : [];
  });
};

/** Whether words can change the order: among people they only tell persons of one name apart. */
export const readsWords = (
  ranked: readonly Ranked[],
  question: string,
  follows: (one: Ranked) => boolean,
): boolean => ranked[0]?.chat === 'assistant' || askedPersons(question).length > 0 || ranked.some(follows);

/** Whether an answer says that nobody knows, or asks back. */
const tellsNothing = (text: string): boolean => UNKNOWN.test(text.slice(0, LONG)) || onlyAsks(text);

const kindOdds = (question: string): ((text: string) => number) => {
  const { form, things } = answerKinds(question);
  return text => {
    if (text.length > LONG) return 0;
    const isQuestionAlone = text.length < SHORT_QUESTION && onlyAsks(text);
    const share = things.filter(words => words.test(text)).length / things.length;
    return (
      (isQuestionAlone ? WEIGHTS.onlyAsks : !isQuestion(text) && isFiller(text) ? WEIGHTS.filler : 0) +
      (form ? (form.test(text) ? WEIGHTS.form : WEIGHTS.otherForm) : 0) +
      (things.length > 0 ? share * WEIGHTS.things + (share === 0 ? WEIGHTS.otherThings : 0) : 0) +
      (text.length < SHORT ? WEIGHTS.short : 0) +
      (tellsChange(text) ? WEIGHTS.changed : 0)
    );
  };
};

/**
 * Returns the ranking with what the words of its first turns add to their scores.
 *
 * @param follows whether a turn follows the same question in its session
 * @param textOf the text of one of these turns, by its candidate's key; undefined if it is gone
 */
export const answerFirst = (
  ranked: readonly Ranked[],
  question: string,
  follows: (one: Ranked) => boolean,
  textOf: (key: number) => string | undefined,
): Ranked[] => {
  const places = answerPlaces(ranked, follows);
  const said = new Map(
    places.map(place => {
      const { candidate } = ranked[place]!;
      return [candidate.key, { text: textOf(candidate.key) ?? '', role: candidate.role }] as const;
    }),
  );
  const persons = askedPersons(question);
  const names = namesByRelation(persons, [...said.values()]);
  const kind = ranked[0]?.chat === 'assistant' ? kindOdds(question) : () => 0;
  const added = (one: Ranked): number => {
    const own = said.get(one.candidate.key)!;
    const person = bearing(persons, own, names);
    const ofKind = kind(own.text);
    // A short answer to the same question is an answer all the same.
    if (follows(one)) return tellsNothing(own.text) ? -FOLLOWS : FOLLOWS + Math.max(0, ofKind);
    if (person === 'other') return ofKind + OTHER_PERSON;
    return ofKind + (person === 'same' && one.chat === 'assistant' ? WEIGHTS.samePerson : 0);
  };
  const moved = new Set(places);
  const level = ranked[0]?.chat === 'assistant' ? READ : 0;
  return ranked
    .map((one, place) => (moved.has(place) ? withOdds(one, added(one) + level) : one))
    .sort((a, b) => b.score - a.score);
};

const withOdds = (one: Ranked, added: number): Ranked => {
  if (added === 0) return one;
  const score = 1 / (1 + ((1 - one.score) / one.score) * Math.exp(-added));
  return { ...one, score, factor: ((one.factor ?? 1) * score) / one.score };
};
