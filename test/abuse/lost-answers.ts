/** Lost answers and a projection that stands still, which people's sessions survive. Shared by both modes. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { expectStatus, send } from '../support/http/client.ts';
import type { Server } from '../support/processes/server.ts';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

export const exchange = async (url: string, api_key: string): Promise<Tokens> =>
  expectStatus(await send<Tokens>(`${url}/auth/token-exchange`, 'POST', { api_key }), 200);

export const refresh = (url: string, { refresh_token }: Tokens) =>
  send<Tokens>(`${url}/auth/refresh`, 'POST', { refresh_token });

const secondsIn = (token: string): { iat: number; jti: string } =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

/** Sends a refresh and is gone before the answer, as a phone in a tunnel. */
const refreshAndVanish = async (url: string, { refresh_token }: Tokens): Promise<void> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const body = JSON.stringify({ refresh_token });
  const head = `POST /auth/refresh HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  socket.resume();
  await once(socket, 'close');
};

/** `early`: a server; `later`: gives one of the same data whose clock is minutes ahead. */
export const lostAnswer = async (early: Server, apiKey: string, later: () => Promise<Server>) => {
  const [lost, delivered] = [await exchange(early.url, apiKey), await exchange(early.url, apiKey)];
  await refreshAndVanish(early.url, lost);
  const next = expectStatus(await refresh(early.url, delivered), 200);
  const { url } = await later();

  // Minutes later the one whose answer was lost still gets its successor, and the same one each time.
  const found = expectStatus(await refresh(url, lost), 200);
  expect(secondsIn(found.refresh_token).iat - secondsIn(lost.refresh_token).iat).toBeLessThan(60);
  // This answer arrived: the used token is a stolen one now. But within its minute a retry may still come.
  expectStatus(await refresh(url, found), 200);

  // The one that was delivered is a stolen token by now, and takes its family along.
  expect((await refresh(url, delivered)).status).toBe(401);
  expect((await refresh(url, next)).status).toBe(401);
};

/** While the projection of accounts stands still: sessions go on, each within `ms`. */
export const withoutProjection = async (url: string, apiKey: string, before: Tokens, ms: number) => {
  const began = performance.now();
  const took = async <T>(work: Promise<T>): Promise<T> => {
    const started = performance.now();
    const value = await work;
    expect(performance.now() - started).toBeLessThan(ms);
    return value;
  };
  const next = expectStatus(await took(refresh(url, before)), 200);
  const again = expectStatus(await took(refresh(url, before)), 200);
  expect(again.refresh_token).toBe(next.refresh_token);
  // Once the successor was used, a used token is a stolen one, projected or not.
  const third = expectStatus(await took(refresh(url, next)), 200);
  await took(exchange(url, apiKey));
  expect((await send(`${url}/me`, 'GET', undefined, third.access_token)).status).toBe(200);
  return { elapsed: performance.now() - began, stolen: before };
};
