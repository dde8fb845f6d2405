import type { Source } from '../api/types.ts';

/** The sources of facts, in words. */
export const SOURCES: Record<Source, string> = {
  client: 'supplied by the client',
  rules: 'extracted by rules',
  llm: 'extracted by the language model',
};
