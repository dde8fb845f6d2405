/**
 * The file of an exported organization, in JSON Lines: a header, then events and the billed tokens of those
 * that are not shown, then a trailer that counts both, so that a truncated file is detected.
 */
import { type ExportedType, isExported } from '../../../schemas/events/event-types.ts';
import { registry } from '../../../schemas/events/registry.ts';

export const FORMAT = 'turnstone-export';
export const FORMAT_VERSION = 1;

export interface Header {
  format: typeof FORMAT;
  version: number;
  org_id: string;
  /** RFC 3339. */
  exported_at: string;
}

/**
 * An event as recorded, decrypted: turns, what was extracted from them, their vectors, corrections of names,
 * and what is billed. Accounts and keys are not exported.
 */
export interface ExportedEvent {
  type: ExportedType;
  /** The version of its data. */
  version: number;
  id: string;
  recorded_at: string;
  correlation_id: string;
  /** The tokens that a turn is billed. */
  tokens?: number | undefined;
  /** When it expires, and from when a retention counts where that isn't `recorded_at`. */
  expires_at?: string | undefined;
  kept_from?: string | undefined;
  data: unknown;
}

/**
 * The tokens billed for an event whose words are erased or hidden, so that the export still proves a
 * statement.
 */
export interface BilledLine {
  type: 'billed';
  id: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
  tokens_in: number;
  tokens_out: number;
}

export interface Trailer {
  end: true;
  events: number;
  /** The number of `billed` lines. */
  billed: number;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

type Read<T> = { ok: true; value: T } | { ok: false; faults: string[] };

const faulty = <T>(...faults: string[]): Read<T> => ({ ok: false, faults });

export const readHeader = (value: unknown): Read<Header> => {
  if (!isObject(value) || value.format !== FORMAT) return faulty('is not the header of a Turnstone export');
  if (!Number.isSafeInteger(value.version) || !isText(value.org_id))
    return faulty('is a header without a version or an organization');
  if (value.version !== FORMAT_VERSION)
    return faulty(`has version ${value.version} of the format; this release reads ${FORMAT_VERSION}`);
  return { ok: true, value: value as unknown as Header };
};

export const isTrailer = (value: unknown): value is Trailer => isObject(value) && value.end === true;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Undefined for a line of another type. */
export const readBilled = (value: unknown): Read<BilledLine> | undefined => {
  if (!isObject(value) || value.type !== 'billed') return undefined;
  const { id, day, tokens_in, tokens_out } = value;
  if (isText(id) && isText(day) && DAY.test(day) && isDate(day) && isCount(tokens_in) && isCount(tokens_out))
    return { ok: true, value: value as unknown as BilledLine };
  return faulty('is a billed event without an id, a day or its tokens');
};

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const isDate = (value: string): boolean => !Number.isNaN(Date.parse(value));

const isInstant = (value: unknown): boolean => isText(value) && INSTANT.test(value) && isDate(value);

/** Its schema is a pattern, which a thirteenth month fits as well. */
const hasDate = (data: unknown): boolean =>
  !isObject(data) || typeof data.timestamp !== 'string' || isDate(data.timestamp);

/** An event, upcast to the newest version, or its faults, which never echo its content. */
export const readEvent = (value: unknown): Read<ExportedEvent> => {
  if (!isObject(value)) return faulty('is not a JSON object');
  const { type, version, id, recorded_at, correlation_id, tokens, data } = value;
  if (typeof type !== 'string' || !isExported(type))
    return faulty('is not an event of a type that is imported');
  const known = registry.currentVersion(type);
  const faults: string[] = [];
  const hasVersion = Number.isSafeInteger(version) && Number(version) >= 1 && Number(version) <= known;
  if (!hasVersion) faults.push(`version must be 1 to ${known}`);
  if (!isText(id)) faults.push('id is missing');
  if (!isInstant(recorded_at)) faults.push('recorded_at must be an instant such as 2026-01-05T09:30:00.000Z');
  if (typeof correlation_id !== 'string') faults.push('correlation_id is missing');
  for (const name of ['expires_at', 'kept_from'] as const)
    if (value[name] !== undefined && !isInstant(value[name])) faults.push(`${name} must be an instant`);
  if ((type === 'turn.recorded' || tokens !== undefined) && !isCount(tokens))
    faults.push('tokens must be a whole number');
  const checked = hasVersion ? registry.checkData(type, Number(version), data) : undefined;
  if (checked && !checked.ok) faults.push(checked.reason);
  if (checked?.ok && !hasDate(data)) faults.push('data.timestamp must be an instant');
  if (faults.length > 0 || !checked?.ok) return faulty(...faults);
  return {
    ok: true,
    value: { ...(value as unknown as ExportedEvent), version: known, data: checked.value },
  };
};
