import { join } from 'node:path';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { connectWriter, openEventLog } from '../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import { installationOf } from '../support/installation-keys.ts';
import { temporaryFolder } from '../support/server.ts';
import { describeExpiredKeys } from './expired-keys.contract.ts';
import { openProjections } from './openers/embedded.ts';

describeExpiredKeys('embedded', async () => {
  const folder = temporaryFolder();
  const [logPath, keysPath] = [join(folder, 'log.db'), join(folder, 'keys.db')];
  const writer = await startWriter({ logPath, keysPath }, () => {});
  const connections = [connectWriter(writer.port()), connectWriter(writer.port())];
  const installation = installationOf(Buffer.alloc(32, 7));
  const [keys, other] = connections.map(connection => openKeyStore(keysPath, installation, connection));
  const log = openEventLog(logPath, connectWriter(writer.port()));
  return {
    log,
    keys: keys!,
    other: other!,
    open: clock => openProjections(temporaryFolder(), clock),
    close: async () => {
      for (const store of [keys!, other!]) await store.close();
      for (const connection of connections) await connection.close();
      await log.close();
      await writer.close();
    },
  };
});
