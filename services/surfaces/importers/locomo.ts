/**
 * Reads the LoCoMo format (Maharana et al. 2024, `data/locomo10.json`): conversations whose `conversation`
 * has `session_N`, a list of `{ speaker, text, blip_caption? }`, and `session_N_date_time`, `1:56 pm on 8
 * May, 2023`. A conversation becomes a user, named by its `sample_id`.
 */
import type { Item } from './turns/item.ts';
import { turnFaults } from './turns/turn-faults.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const DATE_TIME = /^(\d{1,2}):(\d{2}) ?(am|pm) on (\d{1,2}) ([a-z]+),? (\d{4})$/i;

/** Parses a session's time as Unix milliseconds, UTC; undefined if it can't be parsed. */
export const sessionTime = (text: string): number | undefined => {
  const [, hour, minute, half, day, month, year] = DATE_TIME.exec(text.trim()) ?? [];
  const monthIndex = MONTHS.indexOf(month?.toLowerCase() ?? '');
  if (monthIndex < 0) return undefined;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0);
  return Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute));
};

interface Utterance {
  speaker?: unknown;
  text?: unknown;
  blip_caption?: unknown;
}

const rendered = ({ text, blip_caption }: Utterance): unknown =>
  typeof text === 'string' && typeof blip_caption === 'string' && blip_caption !== ''
    ? `${text} [shared a photo: ${blip_caption}]`
    : text;

const sessionItems = (user: string, session: string, dateTime: unknown, utterances: Utterance[]): Item[] => {
  const start = typeof dateTime === 'string' ? sessionTime(dateTime) : undefined;
  if (start === undefined)
    return [{ location: `${user} ${session}`, size: 0, faults: [`has no readable ${session}_date_time`] }];
  return utterances.map((utterance, index) => {
    const location = `${user} ${session}, turn ${index + 1}`;
    const turn = {
      role: utterance?.speaker as string,
      text: rendered(utterance ?? {}) as string,
      timestamp: new Date(start + index * 1_000).toISOString(),
    };
    const faults = turnFaults(turn, { user_id: user, session_id: session });
    return faults.length > 0 ? { location, size: 0, faults } : { location, size: 0, turn, user, session };
  });
};

/**
 * Returns the turns of one conversation, each with size 0; `index`, from 0, names a conversation without a
 * `sample_id`.
 */
export const conversationItems = (sample: unknown, index: number): Item[] => {
  const { sample_id, conversation } = (sample ?? {}) as {
    sample_id?: unknown;
    conversation?: Record<string, unknown>;
  };
  const user = typeof sample_id === 'string' && sample_id !== '' ? sample_id : `conversation-${index + 1}`;
  if (typeof conversation !== 'object' || conversation === null)
    return [{ location: user, size: 0, faults: ['has no conversation'] }];
  return Object.entries(conversation).flatMap(([name, value]) =>
    /^session_\d+$/.test(name) && Array.isArray(value)
      ? sessionItems(user, name, conversation[`${name}_date_time`], value as Utterance[])
      : [],
  );
};

/** Returns all turns of a parsed file, each with an equal share of the file's `bytes`. */
export const locomoItems = (data: unknown, bytes: number): Item[] => {
  const items = (Array.isArray(data) ? data : [data]).flatMap(conversationItems);
  return items.map(item => ({ ...item, size: bytes / items.length }));
};
