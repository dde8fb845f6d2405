import type { Chat } from '../../../core/ports.ts';
import { makeRulesExtractor, RULES_EXTRACTOR_VERSION } from '../../../domain/extraction/extract.ts';
import type { ExtractorConfig } from '../../../schemas/config.ts';
import type { Extractor, ExtractorState } from './extractor.ts';
import { makeLlmExtractor } from './llm/extractor.ts';

export interface ExtractorPorts {
  openChat: (options: { baseUrl: string; apiKey: string | undefined }) => Chat;
  onState: (state: ExtractorState) => void;
}

/** The extractor that the configuration names. */
export const makeExtractor = (config: ExtractorConfig, { openChat, onState }: ExtractorPorts): Extractor =>
  config.kind === 'llm'
    ? makeLlmExtractor({ chat: openChat(config), model: config.model, onState })
    : { version: RULES_EXTRACTOR_VERSION, source: 'rules', extract: makeRulesExtractor() };
