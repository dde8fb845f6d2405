import type { Engines } from '../../../core/ports/engines.ts';
import type { CountTokens } from '../../../core/tokens/counter.ts';
import { recordHeaders } from '../../../core/tracing/calls.ts';
import { type Attributes, isTracing, traced } from '../../../core/tracing/spans.ts';

/**
 * The same engines with a span around each step that a call waits for, and with the request's trace in the
 * records that it appends. Returns them as they are where nothing is traced.
 */
export const tracedEngines = (engines: Engines): Engines => {
  if (!isTracing()) return engines;
  const { log, keys, admission, memory } = engines;
  const append: typeof log.append = (records, payer, until) => {
    const trace = recordHeaders();
    if (trace.traceparent === undefined) return log.append(records, payer, until);
    const linked = records.map(record => ({ ...record, headers: { ...record.headers, ...trace } }));
    return log.append(linked, payer, until);
  };
  return {
    ...engines,
    log: { ...log, append: traced('append', append, { kind: 'producer', attributes: appended }) },
    keys: { ...keys, forSession: traced('session key', keys.forSession) },
    admission: {
      ...admission,
      admit: traced('admit', admission.admit, { outcome: ({ kind }) => ({ 'turnstone.admission': kind }) }),
      remember: traced('remember', admission.remember),
    },
    memory: {
      ...memory,
      search: traced('search', memory.search),
      find: traced('find words', memory.find),
    },
  };
};

/** The same counter, with a span where there is something to count. */
export const tracedCounter = (count: CountTokens): CountTokens => {
  if (!isTracing()) return count;
  const counted = traced('count tokens', count);
  return (org, texts, signal) => (texts.length === 0 ? count : counted)(org, texts, signal);
};

const appended = (records: readonly { topic: string }[]): Attributes => ({
  'messaging.operation.type': 'send',
  'messaging.destination.name': records[0]?.topic ?? '',
  'messaging.batch.message_count': records.length,
});
