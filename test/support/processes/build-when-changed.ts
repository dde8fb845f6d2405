/** A global setup: builds the client and the console if their sources are newer, as `npm start` does. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './server.ts';

export default (): void => {
  execFileSync(process.execPath, [join(ROOT, 'tools/build/when-changed.ts')], { stdio: 'inherit' });
};
