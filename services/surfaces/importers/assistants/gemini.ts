/**
 * Conversations with Gemini in Google Takeout. Of a private account: `MyActivity.json` of Gemini Apps, a
 * list of what was done, the latest first, each with what was asked and the answer. Of an account at work:
 * a file a conversation, with `conversation_turns`.
 */
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import type { Archive } from '../files/archive.ts';
import { htmlText } from '../files/html-text.ts';
import { jsonValues } from '../files/json-values.ts';
import {
  type Conversation,
  type Faulty,
  importFault,
  isImportFault,
  type LeftOut,
  leftOut,
  type Said,
} from '../turns/found.ts';
import { titleFrom } from '../turns/title.ts';
import { isObject, type Json, textOf } from './conversation-files.ts';

/** The activity is no list of conversations: one ends where nothing was said for so long. */
const LONGEST_PAUSE_MS = 30 * 60 * 1000;
const PICTURES = 'pictures, recordings and files';

/** Words before what was asked; Google writes them in the account's language. */
const ASKED = /^(?:Prompted(?: with:)?|Asked(?: Gemini:| Bard:)?|Said|Branched|Answered) /;
const DONE =
  /^(?:Created|Used|Added|Gave|Selected|Shared|Deleted|Viewed|Visited|Searched|Edited|Pinned|Renamed|Exported|Updated|Removed|Turned) /;
const ATTACHED = /\s*Attached \d+ files?\.?\s*$/i;

const isOfGemini = ({ header, products }: Json): boolean =>
  [header, ...(Array.isArray(products) ? products : [])].some(
    name => typeof name === 'string' && /gemini|\bbard\b/i.test(name),
  );

const isActivity = (value: unknown): value is Json =>
  isObject(value) && typeof value.title === 'string' && typeof value.time === 'string' && isOfGemini(value);

const isConversation = (value: unknown): value is Json =>
  isObject(value) && Array.isArray(value.conversation_turns);

const ACTIVITY_FILE = /(^|\/)My ?Activity[^/]*\.json$/i;
const NAMED = /gemini|\bbard\b/i;
const CONVERSATION_FILE = /(^|\/)conversation_\d+\.(txt|json)$/i;
/** A Takeout may have what was done in other products, each in a folder with its name. */
const filesOf = ({ kind, entries }: Archive): string[] => {
  const paths = entries.map(({ path }) => path);
  if (kind === 'file') return paths;
  const activities = paths.filter(path => ACTIVITY_FILE.test(path));
  const named = activities.filter(path => NAMED.test(path));
  return [...(named.length > 0 ? named : activities), ...paths.filter(path => CONVERSATION_FILE.test(path))];
};

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseInstant(value) : undefined;

interface Asked {
  location: string;
  at: number;
  question: string;
  answer: string;
}

/** Returns what was asked and answered, or why an activity is neither. */
const askedIn = (activity: Json, location: string): Asked | LeftOut | Faulty => {
  const title = String(activity.title);
  const answer = listOf(activity.safeHtmlItem)
    .map(({ html }) => htmlText(textOf(html) ?? ''))
    .filter(text => text !== '')
    .join('\n\n');
  // In another language the word before the question is unknown; what has an answer was a question.
  if (!ASKED.test(title) && (DONE.test(title) || answer === ''))
    return leftOut('activities that are no questions');
  const at = timeOf(activity.time);
  if (at === undefined) return { location, faults: ['has no readable time'] };
  return { location, at, question: title.replace(ASKED, '').replace(ATTACHED, '').trim(), answer };
};

function* conversationOf(group: Asked[]): Generator<Said> {
  const inOrder = group.toSorted((a, b) => a.at - b.at);
  const first = inOrder[0]!;
  const title = titleFrom(first.question);
  const session = `gemini-${new Date(first.at).toISOString()}`;
  const conversation: Conversation = { session, title: title === '' ? session : title };
  for (const { location, at, question, answer } of inOrder) {
    yield { location, conversation, role: 'user', text: question, at };
    // Only the question has a time.
    if (answer !== '') yield { location, conversation, role: 'assistant', text: answer, at: at + 1 };
  }
}

