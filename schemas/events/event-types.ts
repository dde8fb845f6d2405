import { accountEventSchemas } from './accounts.ts';
import { auditNotedSchema } from './audit.ts';
import { entityCorrectedSchema, sessionTitledSchema } from './curation/correction.ts';
import { memoryErasedSchema } from './curation/erasure.ts';
import { memoryExpiredSchema } from './curation/expiry.ts';
import { recallJudgedSchema } from './curation/judgement.ts';
import { memoryRetractedSchema } from './curation/retraction.ts';
import { turnEmbeddedSchema } from './embeddings.ts';
import { extractionFailedSchema, observationsExtractedSchema } from './observations.ts';
import { turnRecordedSchema, writeAcceptedSchema } from './turns.ts';
import { recallMeteredSchema } from './usage.ts';

/** A version of what is stored in the log. */
export interface Version {
  /** Schema of the data, or of a frame's body, after unsealing. */
  schema: object;
  /** Converts what this version has to what the next one has; undefined in the newest version. */
  upcast?: (older: never) => unknown;
}

export interface EventType {
  /** Version n has index n - 1. */
  versions: readonly Version[];
  /**
   * How it is stored: as a record of its own, in the clear or sealed, or in a frame. An export has each on a
   * line of its own.
   */
  stored: 'plain' | 'sealed' | 'framed';
  /** It takes away what came before it. */
  removes?: true;
  /** Set for an event that an export has and an import records. */
  exported?: Exported;
}

/** Where an import records an event, and the id that it gets there. */
export interface Exported {
  topic: 'turns' | 'observations' | 'usage';
  /**
   * `content`: it follows from what the event says (import.ts). Otherwise the prefix of a random id, which
   * stays in its organization: another one derives its own from it.
   */
  id: 'content' | `${string}_`;
}

export type EventTypes = Readonly<Record<string, EventType>>;

/** The events of what was said, and of its bills; see `EVENT_TYPES`. */
const MEMORY_EVENTS = {
  'write.accepted': {
    versions: [{ schema: writeAcceptedSchema }],
    stored: 'framed',
    exported: { topic: 'turns', id: 'content' },
  },
  'turn.recorded': {
    versions: [{ schema: turnRecordedSchema }],
    stored: 'framed',
    exported: { topic: 'turns', id: 'content' },
  },
  'observations.extracted': {
    versions: [{ schema: observationsExtractedSchema }],
    stored: 'framed',
    exported: { topic: 'observations', id: 'content' },
  },
  'extraction.failed': {
    versions: [{ schema: extractionFailedSchema }],
    stored: 'sealed',
    exported: { topic: 'observations', id: 'content' },
  },
  'turn.embedded': {
    versions: [{ schema: turnEmbeddedSchema }],
    stored: 'framed',
    exported: { topic: 'observations', id: 'content' },
  },
  'memory.erased': { versions: [{ schema: memoryErasedSchema }], stored: 'plain', removes: true },
  'memory.expired': { versions: [{ schema: memoryExpiredSchema }], stored: 'plain', removes: true },
  'memory.retracted': { versions: [{ schema: memoryRetractedSchema }], stored: 'sealed', removes: true },
  'entity.corrected': {
    versions: [{ schema: entityCorrectedSchema }],
    stored: 'sealed',
    exported: { topic: 'turns', id: 'cor_' },
  },
  'session.titled': {
    versions: [{ schema: sessionTitledSchema }],
    stored: 'sealed',
    exported: { topic: 'turns', id: 'cor_' },
  },
  'recall.judged': {
    versions: [{ schema: recallJudgedSchema }],
    stored: 'sealed',
    exported: { topic: 'turns', id: 'cor_' },
  },
  'recall.metered': {
    versions: [{ schema: recallMeteredSchema }],
    stored: 'plain',
    exported: { topic: 'usage', id: 'rcl_' },
  },
} as const satisfies EventTypes;

/**
 * Every event type with its versions' schemas and upcasters. A released version is never removed
 * (test/golden).
 */
export const EVENT_TYPES: EventTypes = {
  ...MEMORY_EVENTS,
  // Not exported: an import would record what others did.
  'audit.noted': { versions: [{ schema: auditNotedSchema }], stored: 'plain' },
  ...Object.fromEntries(
    Object.entries(accountEventSchemas).map(([type, schema]) => [
      type,
      { versions: [{ schema }], stored: 'plain' as const },
    ]),
  ),
};

type MemoryEvents = typeof MEMORY_EVENTS;
/** The types of the events that an export has. */
export type ExportedType = {
  [Type in keyof MemoryEvents]: MemoryEvents[Type] extends { exported: Exported } ? Type : never;
}[keyof MemoryEvents];
/** The types of the corrections of names, whose random ids begin alike. */
export type CorrectionType = {
  [Type in ExportedType]: MemoryEvents[Type]['exported']['id'] extends 'cor_' ? Type : never;
}[ExportedType];

export const isExported = (type: string): type is ExportedType =>
  Object.hasOwn(EVENT_TYPES, type) && EVENT_TYPES[type]!.exported !== undefined;

/** Returns how an exported event is stored and imported. */
export const exportedAs = <Type extends ExportedType>(type: Type): MemoryEvents[Type] => MEMORY_EVENTS[type];
