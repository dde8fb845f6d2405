/** The tokens of one API key: fetched once for all who ask, renewed ahead of their end. */
import { HEADER_TEXT, isRecord } from './answer.ts';
import { TurnstoneError } from './error.ts';
import type { Request } from './transport.ts';

export interface Tokens {
  access: string;
  refresh: string;
  /** Unix milliseconds from which on they are renewed before they are used. */
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
    throw new TurnstoneError('The server gave no tokens; is it Turnstone that listens there?', {
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
  /** Others than those, which a call was refused with. */
  insteadOf(refused: Tokens): Tokens | Promise<Tokens>;
}

/** `send` is not given up when one of those who wait is. */
export const makeTokens = (apiKey: string, send: (request: Request) => Promise<unknown>): TokenSource => {
  let tokens: Tokens | undefined;
  let fetching: Promise<Tokens> | undefined;

  const exchange = async (): Promise<Tokens> =>
    tokensOf(await send({ method: 'POST', path: '/auth/token-exchange', body: { api_key: apiKey } }));

  /** The exchange answers also where the refresh can't: it is not worth a wait. */
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
    // They are at their end, or were refused: also where no others can be had, nobody is to send them.
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
