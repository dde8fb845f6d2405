/** `npm run observability`: writes the dashboards, the alerts, their tests and their documents. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OBSERVABILITY_FILES } from './files.ts';

for (const [file, text] of Object.entries(OBSERVABILITY_FILES)) {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text());
}
