import type { Chat } from '../../../../core/ports.ts';
import {
  EXPIRED,
  type Extraction,
  type Extractor,
  type ExtractorState,
  type SpokenTurn,
} from '../extractor.ts';
import { makePatience } from '../patience.ts';
import { readAnswer } from './answer.ts';
import { llmExtractorVersion, llmRequest } from './request.ts';

/** Concurrent requests. */
const CONCURRENCY = 8;
/**
 * Turns per append, or those of one record: twice the concurrency, so that a slow answer leaves fewer request
 * slots idle.
 */
const TURNS_AT_ONCE = 16;

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

/** Asks a language model for each turn's facts (patience.ts). */
export const makeLlmExtractor = ({ chat, model, ...ports }: LlmExtractorPorts): Extractor => {
  const patience = makePatience<SpokenTurn, Extraction>({
    ...ports,
    isStale: turn => turn.hasExpired?.() === true,
    probe: PROBE,
    concurrency: CONCURRENCY,
    ask: async (turn, signal) => {
      const answer = await chat.complete(llmRequest(model, turn), signal);
      if (answer.kind !== 'answered') return answer;
      const read = readAnswer(answer.completion);
      return read.ok ? { kind: 'found', found: read.extraction } : { kind: 'unusable', reason: read.reason };
    },
  });
  return {
    version: llmExtractorVersion(model),
    source: 'llm',
    atOnce: TURNS_AT_ONCE,
    extract: async (turn, signal) => {
      const outcome = await patience.ask(turn, signal);
      if (!outcome) return { givenUp: EXPIRED };
      if ('found' in outcome) return outcome.found;
      patience.giveUp();
      return { givenUp: `the language model gave ${outcome.fault}` };
    },
  };
};
