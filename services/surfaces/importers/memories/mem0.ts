/**
 * Reads what mem0 keeps, as its `get_all` returns it: a list of memories or `{ results }`, page after page in
 * one file each. A memory is a sentence of mem0's own; it becomes a turn of the speaker `memory`.
 */
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import { jsonValues } from '../files/json-values.ts';
import type { Item } from '../turns/item.ts';
import { turnFaults } from '../turns/turn-faults.ts';

const ROLE = 'memory';
/** The session of memories that belong to no run. */
const SESSION = 'mem0';

const isMemory = (value: unknown): value is Json =>
  isObject(value) && textOf(value.id) !== undefined && typeof value.memory === 'string';

/** Whether the first value of a file is one of mem0's. */
export const isOfMem0 = (first: unknown): boolean =>
  isMemory(first) || (isObject(first) && Array.isArray(first.results) && first.results.every(isMemory));

/** When it was said last. mem0 writes instants with an offset; without one they are UTC. */
const instantOf = ({ updated_at, created_at }: Json): string | undefined => {
  const at = [updated_at, created_at]
    .map(time => (typeof time === 'string' ? parseInstant(time) : undefined))
    .find(time => time !== undefined);
  return at === undefined ? undefined : new Date(at).toISOString();
};

const itemOf = (value: unknown, number: number): Item => {
  const location = `memory ${number}`;
  const size = 0;
  if (!isMemory(value)) return { location, size, faults: ['has no id or no memory'] };
  const user = textOf(value.user_id);
  const session = textOf(value.run_id) ?? SESSION;
  const turn = { role: ROLE, text: value.memory as string, timestamp: instantOf(value)! };
  const faults = turnFaults(turn, { user_id: user, session_id: session });
  return faults.length > 0 ? { location, size, faults } : { location, size, turn, user, session };
};

export async function* mem0Items(chunks: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  let number = 0;
  for await (const value of jsonValues(chunks)) {
    const memories = isObject(value) && Array.isArray(value.results) ? value.results : [value];
    for (const memory of memories) yield itemOf(memory, ++number);
  }
}
