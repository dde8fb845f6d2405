/** A call to the service that served this page, with the tab's token, renewed once if it is rejected. */
import type { ErrorBody } from '../../../schemas/http/parts/error-components.ts';
import { ApiError } from './error.ts';
import { currentSession, endSession } from './session.ts';
import { askTwins, keepRenewed } from './twins.ts';
import type { Tokens } from './types.ts';

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

const withQuery = (path: string, query: Call['query'] = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
};

const send = async (path: string, { method = 'GET', query, body, signal }: Call, token?: string) => {
  try {
    return await fetch(withQuery(path, query), {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      cache: 'no-store',
      credentials: 'omit',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The service is not responding.');
  }
};

const refusal = async (answer: Response): Promise<ApiError> => {
  const body = ((await answer.json().catch(() => null)) ?? {}) as Partial<ErrorBody>;
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(answer.status, body.message ?? `The service answered with ${answer.status}.`, {
    details: body.details ?? null,
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(body.request_id === undefined ? {} : { requestId: body.request_id }),
  });
};

const read = async <T>(answer: Response): Promise<T> => {
  if (!answer.ok) throw await refusal(answer);
  if (answer.status === 204) return undefined as T;
  try {
    return (await answer.json()) as T;
  } catch (error) {
    // Not JSON: a proxy's own page, such as its sign-in. Any other error is an interrupted answer.
    throw error instanceof SyntaxError ? new ApiError(answer.status, 'The answer is not JSON.') : error;
  }
};

/** Requests text, without a token. */
export const requestText = async (path: string, signal?: AbortSignal): Promise<string> => {
  const answer = await send(path, { signal });
  if (!answer.ok) throw await refusal(answer);
  return answer.text();
};

/** Requests JSON, without a token. */
export const requestOpen = async <T>(path: string, call: Call): Promise<T> => read<T>(await send(path, call));

/** Requests JSON without a token. A 503 may have the same body; a proxy's 503 does not. */
export const requestReadiness = async <T extends object>(path: string, call: Call, has: keyof T & string) => {
  const answer = await send(path, call);
  if (answer.status === 503) {
    const body: unknown = await answer
      .clone()
      .json()
      .catch(() => undefined);
    if (typeof body === 'object' && body !== null && has in body) return body as T;
  }
  return read<T>(answer);
};

/** The message of a 403, and of a renewal's 401, after the key was revoked; other 403s are about roles. */
const KEY_REVOKED = 'The API key is revoked.';
const ENDED = 'Your session has ended. Sign in again to continue.';
const REVOKED = 'The key that you signed in with was revoked. Sign in with another one to continue.';

const ending = ({ message }: ApiError): string => (message === KEY_REVOKED ? REVOKED : ENDED);

const isRefused = ({ status, message }: ApiError): boolean =>
  status === 401 || (status === 403 && message === KEY_REVOKED);

/** Whether these are the current session's tokens. */
const areCurrent = ({ access_token }: Tokens): boolean =>
  currentSession().tokens?.access_token === access_token;

const renewNow = async (sent: Tokens): Promise<void> => {
  const { refresh_token: spent } = sent;
  // A session of an identity provider: signing in again asks it.
  if (spent === undefined) return endSession(ENDED);
  await askTwins(spent);
  if (!areCurrent(sent)) return;
  try {
    const fresh = await requestOpen<Tokens>('/auth/refresh', {
      method: 'POST',
      body: { refresh_token: spent },
    });
    if (areCurrent(sent)) keepRenewed(spent, fresh);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && areCurrent(sent)) endSession(ending(error));
    throw error;
  }
};

let renewing: Promise<void> | undefined;

/** Concurrent calls share one renewal: a refresh token is valid once. */
const renew = (sent: Tokens): Promise<void> => {
  if (!areCurrent(sent)) return Promise.resolve();
  renewing ??= renewNow(sent).finally(() => {
    renewing = undefined;
  });
  return renewing;
};

/** Ends the session if its key was revoked; any other fault is reported by the next call. */
export const endIfRevoked = async (): Promise<void> => {
  const { tokens } = currentSession();
  if (tokens) await renew(tokens).catch(() => undefined);
};

const tokensNow = (): Tokens => {
  const { tokens } = currentSession();
  if (!tokens) throw new ApiError(401, 'You are signed out.');
  return tokens;
};

/** Sends a call with the tokens, renewed once if they are refused. `take` reads the answer. */
const requestAs = async <T>(path: string, call: Call, take: (answer: Response) => Promise<T>): Promise<T> => {
  const sent = tokensNow();
  const sendWith = async ({ access_token }: Tokens): Promise<T> => take(await send(path, call, access_token));
  try {
    return await sendWith(sent);
  } catch (error) {
    if (!(error instanceof ApiError && isRefused(error))) throw error;
  }
  await renew(sent);
  const renewed = tokensNow();
  try {
    return await sendWith(renewed);
  } catch (error) {
    if (error instanceof ApiError && isRefused(error) && areCurrent(renewed)) endSession(ending(error));
    throw error;
  }
};

export const request = <T>(path: string, call: Call = {}): Promise<T> => requestAs<T>(path, call, read<T>);

/** Requests an answer that is read while it is written. */
export const requestStream = (path: string, call: Call): Promise<Response> =>
  requestAs(path, call, async answer => {
    if (!answer.ok) throw await refusal(answer);
    return answer;
  });
