import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat, ChatFault } from '../../../core/ports.ts';
import {
  EXPIRED,
  type Extracted,
  type Extraction,
  type Extractor,
  type ExtractorState,
  type SpokenTurn,
} from '../extractor.ts';
import { makeLimit } from '../limit.ts';
import { readAnswer } from './answer.ts';
import { jittered, LONGEST_PAUSE_MS, makeEndpoint } from './endpoint.ts';
import { llmExtractorVersion, llmRequest } from './request.ts';

/** Concurrent requests. */
const CONCURRENCY = 8;
/** Turns per append, or those of one record: twice the concurrency, so that a slow answer leaves fewer request slots idle. */
const TURNS_AT_ONCE = 16;
/** Attempts per turn before probing the endpoint. Back-off doubles. */
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
/** How many outages a turn's attempts may end in before it is given up: the turn itself may cause them. */
const MOST_OUTAGES = 10;
/** How often a turn may be rate-limited while short turns pass: it may be larger than any allowance. */
const MOST_LIMITED = 60;

/** Any working endpoint answers it; the content of the answer is ignored. */
const PROBE: SpokenTurn = { role: 'user', text: 'Good morning.', timestamp: 0 };

export interface LlmExtractorPorts {
  chat: Chat;
  model: string;
  /** Called after each change. */
  onState: (state: ExtractorState) => void;
  random?: () => number;
  /** A factor for pauses, for tests. */
  pace?: number;
}

/** The result of one attempt: facts, an unusable answer, or no answer. */
type Outcome = { kind: 'found'; extraction: Extraction } | { kind: 'unusable'; reason: string } | ChatFault;

/**
 * Asks a language model for each turn's facts. An unusable answer is caused by the turn or the model: the turn is given
 * up after some attempts. A missing answer may be caused by the turn or the endpoint: then the endpoint is probed with a
 * short fixed turn. If it answers, the turn is given up; if not, the endpoint is unreachable, and the turn waits until it
 * is back, without a limit (docs/adr/0011).
 */
export const makeLlmExtractor = ({
  chat,
  model,
  onState,
  random = Math.random,
  pace = 1,
}: LlmExtractorPorts): Extractor => {
  const state: ExtractorState = { requests: 0, faults: 0, givenUp: 0, waitsFor: null };
  const changed = (changes: Partial<ExtractorState>): void => onState({ ...Object.assign(state, changes) });
  const limited = makeLimit(CONCURRENCY);

  /** Undefined when it has expired: it may have waited for hours, so this is asked last. */
  const ask = async (turn: SpokenTurn, signal: AbortSignal): Promise<Outcome | undefined> => {
    const answer = await limited(async () => {
      signal.throwIfAborted();
      return turn.hasExpired?.() ? undefined : chat.complete(llmRequest(model, turn), signal);
    });
    if (!answer) return undefined;
    const outcome = answer.kind === 'answered' ? outcomeOf(answer.completion) : answer;
    const faults = outcome.kind === 'found' ? state.faults : state.faults + 1;
    changed({ requests: state.requests + 1, faults });
    return outcome;
  };

  const endpoint = makeEndpoint({
    probe: async signal => {
      const outcome = await ask(PROBE, signal);
      return outcome && isFault(outcome) ? outcome : undefined;
    },
    onChange: waitsFor => changed({ waitsFor }),
    random,
    pace,
  });

  const pauseAfter = (attempt: number, outcome: Outcome): number => {
    const asked = (isFault(outcome) && outcome.retryAfterMs) || 0;
    return Math.min(asked, LONGEST_PAUSE_MS) + jittered(FIRST_PAUSE_MS * 2 ** (attempt - 1), random);
  };

  const extract = async (turn: SpokenTurn, signal: AbortSignal): Promise<Extracted> => {
    for (let attempts = 0, outages = 0, limited = 0, refusals = 0, known = 0; ; ) {
      // Attempts that failed before or during an outage say nothing about the turn.
      const departures = await endpoint.back(signal);
      if (departures !== known) attempts = 0;
      known = departures;
      const outcome = await ask(turn, signal);
      if (!outcome) return { givenUp: EXPIRED };
      if (outcome.kind === 'found') return outcome.extraction;
      attempts++;
      if (attempts < ATTEMPTS && outcome.kind !== 'refused')
        await sleep(pauseAfter(attempts, outcome) * pace, undefined, { signal });
      // A rate limit is not the turn's fault, unless short turns pass repeatedly and it does not.
      else if (outcome.kind === 'limited' && ++limited <= MOST_LIMITED) endpoint.leave(outcome);
      // The API key may have been fixed between the refusal and the probe: try the turn once more.
      else if (outcome.kind === 'refused' && refusals === 0 && (await endpoint.answers(signal))) refusals++;
      else if (!isFault(outcome) || ++outages > MOST_OUTAGES || (await endpoint.answers(signal))) {
        changed({ givenUp: state.givenUp + 1 });
        return { givenUp: `the language model gave ${outcome.reason}` };
      }
    }
  };

  return { version: llmExtractorVersion(model), source: 'llm', atOnce: TURNS_AT_ONCE, extract };
};

const outcomeOf = (completion: unknown): Outcome => {
  const read = readAnswer(completion);
  return read.ok ? { kind: 'found', extraction: read.extraction } : { kind: 'unusable', reason: read.reason };
};

/** Whether the request returned no completion. */
const isFault = (outcome: Outcome): outcome is ChatFault =>
  outcome.kind !== 'found' && outcome.kind !== 'unusable';