/** Groups the activities, which are in the order of time, either way, into conversations. */
async function* readActivities(
  values: AsyncIterable<{ value: unknown; location: string }>,
): AsyncGenerator<Said | LeftOut | Faulty> {
  let group: Asked[] = [];
  for await (const { value, location } of values) {
    if (!isActivity(value)) {
      yield leftOut('activities of other products');
      continue;
    }
    const asked = askedIn(value, location);
    if (!('question' in asked)) {
      yield asked;
      continue;
    }
    const files = listOf(value.attachedFiles).length + listOf(value.audioFiles).length;
    if (files > 0) yield leftOut(PICTURES, files);
    const last = group.at(-1);
    if (last && Math.abs(last.at - asked.at) > LONGEST_PAUSE_MS) {
      yield* conversationOf(group);
      group = [];
    }
    group.push(asked);
  }
  if (group.length > 0) yield* conversationOf(group);
}

/** The words of an answer: texts, and cards beside them. */
const answerOf = ({ text }: Json): string =>
  listOf(text)
    .flatMap(({ data, cards }) => [data, ...listOf(cards).map(({ content }) => content)])
    .flatMap(words => textOf(words) ?? [])
    .join('\n\n');

function* readConversation(value: Json, file: string): Generator<Said | LeftOut | Faulty> {
  const created = timeOf(value.creation_time);
  const session = `gemini-${textOf(value.creation_time) ?? file}`;
  const conversation = { session, title: textOf(value.title) ?? session };
  let time = created;
  for (const [index, turn] of listOf(value.conversation_turns).entries()) {
    const location = `${file}, turn ${index + 1}`;
    const asked = isObject(turn.user_turn) ? turn.user_turn : undefined;
    const said = asked ?? (isObject(turn.system_turn) ? turn.system_turn : {});
    if (said.turn_deleted_time != null) {
      yield leftOut('messages that were deleted');
      continue;
    }
    time = timeOf(said.turn_last_modified) ?? time;
    if (listOf(said.model_thoughts).length > 0) yield leftOut("the assistant's reasoning");
    if (Array.isArray(said.images) && said.images.length > 0) yield leftOut(PICTURES, said.images.length);
    const text = asked ? (textOf(asked.prompt) ?? '') : answerOf(said);
    if (time === undefined) yield { location, faults: ['has no time'] };
    else yield { location, conversation, role: asked ? 'user' : 'assistant', text, at: time };
  }
}

async function* valuesIn(
  archive: Archive,
  file: string,
): AsyncGenerator<{ value: unknown; location: string }> {
  const where = archive.kind === 'file' ? '' : `${file}, `;
  let number = 0;
  try {
    for await (const value of jsonValues(archive.read(file)))
      yield { value, location: `${where}activity ${++number}` };
  } catch (error) {
    if (isImportFault(error) && where !== '') throw importFault(`${file} ${error.message}`, error);
    throw error;
  }
}

/** Whether a file with a name of its own has one conversation. */
const isOneConversation = async (archive: Archive, file: string): Promise<boolean> => {
  if (archive.kind !== 'file') return false;
  for await (const { value } of valuesIn(archive, file)) return isConversation(value);
  return false;
};

export const gemini = {
  recognizes: async (archive: Archive, first: unknown): Promise<boolean> => {
    if (archive.kind === 'file') return isActivity(first) || isConversation(first);
    const [file] = filesOf(archive);
    if (file === undefined) return false;
    // Its folder says so. What is damaged is reported by the reader.
    if (NAMED.test(file)) return true;
    try {
      for await (const { value } of valuesIn(archive, file))
        return isActivity(value) || isConversation(value);
    } catch {
      return false;
    }
    return false;
  },
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    const files = filesOf(archive);
    if (files.length === 0)
      throw importFault('has no MyActivity.json: choose JSON for My Activity in Takeout');
    for (const file of files) {
      if (!CONVERSATION_FILE.test(file) && !(await isOneConversation(archive, file))) {
        yield* readActivities(valuesIn(archive, file));
        continue;
      }
      for await (const { value } of valuesIn(archive, file))
        if (isConversation(value)) yield* readConversation(value, file);
        else yield { location: file, faults: ['has no conversation_turns'] };
    }
  },
};
