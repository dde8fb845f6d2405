/** The words of messages as chat APIs have them, without what programs say to each other. */
import { isRecord } from './answer.ts';

/** The types of parts that are said: OpenAI's two interfaces, Anthropic's and the AI SDK's. */
const SAID: ReadonlySet<unknown> = new Set([undefined, 'text', 'input_text', 'output_text']);

const joined = (texts: readonly string[]): string => texts.filter(text => text !== '').join('\n');

const textOf = (parts: readonly unknown[]): string =>
  joined(
    parts.flatMap(part =>
      isRecord(part) && SAID.has(part.type) && typeof part.text === 'string' ? [part.text] : [],
    ),
  );

/** The answers of tools: Anthropic has them as parts of a message of the user. */
const toolTextOf = (parts: readonly unknown[]): string =>
  joined(
    parts.map(part => {
      if (!isRecord(part) || part.type !== 'tool_result') return '';
      return Array.isArray(part.content) ? textOf(part.content) : String(part.content ?? '');
    }),
  );

/** Whether a message calls tools; where it says nothing besides, its content may be empty. */
const callsTools = (message: Record<string, unknown>): boolean =>
  message.tool_calls !== undefined || message.function_call !== undefined;

/**
 * Returns who says what in a message with `content` or `parts`; undefined where it has no words: a call of a
 * tool, a picture, a sound. Words beside a tool's answer are what was said.
 */
export const wordsOf = (message: Record<string, unknown>): { role: unknown; text: unknown } | undefined => {
  const { role, content = message.parts } = message;
  if (!Array.isArray(content)) {
    const isSilent = content === null || (!content && callsTools(message));
    return isSilent ? undefined : { role, text: content };
  }
  const text = textOf(content);
  if (text !== '') return { role, text };
  const answered = toolTextOf(content);
  return answered === '' ? undefined : { role: 'tool', text: answered };
};
