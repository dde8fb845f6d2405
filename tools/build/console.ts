/**
 * Builds the console to console/dist/, where the service finds it. `npm start` runs this where the sources
 * are newer. Without development dependencies there is no Vite, and the service reports at /console what is
 * missing.
 */
import { fileURLToPath } from 'node:url';

const CONSOLE = fileURLToPath(new URL('../../console/', import.meta.url));

// Overrides the shell's value: React's development build is twice as large and several times slower.
process.env.NODE_ENV = 'production';
const vite = await import('vite').catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return undefined;
});
if (vite) await vite.build({ root: CONSOLE, logLevel: 'warn' });
else console.log('console: not built, because Vite is a development dependency that is not installed');
