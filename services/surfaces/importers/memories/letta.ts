/**
 * Letta's agent files (.af): agents with their messages, and the blocks of memory in their prompt. Since the
 * summer of 2025 a file has lists of agents and blocks; before, it is one agent with `core_memory`.
 */
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import type { Archive } from '../files/archive.ts';
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
import { isPersona, listAt, listOf, MEMORY, timeIn } from './remembered.ts';

const AGENT_FILE = /\.af$/i;
const filesOf = ({ kind, entries }: Archive): string[] =>
  entries.map(({ path }) => path).filter(path => kind === 'file' || AGENT_FILE.test(path));

const isAgent = (value: unknown): value is Json =>
  isObject(value) && Array.isArray(value.messages) && ('agent_type' in value || 'core_memory' in value);

const agentsIn = (value: unknown): Json[] => {
  if (!isObject(value)) return [];
  return Array.isArray(value.agents) ? value.agents.filter(isAgent) : isAgent(value) ? [value] : [];
};

const NOTES = "Letta's own notes, as logins and heartbeats";
const TOOLS = 'calls of tools and their results';
const REASONING = "the assistant's reasoning";

const parsed = (text: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const textOfParts = ({ content, text }: Json): string => {
  if (typeof content === 'string') return content;
  const parts = listOf(content).flatMap(part => (part.type === 'text' ? (textOf(part.text) ?? []) : []));
  return parts.join('\n\n') || (textOf(text) ?? '');
};

/** The words of a person: Letta packs them into JSON, beside events that it reports in the same way. */
const askedIn = (message: Json): string | LeftOut => {
  const words = textOfParts(message);
  const packed = words.trimStart().startsWith('{') ? parsed(words) : undefined;
  if (packed?.type === undefined) return words;
  return packed.type === 'user_message' ? (textOf(packed.message) ?? '') : leftOut(NOTES);
};

/** An agent of the first kind says the argument of a tool, and what it writes are its thoughts. */
const sentIn = (message: Json): string[] =>
  listOf(message.tool_calls).flatMap(call => {
    const { name, arguments: given } = isObject(call.function) ? call.function : ({} as Json);
    return name === 'send_message' ? (textOf(parsed(textOf(given) ?? '')?.message) ?? []) : [];
  });

function* answeredIn(message: Json, isOfFirstKind: boolean): Generator<string | LeftOut> {
  const sent = sentIn(message);
  const written = textOfParts(message);
  const calls = listOf(message.tool_calls).length - sent.length;
  if (calls > 0) yield leftOut(TOOLS, calls);
  const thoughts = listOf(message.content).filter(({ type }) => /reasoning/.test(String(type))).length;
  const isThought = isOfFirstKind && written !== '' && (sent.length > 0 || calls > 0);
  if (thoughts > 0 || isThought) yield leftOut(REASONING, thoughts + (isThought ? 1 : 0));
  const words = [...(isThought ? [] : [written]), ...sent].filter(text => text !== '');
  if (words.length > 0) yield words.join('\n\n');
}

function* wordsOf(message: Json, isOfFirstKind: boolean): Generator<string | LeftOut> {
  switch (message.role) {
    case 'user':
      yield askedIn(message);
      return;
    case 'assistant':
      yield* answeredIn(message, isOfFirstKind);
      return;
    case 'tool':
    case 'approval':
      yield leftOut(TOOLS);
      return;
    default:
      yield leftOut('system messages');
  }
}

const blocksOf = (agent: Json, shared: ReadonlyMap<unknown, Json>): Json[] => {
  const own = listAt(agent, 'core_memory', 'blocks', 'memory_blocks');
  const ids = Array.isArray(agent.block_ids) ? agent.block_ids : [];
  return own.length > 0 ? own : ids.flatMap((id): Json[] => listOf([shared.get(id)]));
};

function* readAgent(
  agent: Json,
  where: string,
  file: { shared: ReadonlyMap<unknown, Json>; created: number | undefined },
): Generator<Said | LeftOut | Faulty> {
  const name = textOf(agent.name) ?? textOf(agent.id) ?? 'agent';
  // The ids in a file are numbers, which every file has.
  const conversation: Conversation = { session: `letta-${name}`, title: name };
  const isOfFirstKind = /memgpt/i.test(String(agent.agent_type ?? 'memgpt'));
  let latest = file.created;
  for (const [index, message] of listOf(agent.messages).entries()) {
    const location = `${where}message ${index + 1}`;
    const at = timeIn(message.created_at, message.timestamp);
    for (const words of wordsOf(message, isOfFirstKind)) {
      if (typeof words !== 'string') yield words;
      else if (at === undefined) yield { location, faults: ['has no time'] };
      else yield { location, conversation, role: String(message.role), text: words, at };
    }
    latest = Math.max(latest ?? Number.NEGATIVE_INFINITY, at ?? Number.NEGATIVE_INFINITY);
  }
  const blocks = blocksOf(agent, file.shared);
  const archived = listAt(agent, 'archival_memory', 'passages', 'archival_passages');
  for (const [index, block] of [...blocks, ...archived].entries()) {
    const location = `${where}memory ${index + 1}`;
    const text = textOf(block.value) ?? textOf(block.text) ?? textOf(block.content);
    // It is what the agent knew last.
    const at = timeIn(block.updated_at, block.created_at) ?? latest;
    if (isPersona(block.label)) yield leftOut('what an agent is told about itself');
    else if (text === undefined) yield leftOut('messages without text');
    else if (at === undefined || !Number.isFinite(at)) yield { location, faults: ['has no time'] };
    else yield { location, conversation, role: MEMORY, text: text.trim(), at };
  }
}

async function* readFile(archive: Archive, file: string): AsyncGenerator<Said | LeftOut | Faulty> {
  const where = archive.kind === 'file' ? '' : `${file}, `;
  for await (const value of jsonValues(archive.read(file))) {
    const agents = agentsIn(value);
    if (agents.length === 0) yield { location: `${where}the file`, faults: ['has no agents'] };
    const { blocks, created_at } = isObject(value) ? value : ({} as Json);
    const shared = new Map(listOf(blocks).map(block => [block.id, block]));
    for (const agent of agents) yield* readAgent(agent, where, { shared, created: timeIn(created_at) });
  }
}

export const letta = {
  recognizes: (archive: Archive, first: unknown): boolean =>
    archive.kind === 'file' ? agentsIn(first).length > 0 : filesOf(archive).length > 0,
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    const files = filesOf(archive);
    if (files.length === 0) throw importFault('has no agent file (.af)');
    for (const file of files)
      try {
        yield* readFile(archive, file);
      } catch (error) {
        if (isImportFault(error) && archive.kind !== 'file')
          throw importFault(`${file} ${error.message}`, error);
        throw error;
      }
  },
};
