/**
 * Loaded into a process before its own code, and into each of its threads: writes the address of each module
 * of OpenTelemetry that is loaded into the file that a test names.
 */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) => {
    if (url.includes('/@opentelemetry/')) appendFileSync(process.env.TEST_MODULES_FILE!, `${url}\n`);
    return next(url, context);
  },
});
