import { type Line, linesOf } from './files/lines.ts';
import type { Item, Turn } from './turns/item.ts';
import { turnFaults } from './turns/turn-faults.ts';

/** Longer than any valid line: a file without line breaks must not exhaust memory. */
const LONGEST_LINE = 8 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const parsed = (bytes: Buffer): { value: unknown } | { fault: string } => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { fault: 'is not valid UTF-8' };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: 'is not JSON' };
  }
};

const itemOf = ({ number: location, bytes, size }: Line): Item => {
  if (!bytes) return { location, size, faults: [`is longer than ${LONGEST_LINE} bytes`], isForeign: true };
  const read = parsed(bytes);
  if ('fault' in read) return { location, size, faults: [read.fault], isForeign: true };
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { location, size, faults: ['is not a JSON object'], isForeign: true };
  if ('conversation' in value)
    return { location, size, faults: ['is a LoCoMo conversation, not a turn: use --format locomo'] };
  const { user_id, session_id, role, text, timestamp, observations } = value as Record<string, unknown>;
  const turn = { role, text, timestamp, ...(observations === undefined ? {} : { observations }) };
  const faults = turnFaults(turn, { user_id, session_id });
  if (faults.length > 0) return { location, size, faults };
  return {
    location,
    size,
    turn: turn as Turn,
    user: user_id as string | undefined,
    session: session_id as string | undefined,
  };
};

const isBlank = ({ bytes }: Line): boolean =>
  bytes?.every(byte => byte === 0x20 || byte === 0x09 || byte === 0x0d) ?? false;

/** Reads JSON Lines of turns: `{ user_id?, session_id?, role, text, timestamp, observations? }`. */
export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  for await (const line of linesOf(chunks, LONGEST_LINE)) if (!isBlank(line)) yield itemOf(line);
}
