import { join } from 'node:path';
import { createProjectionsDatabase } from '../../infra/embedded/index/create-database.ts';
import { openProjectionStore } from '../../infra/embedded/index/projection-store.ts';
import { openProjectionsReader } from '../../infra/embedded/index/projections-database.ts';
import { openUsageEvents } from '../../infra/embedded/index/usage-events.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import { temporaryFolder } from '../support/server.ts';
import { fold } from './openers/embedded.ts';
import { describeStatement } from './statement.contract.ts';

describeStatement('embedded', async () => {
  const path = join(temporaryFolder(), 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  const reader = openProjectionsReader(path);
  return {
    ledger: { events: openUsageEvents(reader), firstDay: () => undefined },
    apply: async events => {
      await store.apply({ ...fold(events), positions: {} });
    },
    close: async () => {
      reader.close();
      await store.close();
    },
  };
});
