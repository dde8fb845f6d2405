/**
 * Claude's data export: conversations with `chat_messages`. Since 2024 messages consist of blocks; since 2026
 * each message names its parent, and edited questions and regenerated answers are included in addition to the
 * branch that was shown last.
 */
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import type { Archive } from '../files/archive.ts';
import { type Faulty, type LeftOut, leftOut, type Said } from '../turns/found.ts';
import { branchTo } from './branch.ts';
import { hasMemory, readMemory } from './claude-memory.ts';
import { conversationFiles, conversationsOf, isObject, type Json, textOf } from './conversation-files.ts';

const ROLES = new Map<unknown, 'user' | 'assistant'>([
  ['human', 'user'],
  ['user', 'user'],
  ['assistant', 'assistant'],
]);

const REASON_OF_BLOCK = new Map<unknown, string>([
  ['thinking', "the assistant's reasoning"],
  ['redacted_thinking', "the assistant's reasoning"],
  ['tool_use', 'calls of tools and their results'],
  ['tool_result', 'calls of tools and their results'],
]);

/**
 * Converts RFC 3339 with microseconds to whole milliseconds. A time without an offset is UTC, on every
 * machine.
 */
const milliseconds = (time: unknown): number | undefined =>
  typeof time === 'string' ? parseInstant(time) : undefined;

/**
 * Returns the branch that was shown last, or all messages if none names a parent. A message without a parent
 * is a root.
 */
const shown = (conversation: Json, messages: Json[]): Json[] => {
  const byId = new Map(messages.map(message => [textOf(message.uuid), message]));
  const parents = messages.map(message => textOf(message.parent_message_uuid));
  const isTree = parents.some(parent => parent !== undefined);
  const forks = new Set(parents).size < parents.length;
  if (!isTree || !forks) return messages;
  const latest = messages.reduce((last, message) =>
    (milliseconds(message.created_at) ?? 0) >= (milliseconds(last.created_at) ?? 0) ? message : last,
  );
  const named = textOf(conversation.current_leaf_message_uuid);
  return branchTo(
    named !== undefined && byId.has(named) ? named : textOf(latest.uuid),
    id => byId.get(id),
    message => textOf(message.parent_message_uuid),
  );
};

const blocksOf = (message: Json): Json[] =>
  Array.isArray(message.content) ? message.content.filter(isObject) : [];

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A long text that was pasted into a message is exported as a file without a name, or with Claude's. */
const isPasted = ({ file_name, extracted_content }: Json): boolean =>
  textOf(extracted_content) !== undefined && /^(?:pasted?\b.*)?$/i.test(textOf(file_name) ?? '');

/**
 * Returns the text of the blocks and what is pasted. `text` is used only without blocks: for blocks other
 * than text it is a generated sentence.
 */
const messageText = (message: Json): string => {
  const blocks = blocksOf(message);
  const typed =
    blocks.length === 0
      ? [textOf(message.text) ?? '']
      : blocks.flatMap(({ type, text }) => (type === 'text' ? (textOf(text) ?? []) : []));
  const pasted = listOf(message.attachments)
    .filter(isPasted)
    .map(({ extracted_content }) => String(extracted_content));
  return [...typed, ...pasted].filter(text => text !== '').join('\n\n');
};

function* blocksLeftOut(message: Json): Generator<LeftOut> {
  for (const { type } of blocksOf(message))
    if (type !== 'text') yield leftOut(REASON_OF_BLOCK.get(type) ?? 'blocks of other kinds');
  const files = [...listOf(message.attachments).filter(one => !isPasted(one)), ...listOf(message.files)];
  if (files.length > 0) yield leftOut('attachments and files', files.length);
}

function* readConversation(value: unknown, location: string): Generator<Said | LeftOut | Faulty> {
  if (!isObject(value) || !Array.isArray(value.chat_messages)) {
    yield { location, faults: ['has no chat_messages'] };
    return;
  }
  const id = textOf(value.uuid);
  if (id === undefined) {
    yield { location, faults: ['has no uuid'] };
    return;
  }
  const conversation = { session: `claude-${id}`, title: textOf(value.name) ?? id };
  const messages = value.chat_messages.filter(isObject);
  const branch = messages.length === 0 ? [] : shown(value, messages);
  let time = milliseconds(value.created_at);
  for (const [index, message] of branch.entries()) {
    const here = `${location}, message ${index + 1}`;
    time = milliseconds(message.created_at) ?? time;
    const role = ROLES.get(message.sender);
    if (role === undefined) {
      yield leftOut('messages of an unknown role');
      continue;
    }
    yield* blocksLeftOut(message);
    const text = messageText(message);
    // A message without text blocks was already counted by its blocks.
    if (text === '' && blocksOf(message).length > 0) continue;
    if (time === undefined) yield { location: here, faults: ['has no time'] };
    else yield { location: here, conversation, role, text, at: time };
  }
  if (branch.length < messages.length)
    yield leftOut('messages of other branches, edited or answered again', messages.length - branch.length);
}

const latestOf = (value: unknown): number => {
  const { updated_at, created_at } = isObject(value) ? value : {};
  return milliseconds(updated_at) ?? milliseconds(created_at) ?? Number.NEGATIVE_INFINITY;
};

export const claude = {
  recognizes: (archive: Archive, first: unknown): boolean =>
    conversationFiles(archive).length > 0
      ? isObject(first) && Array.isArray(first.chat_messages)
      : hasMemory(archive),
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    let latest = Number.NEGATIVE_INFINITY;
    if (conversationFiles(archive).length > 0 || !hasMemory(archive))
      for await (const { location, value } of conversationsOf(archive)) {
        latest = Math.max(latest, latestOf(value));
        yield* readConversation(value, location);
      }
    yield* readMemory(archive, Number.isFinite(latest) ? latest : undefined);
  },
};
