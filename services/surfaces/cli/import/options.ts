import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { EXIT, failure } from '../../client/exit.ts';
import { type FormatName, formatNamed, type ReadOptions } from '../../importers/formats.ts';
import type { Selection } from '../../importers/turns/selection.ts';
import { dayIn, isTimeZone } from '../../importers/whatsapp/local-time.ts';
import type { DateOrder } from '../../importers/whatsapp/whatsapp-dates.ts';

/** The options of the command line. */
export interface ImportOptions {
  format: 'auto' | FormatName | 'events';
  user?: string;
  session?: string;
  me?: string;
  timeZone?: string;
  dateOrder?: DateOrder;
  bots?: boolean;
  since?: string;
  until?: string;
  only?: string[];
  dryRun?: boolean;
  restart?: boolean;
  /** Only for an export of events. */
  org?: string;
}

const FLAGS: Record<keyof ReadOptions, string> = {
  user: '--user',
  session: '--session',
  timeZone: '--time-zone',
  dateOrder: '--date-order',
  bots: '--bots',
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const usage = (message: string): Error => failure(EXIT.usage, message);

/** Rejects options that are wrong for every file, before the file is read. */
export const refuseUnusable = (options: ImportOptions): void => {
  if (options.me?.trim() === '') throw usage('--me must be a name');
};

/** Rejects options that would have no effect: they are probably mistakes. */
export const refuseIneffective = (name: FormatName, options: ImportOptions): void => {
  const { takes, title, hasWallTimes = false } = formatNamed(name);
  for (const option of ['session', 'dateOrder', 'bots'] as const)
    if (options[option] !== undefined && !takes.has(option))
      throw usage(`${FLAGS[option]} does not apply to ${title}`);
  const days = [options.since, options.until].filter(text => text !== undefined && DAY.test(text));
  if (options.timeZone !== undefined && !hasWallTimes && days.length === 0)
    throw usage(`--time-zone does not apply to ${title}, unless --since or --until is a day`);
  if (options.org !== undefined)
    throw usage('--org applies to an export of events only; elsewhere the API key decides the organization');
};

/** Importing an export of events supports only `--org` and `--dry-run`. */
export const refuseForEvents = ({ me, since, until, only, restart, ...options }: ImportOptions): void => {
  const given = Object.entries(FLAGS).flatMap(([option, flag]) =>
    options[option as keyof ReadOptions] === undefined ? [] : [flag],
  );
  const more = { '--me': me, '--since': since, '--until': until, '--only': only, '--restart': restart };
  for (const [flag, value] of Object.entries(more)) if (value !== undefined) given.push(flag);
  if (given.length > 0)
    throw usage(`${given.join(', ')}: not available for an export of events, which is imported unchanged`);
};

/** Parses a moment. A date means the whole day in the given time zone; default: UTC. */
const momentOf = (flag: string, text: string, end: 0 | 1, timeZone: string): number => {
  if (DAY.test(text)) {
    try {
      return dayIn(text, timeZone)[end];
    } catch {
      throw usage(`${flag}: there is no such day`);
    }
  }
  const at = parseInstant(text);
  if (at === undefined) throw usage(`${flag} must be a day like 2026-04-02 or an RFC 3339 instant`);
  return at;
};

export const checkedTimeZone = (timeZone: string | undefined): string | undefined => {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw usage('--time-zone must be a name like Europe/Berlin or an offset like +05:30');
  return timeZone;
};

export const selectionOf = ({ since, until, only, timeZone = 'UTC' }: ImportOptions): Selection => {
  const selection = {
    since: since === undefined ? undefined : momentOf('--since', since, 0, timeZone),
    until: until === undefined ? undefined : momentOf('--until', until, 1, timeZone),
    only,
  };
  if ((selection.since ?? 0) > (selection.until ?? Number.POSITIVE_INFINITY))
    throw usage('--until is before --since');
  return selection;
};
