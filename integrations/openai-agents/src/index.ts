/** A session of the OpenAI Agents SDK that is kept by Turnstone, and recalled in others. */
import type { AgentInputItem, CallModelInputFilter, Session } from '@openai/agents';
import type { Turnstone } from '@turnstone/client';
import { itemsOf, wordsOf } from './items.ts';

/** Maximum characters of a question: the service's limit. */
const MOST_QUESTION = 8_192;
const LARGEST_PAGE = 200;
/** Maximum turns of a write. */
const LARGEST_WRITE = 1_000;

export interface SessionOptions {
  user: string;
  session: string;
  /** Milliseconds that a run waits for a recall. Default: 2,000. */
  patienceMs?: number;
  /** Maximum tokens of what is recalled, 50 to 8,000. Default: 800. */
  contextMaxTokens?: number;
  /** Gets the reason where there was no recall. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

export interface TurnstoneSession extends Session {
  /**
   * Adds to the instructions what holds now and what was said before, for the question: a run's
   * `callModelInputFilter`. A run's later steps, after tools, are told the same. Never fails a run.
   */
  recalled: CallModelInputFilter;
}

/**
 * Makes a session whose messages are turns: what is hidden or erased in Turnstone is gone here. Its calls
 * fail as those of the client do, since without them there is no conversation.
 */
export const turnstoneSession = (
  turnstone: Turnstone,
  { user, session, patienceMs = 2_000, contextMaxTokens = 800, onError = console.error }: SessionOptions,
): TurnstoneSession => {
  /** The time of the newest turn that was stored here. */
  let last = 0;
  let asked: { question: string; at: number } | undefined;
  let told = { question: '', context: '' };

  const turnsOf = (order: 'asc' | 'desc', pageSize = LARGEST_PAGE) =>
    turnstone.memory.turns({ user, session, order, pageSize: Math.min(pageSize, LARGEST_PAGE) });

  const recall = async (question: string): Promise<string> => {
    // The question itself may be stored already.
    const until = asked?.question === question ? new Date(asked.at - 1) : undefined;
    try {
      return await turnstone.context(question.slice(0, MOST_QUESTION), {
        user,
        tokens: contextMaxTokens,
        until,
        signal: AbortSignal.timeout(patienceMs),
      });
    } catch (error) {
      onError(error);
      return '';
    }
  };

  return {
    getSessionId: async () => session,

    getItems: async limit => {
      const items: AgentInputItem[] = [];
      if (limit !== undefined && limit <= 0) return items;
      for await (const turn of turnsOf(limit === undefined ? 'asc' : 'desc', limit)) {
        items.push(...itemsOf(turn));
        if (items.length === limit) break;
      }
      return limit === undefined ? items : items.toReversed();
    },

    addItems: async items => {
      const said = items.flatMap(item => wordsOf(item) ?? []);
      if (said.length === 0) return;
      // Turns are ordered by their time: each has one of its own.
      const begin = Math.max(Date.now(), last + 1);
      const turns = said.map((words, i) => ({ ...words, timestamp: new Date(begin + i) }));
      last = begin + turns.length - 1;
      const { role, text } = said.at(-1)!;
      if (role === 'user') asked = { question: text, at: last };
      for (let first = 0; first < turns.length; first += LARGEST_WRITE)
        await turnstone.remember(turns.slice(first, first + LARGEST_WRITE), { user, session });
    },

    popItem: async () => {
      for await (const turn of turnsOf('desc', 1)) {
        const [item] = itemsOf(turn);
        if (!item) continue;
        await turnstone.memory.deleteTurn(turn.id);
        return item;
      }
      return undefined;
    },

    clearSession: async () => {
      await turnstone.forget({ user, session });
    },

    recalled: async ({ modelData }) => {
      const { input, instructions } = modelData;
      const at = input.findLastIndex(item => wordsOf(item)?.role === 'user');
      if (at < 0) return modelData;
      const question = wordsOf(input[at]!)!.text;
      if (at === input.length - 1 || told.question !== question)
        told = { question, context: await recall(question) };
      const text = [instructions, told.context].filter(Boolean).join('\n\n');
      return { input, instructions: text === '' ? undefined : text };
    },
  };
};
