/** Reads the assistant's words from an answer while it passes by unchanged. */

/** Maximum characters that are remembered of a reply: the service's limit of a turn. */
const MOST_TEXT = 65_536;
/** Maximum bytes of an answer, or of one event of a stream, that are kept to be read. Longer: no words. */
const MOST_KEPT = 1024 * 1024;

interface Choice {
  index?: number;
  message?: { content?: unknown };
  delta?: { content?: unknown };
}

/** Returns the first choice's words; empty where there are none, as in a call of a tool. */
const wordsIn = (json: string): string => {
  try {
    const { choices } = JSON.parse(json) as { choices?: Choice[] };
    const first = choices?.find(({ index = 0 }) => index === 0);
    const content = first?.message?.content ?? first?.delta?.content;
    return typeof content === 'string' ? content : '';
  } catch {
    return '';
  }
};

export interface Reply {
  add(chunk: Uint8Array): void;
  /** The words so far; empty if they could not be read. */
  text(): string;
}

/** Collects server-sent events: each `data:` line is a part of the answer. */
const streamed = (): Reply => {
  const decoder = new TextDecoder();
  let rest = '';
  let words = '';
  return {
    add: chunk => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MOST_KEPT) rest = '';
      for (const line of lines)
        if (line.startsWith('data:') && words.length < MOST_TEXT) words += wordsIn(line.slice(5));
    },
    text: () => words,
  };
};

const whole = (): Reply => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    add: chunk => {
      bytes += chunk.length;
      if (bytes > MOST_KEPT) chunks.length = 0;
      else chunks.push(chunk);
    },
    text: () => wordsIn(Buffer.concat(chunks).toString()),
  };
};

/** Cuts words to what a turn may hold. */
export const fitting = (words: string): string => words.slice(0, MOST_TEXT).toWellFormed();

/** Makes a reader of one answer, by its content type. */
export const makeReply = (contentType: string | undefined): Reply =>
  contentType?.includes('text/event-stream') ? streamed() : whole();
