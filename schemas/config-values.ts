/** A variable of the configuration, and the text that is accepted for each kind of value. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isRange } from './address-range.ts';

export type Mode = 'embedded' | 'cluster';

/** The purposes a variable can be needed for, as an error words them. */
export const NEEDED_FOR = {
  cluster: 'in cluster mode',
  llm: 'for the extractor llm',
  embeddings: 'for TURNSTONE_EMBEDDINGS_BASE_URL',
};

export interface Variable<T> {
  name: string;
  /** Its description in docs/reference/configuration.md, in Markdown. */
  about: string;
  /**
   * The text of an unset variable; one for each mode where they differ. `embeddedReachable`: embedded, where
   * other machines can reach it.
   */
  default: string | (Record<Mode, string> & { embeddedReachable?: string });
  /** Returns the value or throws a `RangeError` that says what is expected. */
  parse: (text: string) => T;
  neededFor?: keyof typeof NEEDED_FOR;
  /**
   * Its text is or may hold a secret: it is never printed, and `NAME_FILE` may name a file that holds it
   * instead.
   */
  isSecret?: boolean;
}

/** Returns the text of a variable that isn't set. */
export const defaultText = (
  { default: text }: Variable<unknown>,
  mode: Mode,
  { isReachable }: { isReachable: boolean },
): string => {
  if (typeof text === 'string') return text;
  return (mode === 'embedded' && isReachable ? text.embeddedReachable : undefined) ?? text[mode];
};

export const variable = <T>(
  name: string,
  fallback: Variable<T>['default'],
  parse: (text: string) => T,
  about: string,
): Variable<T> => ({ name, about, default: fallback, parse });

/**
 * A variable without a default. Where it isn't needed and not set, its value is undefined in spite of its
 * type.
 */
export const needed = <T>(
  neededFor: keyof typeof NEEDED_FOR,
  name: string,
  parse: (text: string) => T,
  about: string,
): Variable<T> => ({ ...variable(name, '', optional(parse) as (text: string) => T, about), neededFor });

/** The same variable, whose text is or may hold a secret. */
export const secret = <T>(of: Variable<T>): Variable<T> => ({ ...of, isSecret: true });

/** A secret that is optional: a password, a key, a token. */
export const optionalSecret = (
  name: string,
  about: string,
  parse = headerText,
): Variable<string | undefined> => secret(variable(name, '', optional(parse), about));

const expected = (what: string): never => {
  throw new RangeError(what);
};

export const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T =>
    values.find(value => value === text) ?? expected(`one of ${values.join(', ')}`);

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : expected(`a whole number from ${least} to ${most}`);
  };

/** A share: 0 is none, 1 all. */
export const fraction = (text: string): number => {
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  return value >= 0 && value <= 1 ? value : expected('a number from 0 to 1');
};

const PAIR = /^\s*([\w.-]+)\s*=\s*([\x20-\x7e]*?)\s*$/;

/** OpenTelemetry's lists of names with percent-encoded values. Never echo its text in an error. */
export const pairs = (text: string): Readonly<Record<string, string>> => {
  const of = (part: string): [string, string] => {
    const [, name, value = ''] = PAIR.exec(part) ?? [];
    if (name === undefined) return expected('name=value, separated by commas');
    try {
      return [name, decodeURIComponent(value)];
    } catch {
      return expected('name=value, separated by commas');
    }
  };
  return Object.fromEntries(text.split(',').flatMap(part => (part.trim() === '' ? [] : [of(part)])));
};

/** The shortest maximum length of a Unix socket's path on supported systems, without the terminator. */
const MOST_SOCKET_BYTES = 103;

/** The operator's socket is in the folder, so the folder's path must leave room for its name. */
export const dataFolder = (text: string): string => {
  const folder = resolve(text);
  const most = MOST_SOCKET_BYTES - '/admin.sock'.length;
  return Buffer.byteLength(folder) <= most
    ? folder
    : expected(`a folder whose path has at most ${most} bytes`);
};

export const readableFile = (text: string): string => {
  try {
    accessSync(text, constants.R_OK);
  } catch {
    expected('a readable file');
  }
  return resolve(text);
};

