import {
  type InstallationKeys,
  isWrappedByFirst,
  rewrapped,
} from '../../../core/log/keys/installation-keys.ts';
import type { KeyStore } from '../../../core/ports.ts';
import type { WriterConnection } from '../log/writer-connection.ts';
import type { KeyReader } from './key-database.ts';

/** Keys per commit: some milliseconds of this thread. */
const PAGE = 200;

export interface RewrapPorts {
  installation: InstallationKeys;
  stored: Pick<KeyReader, 'userKeysAfter'>;
  writer: Pick<WriterConnection, 'request'>;
}

/** Returns a rewrap that commits each page separately, so that a repeated call skips finished pages. */
export const makeRewrap = ({ installation, stored, writer }: RewrapPorts): KeyStore['rewrap'] =>
  async function* ({ dryRun }, signal) {
    installation.read(true);
    let [checked, count] = [0, 0];
    for (let after = ''; !signal.aborted; ) {
      const page = stored.userKeysAfter(after, PAGE);
      const last = page.at(-1);
      if (!last) {
        yield { kind: 'done', checked, rewrapped: count };
        return;
      }
      const others = page.filter(key => !isWrappedByFirst(installation, key));
      // A commit without keys also waits for the writer, and lets others have this thread.
      const keys = dryRun ? [] : others.map(key => rewrapped(installation, key));
      await writer.request(keys.length > 0 ? { rewrapped: keys } : {});
      after = last.keyId;
      checked += page.length;
      count += others.length;
      yield { kind: 'progress', checked, rewrapped: count };
    }
  };
