/** `npm run docs:reference`: writes the pages that are made from declarations. */
import { writeFileSync } from 'node:fs';
import { REFERENCE_PAGES } from './reference-pages.ts';

for (const [file, page] of Object.entries(REFERENCE_PAGES))
  writeFileSync(new URL(`../../${file}`, import.meta.url), page());
