import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Log } from '../../../../core/watch/logger.ts';
import { answerOf } from '../../client/client.ts';
import { wordsFor } from '../faults.ts';
import type { Memory, Named } from '../memory/memory.ts';

/** The dependencies of every tool. */
export interface Surroundings {
  memory: Memory;
  /** The user and session for calls without them. */
  defaults: Named;
  /** Unix milliseconds. */
  clock: () => number;
  log: Log;
}

/** Returns the tool as it is listed. */
export type AddTool = (server: McpServer, surroundings: Surroundings) => Tool;

/** Makes a result as text and as structured content, for models that read either. */
export const told = (text: string, structured: object): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: { ...structured },
});

/** Makes a result that describes the caller's mistake, or a step to take first. */
export const refusedWith = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
});

/** Converts any failure except a cancellation into a result; details of an internal error are only logged. */
export const answering = async (
  { log }: Pick<Surroundings, 'log'>,
  tool: string,
  signal: AbortSignal,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> => {
  try {
    return await work();
  } catch (err) {
    return refusedWith(wordsFor(err, log, signal, { tool }));
  }
};

/** Resolves to undefined for a 404. */
export const unlessMissing = async <T>(answer: Promise<T>): Promise<T | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (answerOf(error)?.status !== 404) throw error;
    return undefined;
  }
};

const id = z.string().min(1).max(256);

export const userInput = id
  .optional()
  .describe('Whose memory, by id. Leave it out for the person you are talking with.');

export const sinceInput = z
  .string()
  .optional()
  .describe('Only what was said at this time or later: a day (2026-04-02) or an RFC 3339 instant.');
export const untilInput = z
  .string()
  .optional()
  .describe('Only what was said at this time or earlier: a day (all of it) or an RFC 3339 instant.');

export const sessionInput = (what: string) => id.optional().describe(what);
