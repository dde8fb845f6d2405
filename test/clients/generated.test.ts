import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generated } from '../../clients/generate/generate.ts';

test('what the clients have from the OpenAPI document is up to date; if not, `npm run client:generate` makes it so', async () => {
  for (const [file, text] of await generated()) expect(readFileSync(file, 'utf8'), file.pathname).toBe(text);
});
