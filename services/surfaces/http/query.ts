import { ServiceError } from '../../core/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The members of a request's query, as they were sent: of a name that is not whole nobody may be told, or erased, by
 * another one that it decodes to. Throws `malformed` for what is no UTF-8, percent-encoded or as it is.
 * @param target of the request line, as Node has it: a character for each byte
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