const pem =
  (what: string, check: (text: string) => unknown) =>
  (text: string): string => {
    const path = readableFile(text);
    const content = readFileSync(path, 'utf8');
    try {
      check(content);
    } catch {
      expected(what);
    }
    return content;
  };

/** The content of a file of PEM certificates: authorities, or a certificate with its chain. */
export const certificates = pem('a file of PEM certificates', content => new X509Certificate(content));
/** The content of a file with a private key that has no passphrase. */
export const privateKey = pem('a file with a PEM private key without a passphrase', createPrivateKey);

/** A password or user name: any characters but those of control. Never echo its value in an error. */
export const credential = (text: string): string =>
  /^[^\p{Cc}]+$/u.test(text) ? text : expected('one line of text');

export const hostName = (text: string): string =>
  /^[A-Za-z0-9._:%-]+$/.test(text) ? text : expected('an address or a host name, without a port');

export const ranges = (text: string): string[] => {
  const all = text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
  return all.every(isRange) ? all : expected('addresses or ranges (10.0.0.0/8), separated by commas');
};

export const httpUrl = (text: string): string =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : expected('an http or https URL');

/** Keys have their own variables, because credentials in a URL end up in logs. */
export const httpUrlAlone = (text: string): string => {
  const url = URL.parse(httpUrl(text))!;
  return url.username === '' && url.password === '' ? text : expected('a URL without a user or password');
};

/**
 * The parts of a list. A comma inside a part (a password's) is none of the list's: each part begins with a
 * scheme.
 */
export const urlsOf = (text: string): string[] =>
  text.split(/\s*,\s*(?=[a-z][a-z0-9+.-]*:\/\/)/i).filter(item => item !== '');

const urls =
  (schemes: RegExp, what: string) =>
  (text: string): string => {
    const all = urlsOf(text.trim()).map(item => URL.parse(item));
    const isRight = all.every(url => schemes.test(url?.protocol ?? '') && url!.protocol === all[0]!.protocol);
    return all.length > 0 && isRight ? text.trim() : expected(what);
  };

/** One URL, or several of one scheme, separated by commas; `urlsOf` takes them apart. */
export const httpUrls = urls(
  /^https?:$/,
  'an http or https URL, or several of one kind, separated by commas',
);
export const redisUrls = urls(
  /^rediss?:$/,
  'a redis or rediss URL, or several of one kind, separated by commas',
);

export const brokers = (text: string): string[] => {
  const all = text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
  return all.every(item => /^[A-Za-z0-9._:[\]-]+:\d{1,5}$/.test(item))
    ? all
    : expected('brokers as host:port, separated by commas');
};

/** Valid as a prefix of topics, indices, databases and keys. */
export const namespace = (text: string): string =>
  /^[a-z][a-z0-9-]{0,39}$/.test(text)
    ? text
    : expected('up to 40 lowercase letters, digits and hyphens, starting with a letter');

/** It becomes part of event ids. */
export const modelName = (text: string): string =>
  /^[\x21-\x7e]{1,200}$/.test(text) ? text : expected('1 to 200 ASCII characters without spaces');

/** Names of models, separated by commas. */
export const modelNames =
  (most: number) =>
  (text: string): string[] => {
    const names = text.split(',').map(name => name.trim());
    return names.length <= most && new Set(names).size === names.length
      ? names.map(modelName)
      : expected(`at most ${most} different names of models, separated by commas`);
  };

/** Parses the prefix of a text for a model; its spaces count. */
export const prefix = (text: string): string =>
  /^[^\p{Cc}]{0,200}$/u.test(text) ? text : expected('one line of at most 200 characters');

/** Sent in a header. Never echo its value in an error. */
const headerText = (text: string): string =>
  /^[\x21-\x7e]+$/.test(text) ? text : expected('ASCII characters without spaces');

export const instant = (text: string): number => {
  const isRfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const value = isRfc3339 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(value) ? expected('an RFC 3339 instant like 2026-01-31T23:59:58Z') : value;
};

export const optional =
  <T>(parse: (text: string) => T) =>
  (text: string): T | undefined =>
    text === '' ? undefined : parse(text);

export const yesOrNo = (text: string): boolean => oneOf('no', 'yes')(text) === 'yes';
