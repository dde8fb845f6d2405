import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ATTRIBUTES } from '../../../../domain/facts/attributes.ts';

it.each([
  ['One value at a time', 'one'],
  ['Several side by side', 'several'],
])('docs/reference/attributes.md names each attribute: %s', (heading, holds) => {
  const page = readFileSync(new URL('../../../../docs/reference/attributes.md', import.meta.url), 'utf8');
  const line = page.split('\n').find(text => text.startsWith(`${heading}: `))!;
  const names = [...line.matchAll(/`([a-z_]+)…?`/g)].map(([, name]) => name);
  expect(names).toEqual(ATTRIBUTES.filter(one => one.holds === holds).map(({ name }) => name));
});
