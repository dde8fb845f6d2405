/** `npm run client:generate`: writes what both clients have from the OpenAPI document. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readContract } from './operations.ts';
import { makeModels } from './python-models.ts';
import { makeOperations } from './python-operations.ts';
import { requestsIn, typesIn } from './typescript.ts';

/** The generated files with the text that they should have. */
export const generated = async (): Promise<[file: URL, text: string][]> => {
  const contract = readContract();
  return [
    [new URL('../typescript/src/api-types.ts', import.meta.url), await typesIn(contract)],
    [new URL('../typescript/src/operations.ts', import.meta.url), requestsIn(contract)],
    [new URL('../python/src/turnstone_client/models.py', import.meta.url), makeModels(contract)],
    [
      new URL('../python/src/turnstone_client/_calls/operations.py', import.meta.url),
      makeOperations(contract),
    ],
  ];
};

if (import.meta.main)
  for (const [file, text] of await generated())
    if (readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(file, text);
