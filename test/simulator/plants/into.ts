/** Where a fault is planted: one port, or what goes through it. */
import type { Event } from '../../../core/log/events.ts';
import type { Engines } from '../../../core/ports/engines.ts';
import type { Listing, ProjectedBatch, TurnDetails } from '../../../core/ports.ts';
import type { RecallWrite } from '../../../projections/recall/recall-writes.ts';
import { NOTHING_PLANTED, type Plant } from '../world/plant.ts';

/** In what the projector stores; `process`: the number of the process, from 1. */
export const inBatches =
  (change: (batch: ProjectedBatch, process: number) => ProjectedBatch) => (): Plant => {
    let process = 0;
    return {
      ...NOTHING_PLANTED,
      opened: () => {
        process++;
      },
      store: store => ({ ...store, apply: batch => store.apply(change(batch, process)) }),
    };
  };

export const inRecall = (change: (write: RecallWrite, process: number) => RecallWrite[]) =>
  inBatches((batch, process) => ({
    ...batch,
    recall: batch.recall.flatMap(write => change(write, process)),
  }));

export const inEngines = (change: (engines: Engines) => Engines) => (): Plant => ({
  ...NOTHING_PLANTED,
  engines: change,
});

export const inAdmission = (change: (admission: Engines['admission']) => Partial<Engines['admission']>) =>
  inEngines(engines => ({ ...engines, admission: { ...engines.admission, ...change(engines.admission) } }));

export const seventh = () => {
  let count = 0;
  return (): boolean => ++count % 7 === 0;
};

/** In the ports by which lists, receipts and facts are read. */
export const inDetails = (change: (details: TurnDetails) => Partial<TurnDetails>) =>
  inEngines(engines => {
    const { memory } = engines;
    return { ...engines, memory: { ...memory, details: { ...memory.details, ...change(memory.details) } } };
  });

export const inListing = (change: (listing: Listing) => Partial<Listing>) =>
  inEngines(engines => {
    const { memory } = engines;
    return { ...engines, memory: { ...memory, listing: { ...memory.listing, ...change(memory.listing) } } };
  });

/** In what everybody reads of the log: projections and their verification agree on it. */
export const inEvents = (change: (event: Event) => Event[]) => (): Plant => ({
  ...NOTHING_PLANTED,
  decode: decode => async record => {
    const decoded = await decode(record);
    return decoded.kind === 'events' ? { ...decoded, events: decoded.events.flatMap(change) } : decoded;
  },
});
