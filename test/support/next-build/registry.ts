/**
 * In place of `schemas/events/registry.ts`: `turns.recorded` has a version more, as which each of its records
 * is read.
 */
import { EVENT_TYPES } from '../../../schemas/events/event-types.ts';
import { makeRegistry, FRAME_TYPES as TODAY } from '../../../schemas/events/registry.ts';
import { schema, toVersion1, toVersion2 } from './body.ts';

export * from '../../../schemas/events/registry.ts';

const { versions, eventsOf, ...turns } = TODAY['turns.recorded']!;

export const FRAME_TYPES = {
  ...TODAY,
  'turns.recorded': {
    ...turns,
    versions: [{ ...versions[0]!, upcast: toVersion2 }, { schema }],
    eventsOf: (body: Parameters<typeof toVersion1>[0], ids: readonly string[]) =>
      eventsOf(toVersion1(body) as never, ids),
  },
};

export const registry = makeRegistry(EVENT_TYPES, FRAME_TYPES);
