import { join } from 'node:path';
import { openAdmission } from '../../infra/embedded/admission/admission.ts';
import { makeUnsettled } from '../../infra/embedded/admission/unsettled.ts';
import { openProjectionsReader } from '../../infra/embedded/index/projections-database.ts';
import { temporaryFolder } from '../support/server.ts';
import { describeDeadLetters } from './dead-letters.contract.ts';
import { describeFrames } from './frames.contract.ts';
import type { OpenDeadLetters } from './openers/dead-letters.ts';
import { openProjections } from './openers/embedded.ts';
import { openFolder } from './openers/log.ts';

const open = async (): Promise<OpenDeadLetters> => {
  const { log, close } = await openFolder(temporaryFolder());
  const closers: (() => unknown)[] = [close];
  return {
    log,
    readModels: async () => {
      const folder = temporaryFolder();
      const { store, index, close } = await openProjections(folder);
      const reader = openProjectionsReader(join(folder, 'projections.db'));
      closers.push(close, () => reader.close());
      const { billed } = openAdmission(
        reader,
        makeUnsettled(() => false),
      );
      return { store, index, billed: (from, to) => billed('acme', from, to) };
    },
    close: async () => {
      for (const closer of closers.reverse()) await closer();
    },
  };
};

// Its segments order them by their arrival (docs/internals/decisions/0015-dead-letters.md).
describeDeadLetters('embedded', open, { ordersByPlace: false });
describeFrames('embedded', open);
