import { isAssistant } from '../../language/query/speakers.ts';

/** Kinds of chats, between people or with an assistant; each has its own weights and calibration. */
export const CHATS = ['people', 'assistant'] as const;
export type Chat = (typeof CHATS)[number];

/** @param speakers the roles of the scope */
export const chatOf = (speakers: readonly string[]): Chat =>
  speakers.some(isAssistant) ? 'assistant' : 'people';
