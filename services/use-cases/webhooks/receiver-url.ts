import { ServiceError } from '../../../core/errors.ts';
import { isPublic, literalAddress } from '../../../core/public-address.ts';

const refuse = (message: string): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', {
    details: { errors: [{ loc: ['body', 'url'], type: 'url', message }] },
  });

/** Returns the address in its normal form, without the disguises that a URL has for an IP address. */
export const receiverUrl = (text: string, isPrivateAllowed: boolean): string => {
  const url = URL.parse(text);
  const schemes = isPrivateAllowed ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol))
    throw refuse(isPrivateAllowed ? 'must be an address with http or https' : 'must be an https address');
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw refuse('must have no user information and no fragment');
  const literal = literalAddress(url.hostname);
  if (!isPrivateAllowed && literal !== undefined && !isPublic(literal))
    throw refuse('must not be a private, loopback or link-local address, or one of another special use');
  return url.href;
};
