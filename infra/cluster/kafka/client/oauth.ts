import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { rootCertificates } from 'node:tls';
import { unavailable } from '../../../../core/errors.ts';

const TIMEOUT_MS = 5_000;
/**
 * The lifetime of a token whose response lacks `expires_in`, which RFC 6749 recommends and does not require.
 */
const ASSUMED_SECONDS = 300;
/** A token is renewed after this part of its life, so that it never expires on its way to a broker. */
const USED_PART = 0.8;

export interface TokenOptions {
  /** The endpoint; https, or http on a trusted network. */
  url: string;
  clientId: string;
  clientSecret: string;
  scope?: string | undefined;
  /** PEM text of an authority to trust beside the system's. */
  ca?: string | undefined;
}

interface Granted {
  access_token?: unknown;
  expires_in?: unknown;
}

/**
 * Returns the response's text; rejects unless its status is 200. Errors contain neither the request nor the
 * response.
 */
const post = async ({ url, clientId, clientSecret, scope, ca }: TokenOptions): Promise<string> => {
  // RFC 6749, 2.3.1: both are form-encoded before they are joined.
  const encoded = (part: string): string => encodeURIComponent(part).replace(/%20/g, '+');
  const credentials = Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`).toString('base64');
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
  });
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const request = send(
      url,
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${credentials}`,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
      },
      resolve,
    );
    request.on('error', reject);
    request.end(body.toString());
  });
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`it answered ${response.statusCode}`);
  return answer;
};

/**
 * Returns a provider of tokens for client credentials (RFC 6749, 4.4). All connections share a token, which
 * is renewed before it expires; while the endpoint does not answer, a token that is still valid is used.
 * Throws `unavailable` if there is none.
 */
export const makeTokenProvider = (
  options: TokenOptions,
  clock: () => number = Date.now,
): (() => Promise<{ value: string }>) => {
  let token: { value: string; renewAt: number; expiresAt: number } | undefined;
  let fetching: Promise<void> | undefined;

  const renew = async (): Promise<void> => {
    const asked = clock();
    const { access_token: value, expires_in: seconds } = JSON.parse(await post(options)) as Granted;
    if (typeof value !== 'string' || value === '') throw new Error('it granted no token');
    const life = (Number(seconds) > 0 ? Number(seconds) : ASSUMED_SECONDS) * 1_000;
    token = { value, renewAt: asked + life * USED_PART, expiresAt: asked + life };
  };

  return async () => {
    if (!token || clock() >= token.renewAt) {
      fetching ??= renew().finally(() => {
        fetching = undefined;
      });
      try {
        await fetching;
      } catch (error) {
        if (!token || clock() >= token.expiresAt)
          throw unavailable('The endpoint of tokens for Kafka grants none.', error);
      }
    }
    return { value: token!.value };
  };
};
