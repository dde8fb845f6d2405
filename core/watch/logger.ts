import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../../schemas/config.ts';

export type Log = Logger;

const LEVEL_NAMES: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** Formats a log line for people: the time, the level, the message, then the fields. */
export const readable = (line: string): string => {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toISOString().slice(11, 23);
  const words = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string };
  const fault = err ? `\n${stack ?? message}` : '';
  const level4 = (LEVEL_NAMES[Number(level)] ?? String(level)).toUpperCase().padEnd(5);
  return `${[clock, level4, msg, ...words].join(' ')}${fault}\n`;
};

/**
 * The service's log: JSON lines on stderr, since stdout is for people; readable lines when stderr is a
 * terminal. Written synchronously, because the last lines before a crash are the ones that are needed. Fields
 * contain ids, counts and times; never a turn's text, a key or a token.
 */
export const makeLog = (
  level: LogLevel,
  destination: DestinationStream = process.stderr.isTTY
    ? { write: line => process.stderr.write(readable(line)) }
    : pino.destination({ dest: 2, sync: true }),
  /** Returns fields that every line gets, in an object of its own. */
  common?: () => object,
): Log => pino({ level, base: undefined, ...(common && { mixin: common }) }, destination);
