import { openFolder } from '../support/contracts-log.ts';
import { temporaryFolder } from '../support/server.ts';
import { describeEventLog, type OpenLog } from './event-log.contract.ts';

const open = async (folder = temporaryFolder()): Promise<OpenLog> => {
  const { log, close } = await openFolder(folder);
  return {
    log,
    close,
    reopen: async () => {
      await close();
      return open(folder);
    },
  };
};

describeEventLog('embedded', () => open());
