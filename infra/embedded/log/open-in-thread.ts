import type { MessagePort } from 'node:worker_threads';
import { makeDecode } from '../../../core/log/events.ts';
import { followInstallationKeys } from '../../secrets/installation-keys.ts';
import { openKeyStore } from '../keys/key-store.ts';
import { openEventLog } from './event-log.ts';
import { connectWriter } from './writer-connection.ts';

/** Opens the log and its keys in a thread, over the thread's own connection to the writer. */
export const openLogInThread = ({
  paths,
  writer: port,
}: {
  paths: { log: string; keys: string; installationKeys: string };
  writer: MessagePort;
}) => {
  const writer = connectWriter(port);
  const log = openEventLog(paths.log, writer);
  const keys = openKeyStore(paths.keys, followInstallationKeys(paths.installationKeys), writer);
  const close = async (): Promise<void> => {
    await keys.close();
    await log.close();
  };
  return { log, keys, decode: makeDecode(keys), close };
};
