/**
 * A tenant with a valid token that sends large bodies: slowly, all at once, or of values that cost more than
 * their bytes.
 */
import { once } from 'node:events';
import { connect as connectTo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { accessToken, type Client } from '../support/http/client.ts';
import { pause, until } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

export interface World {
  url: string;
  /** The key of the organization that attacks; `good` is a client of one that does nothing wrong. */
  apiKey: string;
  good: Client;
}

const MEBIBYTE = 1024 * 1024;
const SLOW = 40;
/** Half of what bodies in progress may hold. */
const HELD_OF_ONE = 32;

export const largeBodyTests = (world: () => World): void => {
  test('large bodies that never end hold half of the memory for bodies, and another one gets through', async () => {
    const { url, apiKey, good } = world();
    const token = await accessToken(url, apiKey);
    const { hostname, port } = new URL(url);
    const head =
      `POST /ingestion/memory HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${4 * MEBIBYTE}\r\n\r\n`;
    const part = Buffer.alloc(3.5 * MEBIBYTE, ' ');
    const answers: string[] = [];
    const sockets: Socket[] = [];
    for (let i = 0; i < SLOW; i++) {
      const socket = connectTo(Number(port), hostname);
      sockets.push(socket);
      answers.push('');
      socket.on('error', () => {}).setEncoding('latin1');
      socket.on('data', chunk => {
        answers[i] = answers[i]! + chunk;
      });
      await once(socket, 'connect');
      socket.write(head);
      socket.write(part);
    }
    try {
      const refused = () => answers.filter(answer => answer.startsWith('HTTP/1.1 503')).length;
      const least = SLOW - Math.floor(HELD_OF_ONE / 3.5);
      await until('the rest is refused', () => refused() >= least);
      expect(refused()).toBe(least);
      expect(answers.find(answer => answer !== '')).toMatch(/\r\nRetry-After: 1\r\n/i);
      // Another organization's large body, beside those.
      const large = { ...turn(1), metadata: undefined, text: 'some words '.repeat(5_000) };
      const turns = Array.from({ length: 40 }, (_, i) => ({ ...large, text: `${i} ${large.text}` }));
      expect((await good.ingest({ turns })).active_fragment_ids).toHaveLength(40);
      for (const socket of sockets) socket.destroy();
      await until('what was held is free again', async () => {
        const answer = await fetch(`${url}/ingestion/memory`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: part,
        });
        return answer.status === 400;
      });
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test.each([
    ['of nested arrays', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
    ['of empty objects', `[${'{},'.repeat(1_300_000)}{}]`],
  ])('a body %s is refused before it costs a second', async (_what, raw) => {
    const { url, apiKey, good } = world();
    const token = await accessToken(url, apiKey);
    const body = `{"scope":{"org_id":"a"},"turns":[],"x":${raw}}`;
    let isDone = false;
    const attack = async (): Promise<Response[]> => {
      const sent: Response[] = [];
      for (let i = 0; i < 5; i++)
        sent.push(
          await fetch(`${url}/ingestion/memory`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body,
          }),
        );
      isDone = true;
      return sent;
    };
    const waits: number[] = [];
    const calm = async (): Promise<void> => {
      while (!isDone) {
        const began = performance.now();
        await good.today();
        waits.push(performance.now() - began);
        await pause(5);
      }
    };
    const [answers] = await Promise.all([attack(), calm()]);
    for (const answer of answers) {
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({
        details: {
          errors: [{ loc: ['body'], type: 'too_many', message: 'must have at most 500000 values' }],
        },
      });
    }
    // A machine with much to do is given time; parsing one of them took seconds there.
    expect(Math.max(...waits)).toBeLessThan(1_000);
  });
};
