/** An address that opens connections and sends nothing, or its headers one by one. The same in both modes. */
import { expect, test } from 'vitest';
import { pause, until } from '../support/wait.ts';
import { open } from './open-endpoints.ts';

export const LIMITS = { TURNSTONE_CONNECTIONS: '200', TURNSTONE_CONNECTIONS_PER_ADDRESS: '50' };
const PER_ADDRESS = Number(LIMITS.TURNSTONE_CONNECTIONS_PER_ADDRESS);
const ATTACKERS = 300;

export const connectionTests = (world: () => { url: string }): void => {
  test('connections of one address that send no request take half of the places, for seconds', async () => {
    const { url } = world();
    const attackers = await Promise.all(Array.from({ length: ATTACKERS }, () => open(url)));
    for (const { socket } of attackers.slice(0, ATTACKERS / 2))
      if (socket.writable) socket.write('GET /me HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    const dribble = setInterval(() => {
      for (const { socket } of attackers) if (socket.writable) socket.write('X-Slow: 1\r\n');
    }, 1_000);
    const kept = () => attackers.filter(({ isOpen }) => isOpen()).length;
    try {
      await until('those beyond the limit of the address are closed', () => kept() <= PER_ADDRESS);
      expect(kept()).toBeGreaterThan(0);
      for (let n = 0; n < 10; n++) {
        const good = await open(url, '127.0.0.2');
        good.socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
        await until('it is answered', () => good.answer().startsWith('HTTP/1.1 200'));
        await pause(10);
      }
      await until('the others are closed, too', () => kept() === 0);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    } finally {
      clearInterval(dribble);
      for (const { socket } of attackers) socket.destroy();
    }
  });
};
