/**
 * Collects what ChatGPT brings into every conversation: the custom instructions that its user wrote, and the
 * memories that it keeps of the user. Each conversation has a copy; stored is each text once, at its first
 * time.
 */
import { type LeftOut, leftOut, type Said } from '../turns/found.ts';
import { isObject, type Json, textOf } from './conversation-files.ts';

const INSTRUCTIONS = { session: 'chatgpt-custom-instructions', title: 'Custom instructions' };
const MEMORIES = { session: 'chatgpt-memories', title: 'Saved memories' };
/** Nobody has so many: a file that repeats itself with small changes must not fill memory. */
const MOST = 10_000;

const CONTEXT_TYPES = new Set<unknown>(['user_editable_context', 'model_editable_context']);
/** The tool that writes a memory. */
const MEMORY_TOOL = 'bio';

/** Whether the message is no part of the conversation, but what is brought into it. */
export const isContext = (content: Json, metadata: Json): boolean =>
  CONTEXT_TYPES.has(content.content_type) || metadata.is_user_system_message === true;

/** Without the sentence around it, by which ChatGPT explains to itself what the text is. */
const unwrapped = (text: string | undefined): string => {
  const [, inside] = /```\s*([\s\S]*?)\s*```/.exec(text ?? '') ?? [];
  return (inside ?? text ?? '').trim();
};

/** The two texts of older exports, in one. */
const LEGACY =
  /^The user provided the following information about themselves[^:]*:\s*([\s\S]*?)\s*(?:The user provided the additional info about how they would like you to respond:\s*([\s\S]*))?$/;

const instructionsIn = (content: Json, metadata: Json): string[] => {
  const data = isObject(metadata.user_context_message_data) ? metadata.user_context_message_data : {};
  const whole = textOf(content.text) ?? '';
  const legacy = LEGACY.exec(whole);
  return [
    unwrapped(
      textOf(data.about_user_message) ?? textOf(content.user_profile) ?? (legacy ? legacy[1] : whole),
    ),
    unwrapped(textOf(data.about_model_message) ?? textOf(content.user_instructions) ?? legacy?.[2]),
  ].filter(text => text !== '' && text !== 'None');
};

/** `1. [2025-05-02]. Lives in Lyon.`: a memory with its day. */
const LISTED = /^\d+\.\s*\[(\d{4})-(\d{2})-(\d{2})\]\.?\s*(.*)$/;

/** The memories of a list, each with the time of its day, UTC; `at` for a text that is no list. */
const memoriesIn = (text: string, at: number): { text: string; at: number }[] => {
  const found: { text: string; at: number }[] = [];
  for (const line of text.trim().split('\n')) {
    const [, year, month, day, words] = LISTED.exec(line) ?? [];
    const last = found.at(-1);
    if (words !== undefined)
      found.push({ text: words, at: Date.UTC(Number(year), Number(month) - 1, Number(day)) });
    else if (last) last.text += `\n${line}`;
    else found.push({ text: line, at });
  }
  return found.map(({ text: words, at: time }) => ({ text: words.trim(), at: time }));
};

/** The words of a call that writes a memory; undefined for any other message. */
export const memoryWritten = ({ recipient, author }: Json, words: string): string | undefined => {
  const isOfAssistant = isObject(author) && author.role === 'assistant';
  // A later form of the call is JSON, which says what to do with the list.
  return isOfAssistant && recipient === MEMORY_TOOL && !/^\s*[[{]/.test(words) && words.trim() !== ''
    ? words.trim()
    : undefined;
};

/** Collects over all conversations, which come in any order. */
export const makeContext = () => {
  const known = new Map<string, Said>();
  let tooMany = 0;

  const add = (said: Omit<Said, 'location'>): void => {
    const key = JSON.stringify([said.role, said.text]);
    const before = known.get(key);
    if (!before && known.size >= MOST) tooMany++;
    else if (!before || said.at < before.at) known.set(key, { ...said, location: said.conversation.title });
  };

  return {
    /** `at`: when the conversation took place that has this copy. */
    addCopy: (content: Json, metadata: Json, at: number): void => {
      for (const text of instructionsIn(content, metadata))
        add({ conversation: INSTRUCTIONS, role: 'user', text, at });
      const memories = textOf(content.model_set_context);
      if (memories === undefined) return;
      for (const memory of memoriesIn(memories, at))
        if (memory.text !== '') add({ conversation: MEMORIES, role: 'memory', ...memory });
    },
    addMemory: (text: string, at: number): void => add({ conversation: MEMORIES, role: 'memory', text, at }),
    *all(): Generator<Said | LeftOut> {
      for (const { session } of [INSTRUCTIONS, MEMORIES])
        yield* [...known.values()]
          .filter(({ conversation }) => conversation.session === session)
          .sort((a, b) => a.at - b.at);
      if (tooMany > 0) yield leftOut('custom instructions and memories', tooMany);
    },
  };
};
