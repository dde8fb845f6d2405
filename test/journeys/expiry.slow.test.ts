import { it } from 'vitest';
import { connect } from '../support/http/client.ts';
import { holdClock } from '../support/processes/clock.ts';
import { startServer } from '../support/processes/server.ts';
import { expireUnderLoad } from './expiry.ts';
import { operate, swept } from './expiry-embedded.ts';

it('an expiry hides thousands of turns during writes and a replay, leaves nothing of them, and loses nothing else', async () => {
  const clock = holdClock();
  const server = await startServer({
    environment: { ...clock.environment, TURNSTONE_QUOTA_TOKENS_IN: '0' },
  });
  const client = await connect(server);
  await expireUnderLoad({ ...server, clock }, client, () => operate(clock, server.dataDir, 'replay', 'all'));
  await operate(clock, server.dataDir, 'verify');
  await swept(clock, server.dataDir);
  await operate(clock, server.dataDir, 'verify');
  await server.stop();
}, 300_000);
