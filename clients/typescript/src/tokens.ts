/** The tokens of one API key: fetched once for all concurrent callers, and renewed before they expire. */
import { HEADER_TEXT, isRecord } from './answer.ts';
import { TurnstoneError } from './error.ts';
import type { Request } from './transport.ts';

export interface Tokens {
  access: string;
  refresh: string;
  /** The time from which they are renewed before the next use, in Unix milliseconds. */
  renewAt: number;
}

const MARGIN_MS = 60_000;

const tokensOf = (answer: unknown): Tokens => {
  const { access_token, refresh_token, expires_in } = isRecord(answer) ? answer : {};
  if (
    typeof access_token !== 'string' ||
    !HEADER_TEXT.test(access_token) ||
    typeof refresh_token !== 'string'
  )
    throw new TurnstoneError('The server returned no tokens; is baseUrl the address of Turnstone?', {
      code: 'unexpected_answer',
      status: 200,
    });
  const livesMs = (Number(expires_in) || 0) * 1_000;
  return {
    access: access_token,
    refresh: refresh_token,
    renewAt: Date.now() + livesMs - Math.min(MARGIN_MS, livesMs / 10),
  };
};

export interface TokenSource {
  current(): Tokens | Promise<Tokens>;
  /** Returns new tokens in place of those with which a call was refused. */
  insteadOf(refused: Tokens): Tokens | Promise<Tokens>;
}

/** `send` continues even when one of the waiting callers gives up. */
export const makeTokens = (apiKey: string, send: (request: Request) => Promise<unknown>): TokenSource => {
  let tokens: Tokens | undefined;
  let fetching: Promise<Tokens> | undefined;

  const exchange = async (): Promise<Tokens> =>
    tokensOf(await send({ method: 'POST', path: '/auth/token-exchange', body: { api_key: apiKey } }));

  /** Not retried, because the exchange works even when the refresh fails. */
  const refresh = async ({ refresh: refresh_token }: Tokens): Promise<Tokens> => {
    const request: Request = {
      method: 'POST',
      path: '/auth/refresh',
      body: { refresh_token },
      isRepeatable: false,
    };
    return send(request).then(tokensOf).catch(exchange);
  };

  const fetchOnce = (): Promise<Tokens> => {
    if (fetching) return fetching;
    const held = tokens;
    // They expire or were refused, so no call may send them, even if no others can be fetched.
    tokens = undefined;
    fetching = (held ? refresh(held) : exchange())
      .then(fetched => {
        tokens = fetched;
        return fetched;
      })
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  };

  const current = (): Tokens | Promise<Tokens> =>
    fetching ?? (tokens && Date.now() < tokens.renewAt ? tokens : fetchOnce());

  return { current, insteadOf: refused => (tokens === refused ? fetchOnce() : current()) };
};
