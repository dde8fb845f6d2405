import type { GenerationWriters } from '../../../infra/cluster/generations/writes.ts';

/** A projection that has its first generation and no other, as `turnstone migrate` leaves it. */
export const FIRST_ALONE: GenerationWriters = {
  targets: async () => ({ required: [1], optional: [], beside: [], marked: [] }),
  failed: async (_, error) => {
    throw error;
  },
};
