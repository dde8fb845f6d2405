/** Parses server-sent events as the HTML standard defines them. */
import { TurnstoneError } from '../error.ts';

/**
 * The most UTF-16 units of one message. The service's messages are far shorter, so a longer one comes from
 * elsewhere.
 */
const LONGEST_MESSAGE = 16 * 1_024 * 1_024;

export interface Message {
  /** The id of this message, or of the last one that had an id. */
  id: string | undefined;
  /** The kind of message; default: `message`. */
  event: string;
  /** Undefined when there is only an id. */
  data: string | undefined;
  /** Milliseconds to wait before a reconnect, if the message sets it. */
  retryMs: number | undefined;
}

/**
 * Takes pieces of text and returns the messages that they complete; a blank line ends a message. Throws when
 * a message gets too long.
 */
export const makeMessageParser = (): ((text: string) => Message[]) => {
  /** Parts of an unfinished line. */
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
    // The two characters of a line break may arrive in different pieces.
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
      throw new TurnstoneError('A message of the event stream is too long.', { code: 'unexpected_answer' });
    return messages;
  };
};
