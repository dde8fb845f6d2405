import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { API_TYPES_FILE, apiTypes } from '../../clients/typescript/write-api-types.ts';

it("the client's types are the OpenAPI document's; if not, `npm run client:types` makes them so", async () => {
  expect(readFileSync(API_TYPES_FILE, 'utf8')).toBe(await apiTypes());
});
