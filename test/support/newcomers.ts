/** Organizations that sign up over HTTP, for tests of several; sign-up must be open. */
import { expect } from 'vitest';
import { accessToken, type Client, connect, send } from './client.ts';

export const signUp = async (
  url: string,
  org: string,
): Promise<{ client: Client; apiKey: string; token: string }> => {
  const { status, body } = await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: org });
  expect(status, JSON.stringify(body)).toBe(201);
  const apiKey = body.api_key;
  const token = await accessToken(url, apiKey);
  return { client: await connect({ url, apiKey }, token), apiKey, token };
};
