/** The messages of webhooks, by their events. */
import { observationEvent, saidFact, turnEvent } from './parts/hits.ts';
import {
  type Component,
  component,
  count,
  instant,
  nullableString,
  object,
  reference,
  string,
} from './parts/parts.ts';

/** Returns the schema of a message. */
const message = <const Type extends string, const Data extends object>(type: Type, data: Data) =>
  object({
    type: { type: 'string', enum: [type] },
    timestamp: { ...instant, description: 'When it happened.' },
    data,
  });

const { utc_offset, ...observed } = observationEvent.schema.properties;
const { about, valid_until, ...said } = saidFact;

const factEvent = component(
  'FactEvent',
  object({ ...observed, ...said }, { utc_offset, about, valid_until }),
);
const erasedEvent = component(
  'ErasedEvent',
  object({
    user_id: string,
    session_id: { ...nullableString, description: "Null: all of the user's." },
    erased_at: { ...instant, description: 'Delete what was recorded of it before.' },
  }),
);
const quotaEvent = component(
  'QuotaEvent',
  object({
    cap: { type: 'string', enum: ['tokens_in', 'tokens_out'] },
    percent: { ...count, description: '80 or 100.' },
    used: count,
    limit: count,
    day: { type: 'string', description: 'YYYY-MM-DD, in UTC.' },
  }),
);

/** The body of each request to a receiver. */
export const webhookMessages: readonly Component[] = [
  component('TurnMessage', message('turn', reference(turnEvent))),
  component('FactMessage', message('fact', reference(factEvent))),
  component('ErasedMessage', message('erased', reference(erasedEvent))),
  component('QuotaMessage', message('quota', reference(quotaEvent))),
];
