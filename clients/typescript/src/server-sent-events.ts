/** Server-sent events, as the HTML standard reads them. */
import { TurnstoneError } from './error.ts';

/** UTF-16 units of one message. The service's are far shorter: what goes on for longer is none of its. */
const LONGEST_MESSAGE = 16 * 1_024 * 1_024;

export interface Message {
  /** Of this message, or the last one before it. */
  id: string | undefined;
  /** What kind of message it is; `message` where it doesn't say. */
  event: string;
  /** Undefined: an id alone. */
  data: string | undefined;
  /** Milliseconds to wait before a reconnect, where the message says so. */
  retryMs: number | undefined;
}

/**
 * Takes pieces of text and gives the messages that they complete. What no blank line has ended is no message. Throws
 * where one has no end.
 */
export const makeMessageParser = (): ((text: string) => Message[]) => {
  /** Of a line that has not ended. */
  let held: string[] = [];
  let length = 0;
  let endedWithReturn = false;
  let id: string | undefined;
  let lines: string[] = [];

  const complete = (): Message | undefined => {
    if (lines.length === 0) return undefined;
    const data: string[] = [];
    let event = 'message';
    let retryMs: number | undefined;
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
      if (name === 'data') data.push(value);
      else if (name === 'event') event = value || 'message';
      else if (name === 'id' && !value.includes('\0')) id = value;
      else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
    }
    lines = [];
    return { id, event, data: data.length > 0 ? data.join('\n') : undefined, retryMs };
  };

  return text => {
    if (text === '') return [];
    // A line end of two characters may come in two pieces.
    const rest = endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    endedWithReturn = text.endsWith('\r');
    const parts = rest.split(/\r\n|\n|\r/);
    const last = parts.pop()!;
    const messages: Message[] = [];
    for (const part of parts) {
      const line = held.join('') + part;
      held = [];
      length += part.length;
      if (line !== '') {
        lines.push(line);
        continue;
      }
      length = 0;
      const message = complete();
      if (message) messages.push(message);
    }
    held.push(last);
    length += last.length;
    if (length > LONGEST_MESSAGE)
      throw new TurnstoneError('A message of the stream has no end.', { code: 'unexpected_answer' });
    return messages;
  };
};
