/**
 * Transcripts of Claude Code, `~/.claude/projects/<project>/<session>.jsonl`: what the person and the
 * assistant said to each other, without the work of tools and subagents.
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

/** Not of subagents, whose files are beside the sessions'. */
const SESSION = /(^|\/)(?!agent-)[^/]+\.jsonl$/;
const isSession = (path: string): boolean => SESSION.test(path) && !path.includes('/subagents/');

const isMessage = ({ type, sessionId, message }: Json): boolean =>
  (type === 'user' || type === 'assistant') && typeof sessionId === 'string' && isObject(message);

const SAID = new Set(['text']);
const REASON_OF_BLOCK = new Map<unknown, string>([
  ['tool_use', CALLS_OF_TOOLS],
  ['tool_result', CALLS_OF_TOOLS],
  ['thinking', REASONING],
  ['redacted_thinking', REASONING],
  ['image', PICTURES],
  ['document', PICTURES],
]);

const COMMANDS = 'commands of Claude Code and their output';
const ADDED = 'notes that Claude Code adds';
/** A command that is typed, and what it prints, are written as the user's messages. */
const COMMAND = /^\s*<(?:command-|local-command-|bash-|user-memory-input)/;
const INTERRUPTION = /^\s*\[Request interrupted by user[^\]]*\]\s*$/;
/** Notes within what a person says: reminders, and what is open in an editor. */
const NOTES = /<(system-reminder|ide_\w+)>[\s\S]*?<\/\1>/g;

/** Why a line is not what somebody said; undefined where it is. */
const reasonAgainst = (line: Json, text: string): string | undefined => {
  if (line.isSidechain === true) return 'messages of subagents';
  if (line.isMeta === true || INTERRUPTION.test(text)) return ADDED;
  if (line.isCompactSummary === true) return 'summaries of what was said before';
  if (line.isApiErrorMessage === true) return 'errors that Claude Code reports';
  return line.type === 'user' && COMMAND.test(text) ? COMMANDS : undefined;
};

interface Words {
  text: string;
  others: Json[];
}

const wordsOf = ({ message }: Json): Words => {
  const { content } = message as Json;
  const { text, others } =
    typeof content === 'string' ? { text: content, others: [] } : blocksOf(content, SAID);
  return { text: text.replace(NOTES, '').trim(), others };
};

/** The session's own title, the one that Claude Code gave it, or its first words. */
const titleOf = async (archive: Archive, file: string): Promise<string | undefined> => {
  let named: string | undefined;
  let first: string | undefined;
  for await (const found of transcriptLines(archive, file)) {
    if ('faults' in found) continue;
    const { line } = found;
    named = textOf(line.customTitle) ?? named ?? textOf(line.aiTitle);
    if (first !== undefined || line.type !== 'user' || !isMessage(line)) continue;
    const { text } = wordsOf(line);
    if (text !== '' && reasonAgainst(line, text) === undefined) first = titleFrom(text);
  }
  return named ?? first;
};

function* readLine(line: Json, location: string, title?: string): Generator<Said | LeftOut | Faulty> {
  const { text, others } = wordsOf(line);
  const reason = reasonAgainst(line, text);
  if (reason !== undefined) {
    yield leftOut(reason);
    return;
  }
  for (const { type } of others) yield leftOut(REASON_OF_BLOCK.get(type) ?? 'blocks of other kinds');
  // A message without text blocks was already counted by its blocks.
  if (text === '' && others.length > 0) return;
  const session = `claude-code-${line.sessionId}`;
  const at = typeof line.timestamp === 'string' ? parseInstant(line.timestamp) : undefined;
  if (at === undefined) yield { location, faults: ['has no time'] };
  else
    yield { location, conversation: { session, title: title ?? session }, role: String(line.type), text, at };
}

export const claudeCode = {
  recognizes: (archive: Archive): Promise<boolean> =>
    opensWith(archive, transcriptFiles(archive, isSession), isMessage),
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    for (const file of transcriptFiles(archive, isSession)) {
      const title = await titleOf(archive, file);
      for await (const found of transcriptLines(archive, file)) {
        if ('faults' in found) yield found;
        // Other lines are states of the program: files, queues, titles.
        else if (isMessage(found.line)) yield* readLine(found.line, found.location, title);
      }
    }
  },
};
