import { setTimeout as sleep } from 'node:timers/promises';
import type { Chat, ChatFault } from '../../../core/ports.ts';
import type { Extracted, Extraction, Extractor, ExtractorState, SpokenTurn } from '../extractor.ts';
import { makeLimit } from '../limit.ts';
import { readAnswer } from './answer.ts';
import { jittered, LONGEST_PAUSE_MS, makeEndpoint } from './endpoint.ts';
import { llmExtractorVersion, llmRequest } from './request.ts';

/** Requests under way at once. */
const CONCURRENCY = 8;
/** Twice as many turns an append: the slowest answer keeps fewer of them waiting. */
const TURNS_AT_ONCE = 16;
/** Of a turn, before it is asked whose fault it is; the pause between them doubles. */
const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
/** How often all attempts of a turn may have ended with an endpoint that was away: it may be what that goes away for. */
const MOST_OUTAGES = 10;
/** How often it may be turned away for too many requests while short turns pass: it may be larger than any allowance. */
const MOST_LIMITED = 60;

/** Answered by every endpoint in order; how, is of no interest. */
const PROBE: SpokenTurn = { role: 'user', text: 'Good morning.', timestamp: 0 };

export interface LlmExtractorPorts {
  chat: Chat;
  model: string;
  /** After each change. */
  onState: (state: ExtractorState) => void;
  random?: () => number;
  /** Pauses are this many times as long: a test's are short. */
  pace?: number;
}

/** What a turn's attempts came to: facts, answers of no use, or none. */
type Outcome = { kind: 'found'; extraction: Extraction } | { kind: 'unusable'; reason: string } | ChatFault;

/**
 * Asks a language model for each turn's facts. What is wrong with an answer is the turn's fault, or the model's, and is
 * given up after some attempts. What keeps an answer from coming may be either's: then a short fixed turn is asked. If
 * that is answered, the turn is given up; if not, the endpoint is away, and the turn waits until it is back, however
 * long that takes (docs/adr/0011).
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

  const ask = async (turn: SpokenTurn, signal: AbortSignal): Promise<Outcome> => {
    const answer = await limited(() => {
      signal.throwIfAborted();
      return chat.complete(llmRequest(model, turn), signal);
    });
    const outcome = answer.kind === 'answered' ? outcomeOf(answer.completion) : answer;
    const faults = outcome.kind === 'found' ? state.faults : state.faults + 1;
    changed({ requests: state.requests + 1, faults });
    return outcome;
  };

  const endpoint = makeEndpoint({
    probe: async signal => {
      const outcome = await ask(PROBE, signal);
      return isFault(outcome) ? outcome : undefined;
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
      // What failed while it was going away says nothing about the turn.
      const departures = await endpoint.back(signal);
      if (departures !== known) attempts = 0;
      known = departures;
      const outcome = await ask(turn, signal);
      if (outcome.kind === 'found') return outcome.extraction;
      attempts++;
      if (attempts < ATTEMPTS && outcome.kind !== 'refused')
        await sleep(pauseAfter(attempts, outcome) * pace, undefined, { signal });
      // Too many requests are no turn's fault, unless short ones pass again and again where it does not.
      else if (outcome.kind === 'limited' && ++limited <= MOST_LIMITED) endpoint.leave(outcome);
      // A key may have been mended between the refusal and the short turn: it is asked once more.
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

/** Nothing came that could be read. */
const isFault = (outcome: Outcome): outcome is ChatFault =>
  outcome.kind !== 'found' && outcome.kind !== 'unusable';
