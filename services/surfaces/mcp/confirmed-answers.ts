import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isOver } from './erasure-code.ts';

/**
 * Answers of confirmed calls, kept while their codes are valid, so that a lost answer can be requested again.
 */
export interface ConfirmedAnswers {
  /** Returns the kept answer; undefined if `code` has not confirmed exactly `target`. */
  to(code: string, target: object): CallToolResult | undefined;
  keep(code: string, target: object, answer: CallToolResult): CallToolResult;
}

export const makeConfirmedAnswers = (clock: () => number): ConfirmedAnswers => {
  const answers = new Map<string, { target: string; answer: CallToolResult }>();
  return {
    to: (code, target) => {
      for (const old of answers.keys()) if (isOver(old, clock())) answers.delete(old);
      const known = answers.get(code);
      return known?.target === JSON.stringify(target) ? known.answer : undefined;
    },
    keep: (code, target, answer) => {
      answers.set(code, { target: JSON.stringify(target), answer });
      return answer;
    },
  };
};
