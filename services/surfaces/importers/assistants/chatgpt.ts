/**
 * ChatGPT's data export: conversations whose `mapping` is a tree of messages. The branch that ends in
 * `current_node` is the conversation; the others are edited questions and regenerated answers.
 */
import type { Archive } from '../files/archive.ts';
import { type Faulty, type LeftOut, leftOut, type Said } from '../turns/found.ts';
import { branchTo } from './branch.ts';
import { isContext, makeContext, memoryWritten } from './chatgpt-context.ts';
import { conversationFiles, conversationsOf, isObject, type Json, textOf } from './conversation-files.ts';

/** The assistant's reasoning, in the two newer content types. */
const REASONING = new Set(['thoughts', 'reasoning_recap']);
const ATTACHMENT = 'pictures, recordings and files';
/** Citation marks: between private-use characters, or 【…†…】. Their numbers refer to nothing in the export. */
const SOURCE_MARKS = /\uE200[^\uE200\uE201]*\uE201|【\d+[^【】]*†[^【】]*】/g;

const nodeOf = (mapping: Json, id: string): Json | undefined => {
  const node = Object.hasOwn(mapping, id) ? mapping[id] : undefined;
  return isObject(node) ? node : undefined;
};

const childrenOf = (node: Json): string[] =>
  Array.isArray(node.children) ? node.children.filter(child => typeof child === 'string') : [];

/**
 * Returns the last message: some conversations in old exports lack `current_node`, so it takes the last child
 * at each fork.
 */
const lastLeaf = (mapping: Json): string | undefined => {
  let leaf: string | undefined;
  let next = Object.keys(mapping).find(key => textOf(nodeOf(mapping, key)?.parent) === undefined);
  const passed = new Set<string>();
  while (next !== undefined && !passed.has(next)) {
    leaf = next;
    passed.add(leaf);
    next = childrenOf(nodeOf(mapping, leaf) ?? {}).findLast(child => nodeOf(mapping, child));
  }
  return leaf;
};

const partText = (part: unknown): string | undefined => {
  if (typeof part === 'string') return part;
  // A recording is exported with its transcript.
  return isObject(part) && part.content_type === 'audio_transcription' ? textOf(part.text) : undefined;
};

const contentText = (content: Json): string => {
  const parts = Array.isArray(content.parts) ? content.parts.map(partText) : [content.text];
  return parts.filter(part => typeof part === 'string' && part !== '').join('\n');
};

/** Whether the message has parts besides the stored text. */
const hasAttachment = ({ parts }: Json): boolean =>
  Array.isArray(parts) && parts.some(part => isObject(part) && partText(part) === undefined);

/** Returns the reason why a message is not a turn; undefined if it is one. */
const reasonAgainst = (message: Json, role: string, content: Json, metadata: Json): string | undefined => {
  if (role === 'system') return 'system messages';
  if (metadata.is_visually_hidden_from_conversation === true || message.weight === 0)
    return 'messages that ChatGPT hides';
  if (REASONING.has(String(content.content_type ?? ''))) return "the assistant's reasoning";
  const recipient = textOf(message.recipient) ?? 'all';
  if (role === 'tool' || recipient !== 'all') return 'calls of tools and their results';
  if (role !== 'user' && role !== 'assistant') return 'messages of an unknown role';
  return contentText(content) === '' && hasAttachment(content) ? ATTACHMENT : undefined;
};

/** Converts Unix seconds (a float) to milliseconds, rounded. */
const milliseconds = (seconds: unknown): number | undefined =>
  typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0
    ? Math.round(seconds * 1_000)
    : undefined;

type Context = ReturnType<typeof makeContext>;

function* readConversation(
  value: unknown,
  location: string,
  context: Context,
): Generator<Said | LeftOut | Faulty> {
  if (!isObject(value) || !isObject(value.mapping)) {
    yield { location, faults: ['has no mapping, the tree of its messages'] };
    return;
  }
  const id = textOf(value.conversation_id) ?? textOf(value.id);
  if (id === undefined) {
    yield { location, faults: ['has no id'] };
    return;
  }
  const { mapping } = value;
  const conversation = { session: `chatgpt-${id}`, title: textOf(value.title) ?? id };
  const named = textOf(value.current_node);
  const leaf = named !== undefined && nodeOf(mapping, named) ? named : lastLeaf(mapping);
  const branch = branchTo(
    leaf,
    key => nodeOf(mapping, key),
    node => textOf(node.parent),
  );

  let time = milliseconds(value.create_time);
  let number = 0;
  for (const { message } of branch) {
    if (!isObject(message)) continue;
    number++;
    // A message without a time gets that of the previous one, before which it can't be.
    time = milliseconds(message.create_time) ?? time;
    const role = isObject(message.author) ? String(message.author.role) : '';
    const content = isObject(message.content) ? message.content : {};
    const metadata = isObject(message.metadata) ? message.metadata : {};
    if (isContext(content, metadata)) {
      if (time !== undefined) context.addCopy(content, metadata, time);
      continue;
    }
    const written = memoryWritten(message, contentText(content));
    if (written !== undefined && time !== undefined) {
      context.addMemory(written, time);
      continue;
    }
    const reason = reasonAgainst(message, role, content, metadata);
    if (reason !== undefined) {
      yield leftOut(reason);
      continue;
    }
    if (hasAttachment(content)) yield leftOut(ATTACHMENT);
    const here = `${location}, message ${number}`;
    const text = contentText(content);
    if (time === undefined) yield { location: here, faults: ['has no time'] };
    else
      yield {
        location: here,
        conversation,
        role,
        text: role === 'assistant' ? text.replace(SOURCE_MARKS, '') : text,
        at: time,
      };
  }
  const all = Object.keys(mapping).filter(key => isObject(nodeOf(mapping, key)?.message)).length;
  if (all > number) yield leftOut('messages of other branches, edited or answered again', all - number);
}

export const chatgpt = {
  recognizes: (archive: Archive, first: unknown): boolean =>
    conversationFiles(archive).length > 0 && isObject(first) && isObject(first.mapping),
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    const context = makeContext();
    for await (const { location, value } of conversationsOf(archive))
      yield* readConversation(value, location, context);
    yield* context.all();
  },
};
