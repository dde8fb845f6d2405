import { expect, it } from 'vitest';
import { ServiceError, unavailable } from '../../../../core/errors.ts';
import { carriedError, errorOf } from '../../../../core/threads/carried-error.ts';

/** As a message between threads does. */
const sent = (error: unknown): Error => errorOf(structuredClone(carriedError(error)));

it('keeps what an answer and the logger say of an error of the service', () => {
  const outage = unavailable("Elasticsearch can't be reached right now.", '503, fault', 3);
  const received = sent(outage);
  expect(received).toBeInstanceOf(ServiceError);
  expect(received).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 3, cause: '503, fault' });
  expect(received.message).toBe(outage.message);
  expect(received.stack).toBe(outage.stack);
  const details = { error: 'rate_limited' };
  const refused = sent(new ServiceError('rate_limited', 'Too many.', { details }));
  expect(refused).toMatchObject({ code: 'rate_limited', details, retryAfter: undefined });
});

it('keeps the message and the stack of a fault of the code, and nothing that is attached to it', () => {
  const fault = Object.assign(new TypeError('no number'), { code: 'unavailable', query: 'where is Grace?' });
  const received = sent(fault);
  expect(received).not.toBeInstanceOf(ServiceError);
  expect([received.message, received.stack]).toEqual([fault.message, fault.stack]);
  expect(Object.keys(received)).toEqual([]);
  expect(sent('where is Grace?').message).toBe('unknown fault');
});

it('carries the message alone of an error that is the cause', () => {
  const cause = Object.assign(new Error('disk I/O error'), { query: 'where is Grace?' });
  expect(sent(unavailable('Unreadable.', cause)).cause).toBe('disk I/O error');
});
