import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../../../core/errors.ts';
import { OPEN_BODY, readBody } from '../../http/request/request-body.ts';
import type { Refusal } from './guard.ts';

/** JSON-RPC's code for a body that is not JSON. */
const PARSE_ERROR = -32_700;

/** Reads the body of a caller whose key was not tried yet: it must be short and arrive within seconds. */
export const readUntriedJson = async (
  request: IncomingMessage,
): Promise<{ ok: true; value: unknown } | { ok: false; refusal: Refusal }> => {
  try {
    // Not counted: the body that begins a session is short, and this server has few callers at a time.
    const body = await readBody(request, OPEN_BODY, { add: () => {} });
    return { ok: true, value: JSON.parse(body.toString()) };
  } catch (error) {
    if (error instanceof ServiceError)
      return { ok: false, refusal: { status: error.status, message: error.message } };
    // The body is not JSON, or the sender disconnected and reads no answer.
    return { ok: false, refusal: { status: 400, code: PARSE_ERROR, message: 'The body is not JSON.' } };
  }
};
