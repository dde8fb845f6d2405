import { ServiceError } from '../../../../core/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a request's query strictly: lenient decoding could turn a damaged id into another user's id, whose
 * data would then be read or erased. Throws `malformed` for anything that is not UTF-8, percent-encoded or
 * raw.
 * @param target of the request line, as Node represents it: one character per byte
 */
export const parseQuery = (target: string): URLSearchParams => {
  const start = target.indexOf('?');
  const pairs = start < 0 ? [] : target.slice(start + 1).split('&');
  return new URLSearchParams(pairs.filter(pair => pair !== '').map(readPair));
};

const readPair = (pair: string): [name: string, value: string] => {
  const equals = pair.indexOf('=');
  const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
  return [decoded(name), decoded(value)];
};

const decoded = (component: string): string => {
  try {
    return decodeURIComponent(utf8.decode(Buffer.from(component, 'latin1')).replaceAll('+', ' '));
  } catch {
    throw new ServiceError('malformed', 'The query is malformed.', {
      details: { errors: [{ loc: ['query'], type: 'encoding', message: 'is not percent-encoded UTF-8' }] },
    });
  }
};
