/** A request for a chat completion, as far as a memory has to do with it. */

interface Message {
  role?: unknown;
  content?: unknown;
}

export interface Chat {
  /** The last thing that the person said: what is recalled for. */
  question: string;
  /** Whether it is said with this request: a step after a tool's result repeats the question before it. */
  isNew: boolean;
  /** Returns the body with the context as a system message, behind the caller's own. */
  withContext(context: string): Buffer;
}

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null;

/** Returns the words of a message: its text, or those parts of it that are text. */
const textOf = ({ content }: Message): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap(part => (part?.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
};

const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer';

/** Reads a body; undefined where it is no chat in which somebody said something. The upstream judges it. */
export const readChat = (body: Buffer): Chat | undefined => {
  let request: { messages?: unknown };
  try {
    request = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  const messages = request?.messages;
  if (!Array.isArray(messages) || !messages.every(isMessage)) return undefined;
  const said = messages.findLast(({ role }) => role === 'user');
  const question = said ? textOf(said).trim() : '';
  if (question === '') return undefined;
  return {
    question,
    isNew: messages.at(-1) === said,
    withContext: content => {
      const behind = messages.findIndex(message => !isInstruction(message));
      const told = messages.toSpliced(behind, 0, { role: 'system', content });
      return Buffer.from(JSON.stringify({ ...request, messages: told }));
    },
  };
};
