/**
 * Builds the console to console/dist/, and the script of the documentation's pages to console/dist/docs/,
 * where the service finds them. `npm start` runs this where the sources are newer. Without development
 * dependencies there is no Vite, and the service reports at /console what is missing.
 */
import { fileURLToPath } from 'node:url';

const CONSOLE = fileURLToPath(new URL('../../console/', import.meta.url));

// Overrides the shell's value: React's development build is twice as large and several times slower.
process.env.NODE_ENV = 'production';
const vite = await import('vite').catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return undefined;
});
if (vite) {
  await vite.build({ root: CONSOLE, logLevel: 'warn' });
  await vite.build({ root: `${CONSOLE}docs/`, logLevel: 'warn' });
} else console.log('console: not built, because Vite is a development dependency that is not installed');
