import type { Range } from './range.ts';

/** A data structure from its first character: what a tool returned, or a client sent in place of a text. */
const DATA = /^\s*(?:\{\s*["'}]|\[\s*[[{"'\]])/;
/** An object or a list of objects inside of a sentence. */
const INLINE_DATA = /\{\s*"[\s\S]*\}|\[\s*\{[\s\S]*\}\s*\]/;
const TAGGED = /<([a-z][\w-]{0,40})(?: [^<>\n]{0,200})?>[\s\S]*?<\/\1>/gi;
const CODE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g;
/** Headers of a forwarded or answered mail: all that follows is the mail. */
const MAIL = /^(?:-{2,} ?(?:original|forwarded) message ?-{2,}|on .{4,80} wrote:|begin forwarded message:)/im;
const MAIL_HEADER = /^(?:from|to|cc|subject|date|sent): .+$/gim;
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|at [\w.$<>]+ ?\(|\d+\.\d+\.\d+\.\d+ - )/;
/** A line of a pasted chat: "Ana: …", "[10:12] Ben: …", "10:12 - Ben: …". */
const CHAT_LINE =
  /^\s*(?:\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\]? ?[-–]? ?)?\p{Lu}[\p{L}.'’-]{1,20}(?: \p{Lu}[\p{L}.'’-]{0,20})?: \S/u;
const NOTE_LINE = /^\s*(?:note|update|edit|ps|correction|question|answer|todo|reminder|fyi|summary)\b/i;
const LEAST_CHAT_LINES = 3;
/** A line with a clock, or a speaker in capitals: two of them are enough. */
const SURE_LINE = /^\s*(?:\[?\d{1,2}:\d\d|\p{Lu}{3,20}: \S)/u;

/** Returns the ranges of data, code, markup, block quotes, logs, mails and pasted chats. */
export function structuresIn(text: string): Range[] {
  if (DATA.test(text)) return [{ from: 0, to: text.length }];
  const ranges: Range[] = [];
  const add = (pattern: RegExp): void => {
    for (const match of text.matchAll(pattern))
      ranges.push({ from: match.index, to: match.index + match[0].length });
  };
  if (text.includes('{')) {
    const data = INLINE_DATA.exec(text);
    if (data !== null) ranges.push({ from: data.index, to: data.index + data[0].length });
  }
  if (text.includes('</')) add(TAGGED);
  if (text.includes('```') || text.includes('~~~')) add(CODE);
  if (text.includes('\n') || text.startsWith('>')) ranges.push(...linesIn(text));
  const mail = text.includes('\n') || text.includes('wrote:') ? mailIn(text) : undefined;
  if (mail !== undefined) ranges.push({ from: mail, to: text.length });
  return ranges;
}

function mailIn(text: string): number | undefined {
  const start = MAIL.exec(text)?.index;
  if (start !== undefined) return start;
  const headers = [...text.matchAll(MAIL_HEADER)];
  return headers.length > 1 ? headers[0]!.index : undefined;
}

function linesIn(text: string): Range[] {
  const quotes: Range[] = [];
  const chat: Range[] = [];
  let sure = 0;
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    const line = text.slice(from, Math.min(to, from + 120));
    if (/^\s*>/.test(line) || LOG_LINE.test(line)) quotes.push({ from, to });
    else if (CHAT_LINE.test(line) && !NOTE_LINE.test(line)) {
      chat.push({ from, to });
      if (SURE_LINE.test(line)) sure++;
    }
    from = to + 1;
  }
  const isChat = chat.length >= LEAST_CHAT_LINES || sure >= 2;
  return isChat ? [...quotes, ...chat] : quotes;
}
