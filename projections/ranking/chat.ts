import { isAssistant } from '../language/speakers.ts';

/** Kinds of chats, each with weights and a calibration of its own: between people, or with an assistant. */
export const CHATS = ['people', 'assistant'] as const;
export type Chat = (typeof CHATS)[number];

/** @param speakers the roles of the scope */
export const chatOf = (speakers: readonly string[]): Chat =>
  speakers.some(isAssistant) ? 'assistant' : 'people';
