import { join } from 'node:path';
import { makeExpiryCounts } from '../../infra/cluster/redis/expiry-counts.ts';
import { openExpiriesFile } from '../../infra/embedded/admission/expiries-file.ts';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../infra/embedded/log/writer-connection.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { installationOf } from '../support/files/installation-keys.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { makeKeysWorld } from '../support/worlds/cluster-keys-world.ts';
import { describeExpiredKeys } from './expired-keys.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openProjections } from './openers/embedded.ts';

describeInBothModes('expired keys', {
  embedded: () => {
    describeExpiredKeys('embedded', async () => {
      const folder = temporaryFolder();
      const [logPath, keysPath] = [join(folder, 'log.db'), join(folder, 'keys.db')];
      const writer = await startWriter({ logPath, keysPath }, () => {});
      const connections = [connectWriter(writer.port()), connectWriter(writer.port())];
      const installation = installationOf(Buffer.alloc(32, 7));
      const [keys, other] = connections.map(connection => openKeyStore(keysPath, installation, connection));
      const files: { close(): void }[] = [];
      const log = openEventLog(logPath, connectWriter(writer.port()));
      return {
        log,
        keys: keys!,
        other: other!,
        counts: () => {
          const file = openExpiriesFile(join(folder, 'budgets.db'));
          files.push(file);
          return file;
        },
        open: clock => openProjections(temporaryFolder(), clock),
        close: async () => {
          for (const file of files) file.close();
          for (const store of [keys!, other!]) await store.close();
          for (const connection of connections) await connection.close();
          await log.close();
          await writer.close();
        },
      };
    });
  },
  cluster: () => {
    const { openStore, fresh, redis } = makeKeysWorld(clusterConfig());
    describeExpiredKeys('cluster', async () => {
      const { name, log } = fresh();
      const [keys, other] = [openStore(name, log), openStore(name, log)];
      return {
        log,
        keys,
        other,
        counts: () => makeExpiryCounts({ redis: redis(), namespace: name }),
        open: clock => openElasticsearchProjections(undefined, {}, clock),
        close: async () => {
          await keys.close();
          await other.close();
        },
      };
    });
  },
});
