import { pino } from 'pino';
import { readConfig } from '../../services/config.ts';
import { openEngines } from '../../services/embedded/open.ts';
import { temporaryFolder } from '../support/server.ts';
import { describeAccountStore, type OpenAccounts } from './account-store.contract.ts';

/** With the projector's thread: a decision is read from the projections' file. */
const open = async (folder = temporaryFolder()): Promise<OpenAccounts> => {
  const read = readConfig({ TURNSTONE_DATA_DIR: folder });
  if (!read.ok) throw new Error(read.faults.join('\n'));
  const { accounts, watch, close } = await openEngines(read.config, pino({ level: 'silent' }), 0);
  await watch.caughtUp;
  return {
    accounts: accounts.store,
    close,
    reopen: async () => {
      await close();
      return open(folder);
    },
  };
};

describeAccountStore('embedded', () => open());
