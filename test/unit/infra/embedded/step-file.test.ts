import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StepState } from '../../../../core/ports.ts';
import { openStepFile } from '../../../../infra/embedded/step-file.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';

const state = (from: number, suspects: StepState['suspects'] = {}): StepState => ({
  last: { partition: 'turns/1', from, next: from + 1, records: 1 },
  computing: true,
  suspects,
});

it('holds the last state, also one that is shorter than the one before', () => {
  const path = join(temporaryFolder(), 'step');
  const file = openStepFile(path);
  expect(file.read()).toBeUndefined();
  file.write(state(123_456_789, { 'turns/1': { from: 1, deaths: 2, aloneUntil: 3 } }));
  file.write(state(2));
  file.close();
  const again = openStepFile(path);
  expect(again.read()).toEqual(state(2));
  again.close();
});

it('knows nothing when it is torn', () => {
  const path = join(temporaryFolder(), 'step');
  writeFileSync(path, JSON.stringify(state(2)).slice(0, 20));
  const file = openStepFile(path);
  expect(file.read()).toBeUndefined();
  file.close();
});
