/** Changes roles and texts to meet the service's rules; docs/reference/importing.md lists the changes. */
import { type Change, type Found, type FoundTurn, leftOut, type Said } from './found.ts';
import { splitText } from './split-text.ts';

const LONGEST_ROLE = 64;
const LONGEST_TITLE = 200;
const LONGEST_TEXT = 65_536;

/** Without what could rewrite or reorder a line, and no longer than `most` characters. */
const fittedName = (name: string, most: number): string => {
  const plain = name
    .toWellFormed()
    .replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const characters = [...plain];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : plain;
};

export const fittedRole = (name: string): string =>
  fittedName(name.replaceAll('[', '(').replaceAll(']', ')'), LONGEST_ROLE) || 'unknown';

/** Returns the title that a session gets; undefined where it would say nothing beside the session's id. */
export const fittedTitle = ({ title, session }: Pick<FoundTurn, 'title' | 'session'>): string | undefined => {
  const fit = fittedName(title ?? '', LONGEST_TITLE);
  return fit === '' || fit === session ? undefined : fit;
};

/** Whether the time is in the range of RFC 3339: years 0 to 9999. */
const isInstant = (at: number): boolean => at >= -62_167_219_200_000 && at <= 253_402_300_799_999;

/**
 * Converts a message to turns: several, all of the same instant, if it is longer than a turn may be. Only a
 * repeated part gets a time one millisecond later, since both would be the same turn. Every other part keeps
 * the time under which earlier imports stored it, so that it is not billed again.
 */
export function* fitted({ location, conversation, role, text, at, observations }: Said): Generator<Found> {
  const wellFormed = text.toWellFormed();
  if (wellFormed.trim() === '') {
    yield leftOut('messages without text');
    return;
  }
  if (!isInstant(at)) {
    yield { location, faults: ['has no readable time'] };
    return;
  }
  const parts = splitText(wellFormed, LONGEST_TEXT);
  const speaker = fittedRole(role);
  const changes: Change[] = [];
  if (speaker !== role) changes.push('renamed');
  if (parts.length > 1) changes.push('split');
  const seen = new Map<string, number>();
  for (const [index, part] of parts.entries()) {
    const times = seen.get(part) ?? 0;
    seen.set(part, times + 1);
    yield {
      location,
      turn: {
        role: speaker,
        text: part,
        timestamp: new Date(at + times).toISOString(),
        ...(index === 0 && observations && { observations }),
      },
      session: conversation.session,
      title: conversation.title,
      ...(conversation.within && { within: conversation.within }),
      ...(index === 0 && changes.length > 0 && { changes }),
    };
  }
}
