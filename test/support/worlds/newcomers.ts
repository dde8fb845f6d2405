/** Organizations that sign up over HTTP, for tests of several; sign-up must be open. */
import { expect } from 'vitest';
import { type Answer, accessToken, type Client, connect, send } from '../http/client.ts';
import { pause, untilDefined } from '../wait.ts';

/**
 * Engines that are freed of another suite's data meanwhile are late for seconds, and the answer says when to
 * come back.
 */
const TRIES = 5;

const signedUp = async (url: string, org: string): Promise<Answer<{ api_key: string }>> => {
  for (let tries = 1; ; tries++) {
    const answer = await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: org });
    if (answer.status !== 503 || tries === TRIES) return answer;
    await pause(1_000 * Number(answer.headers.get('retry-after')));
  }
};

export const signUp = async (
  url: string,
  org: string,
): Promise<{ client: Client; apiKey: string; token: string }> => {
  const { status, body } = await signedUp(url, org);
  expect(status, JSON.stringify(body)).toBe(201);
  const apiKey = body.api_key;
  const token = await accessToken(url, apiKey);
  return { client: await connect({ url, apiKey }, token), apiKey, token };
};

let organizations = 0;

/**
 * Signs up an organization that no file of this process has. A sign-up without an answer may have made it, so
 * that each try has a name of its own.
 */
export const newOrganization = (url: string) =>
  untilDefined('an organization has signed up', async () => {
    const org = `org-${++organizations}`;
    return { org, ...(await signUp(url, org)) };
  });
