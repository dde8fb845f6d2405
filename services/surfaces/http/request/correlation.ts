import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The request's `X-Correlation-ID` when it is a UUID, else a new one. */
export const correlationIdOf = ({ headers }: IncomingMessage): string => {
  const given = headers['x-correlation-id'];
  return typeof given === 'string' && UUID.test(given) ? given : randomUUID();
};
