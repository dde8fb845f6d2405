/** Items of the SDK as turns, and back: their words. Tools' calls and answers, and reasoning, have none. */
import type { AgentInputItem } from '@openai/agents';
import type { Turn } from '@turnstone/client';

/** Maximum characters of a turn: the service's limit. */
const MOST_TEXT = 65_536;

export interface Words {
  role: string;
  text: string;
}

const textsIn = (part: object): string[] => {
  const { text, refusal } = part as { text?: unknown; refusal?: unknown };
  return [text, refusal].filter(one => typeof one === 'string' && one !== '').slice(0, 1) as string[];
};

/** Returns a message's role and words, cut to what the service takes; undefined for any other item. */
export const wordsOf = (item: AgentInputItem): Words | undefined => {
  if (!('role' in item) || !('content' in item)) return undefined;
  const { role, content } = item;
  const words = typeof content === 'string' ? content : content.flatMap(textsIn).join('\n');
  const text = words.slice(0, MOST_TEXT).toWellFormed();
  return text.trim() === '' ? undefined : { role, text };
};

/** Returns the message that a turn was; of a speaker unknown to the SDK one of the user; none of a tool. */
export const itemsOf = ({ role, text }: Turn): AgentInputItem[] => {
  if (role === 'tool') return [];
  if (role === 'assistant')
    return [{ type: 'message', role, status: 'completed', content: [{ type: 'output_text', text }] }];
  return [{ type: 'message', role: role === 'system' ? role : 'user', content: text }];
};
