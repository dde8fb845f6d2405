import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import config from '../../../vitest.config.ts';
import { LONG } from '../../support/longest-first.ts';
import { ROOT } from '../../support/processes/server.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const projects = (config.test?.projects ?? []) as { test: { name: string } }[];

it('each kind of test is run by `npm test` or by the rest of `.ci/run`, and by one of them alone', () => {
  const quick = JSON.parse(read('package.json')).scripts.test.split(' --project ').slice(1);
  const rest = /'--project %s ' ([\w ]+)\)/.exec(read('.ci/run'))![1]!.split(' ');
  expect([...quick, ...rest].sort()).toEqual(projects.map(({ test }) => test.name).sort());
});

it('the files that begin first are there', () => {
  expect(LONG.filter(file => !existsSync(join(ROOT, 'test', file)))).toEqual([]);
});
