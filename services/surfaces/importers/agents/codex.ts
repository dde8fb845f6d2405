/**
 * Sessions of Codex, `~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl`: what the person and the assistant said
 * to each other. Since the autumn of 2025 a line has a time, a type and a payload; before, the first line is
 * the session and each other one an item.
 */
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import type { Archive } from '../files/archive.ts';
import { type Faulty, type LeftOut, leftOut, type Said } from '../turns/found.ts';
import { titleFrom } from '../turns/title.ts';
import {
  blocksOf,
  CALLS_OF_TOOLS,
  opensWith,
  PICTURES,
  REASONING,
  transcriptFiles,
  transcriptLines,
} from './transcripts.ts';

const isSession = (path: string): boolean => /(^|\/)rollout-[^/]+\.jsonl$/.test(path);

/** The first line: what is known of the session. */
const sessionOf = (line: Json): Json | undefined => {
  if (line.type === 'session_meta') return isObject(line.payload) ? line.payload : undefined;
  const isOfBefore = line.type === undefined && textOf(line.id) !== undefined && 'instructions' in line;
  return isOfBefore ? line : undefined;
};

/** A thing said or done; states and events, which repeat it, are none. */
const itemOf = (line: Json): Json | undefined => {
  if (line.type === 'response_item') return isObject(line.payload) ? line.payload : undefined;
  return line.payload === undefined && typeof line.type === 'string' ? line : undefined;
};

const SAID = new Set(['input_text', 'output_text', 'text']);
const REASON_OF_ITEM = new Map<unknown, string>([
  ['reasoning', REASONING],
  ...['function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'].map(
    (type): [string, string] => [type, CALLS_OF_TOOLS],
  ),
  ...['local_shell_call', 'web_search_call', 'image_generation_call'].map((type): [string, string] => [
    type,
    CALLS_OF_TOOLS,
  ]),
]);
/** Written as the user's message: instructions of files, the environment, states of the program. */
const ADDED = /^\s*(?:<[a-z_]+(?: instructions)?>|# AGENTS\.md instructions)/;

interface Words {
  role: 'user' | 'assistant';
  text: string;
}

/** The words of a message, or why nobody said them. */
const wordsOf = ({ role, content }: Json): Words | string => {
  if (role !== 'user' && role !== 'assistant') return 'system messages';
  const { text } = blocksOf(content, SAID);
  if (role === 'user' && ADDED.test(text)) return 'instructions and context that Codex adds';
  return { role, text: text.trim() };
};

const timeOf = (line: Json): number | undefined =>
  typeof line.timestamp === 'string' ? parseInstant(line.timestamp) : undefined;

async function* readSession(archive: Archive, file: string): AsyncGenerator<Said | LeftOut | Faulty> {
  let id: string | undefined;
  let title: string | undefined;
  let time: number | undefined;
  for await (const found of transcriptLines(archive, file)) {
    if ('faults' in found) {
      yield found;
      continue;
    }
    const { location, line } = found;
    const session = sessionOf(line);
    // A resumed session repeats the line of the one that it goes on with.
    id ??= session && textOf(session.id);
    const own = timeOf(line) ?? (session && timeOf(session));
    // Lines of before have no time of their own, and are told apart by it.
    time = own ?? (time === undefined ? undefined : time + 1);
    const item = session ? undefined : itemOf(line);
    if (item === undefined) continue;
    if (item.type !== 'message') {
      const reason = REASON_OF_ITEM.get(item.type);
      if (reason !== undefined) yield leftOut(reason);
      continue;
    }
    const words = wordsOf(item);
    if (typeof words === 'string') {
      yield leftOut(words);
      continue;
    }
    const { others } = blocksOf(item.content, SAID);
    if (others.length > 0) yield leftOut(PICTURES, others.length);
    if (words.text === '' && others.length > 0) continue;
    if (words.role === 'user') title ??= titleFrom(words.text);
    if (id === undefined || time === undefined)
      yield { location, faults: ['comes before the line that names the session and its time'] };
    else yield { location, conversation: { session: `codex-${id}`, title: title ?? id }, ...words, at: time };
  }
}

export const codex = {
  recognizes: (archive: Archive): Promise<boolean> =>
    opensWith(archive, transcriptFiles(archive, isSession), line => sessionOf(line) !== undefined),
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    for (const file of transcriptFiles(archive, isSession)) yield* readSession(archive, file);
  },
};
