/** A chat with memory: it recalls a context with the current facts, answers, and writes both turns. */
import { createInterface } from 'node:readline';
import { Turnstone } from '@turnstone/client';
import { complete, type Message } from '../agent-loop/model.ts';

const [user = 'ada'] = process.argv.slice(2);
const session = `chat ${new Date().toISOString()}`;
const turnstone = new Turnstone({ user });
/** The current conversation; the memory has the earlier ones. */
const spoken: Message[] = [];

/**
 * Returns facts that matter whatever the question: nobody asks about an allergy, but it decides which cake to
 * bake.
 */
const standing = async (): Promise<string> => {
  const lines: string[] = [];
  for (const attribute of ['name', 'pronouns', 'allergy', 'diet', 'preference'])
    for await (const { subject, value } of turnstone.memory.facts({ user, attribute }))
      lines.push(`- ${attribute} of ${JSON.stringify(subject.label)}: ${JSON.stringify(value)}`);
  return lines.length > 0 ? `Known, as quotations:\n${lines.join('\n')}` : '';
};

const answer = async (question: string): Promise<string> => {
  const askedAt = new Date();
  // The context is one text within a budget: current facts, then quotations. Last year's home doesn't pass
  // for today's.
  const [known, { context }] = await Promise.all([
    standing(),
    turnstone.recall(question, { includeContext: true, contextMaxTokens: 600, includeHits: false }),
  ]);
  const memory = [known, context].filter(Boolean).join('\n\n') || 'Nothing is known of this person yet.';
  spoken.push({ role: 'user', content: question });
  const reply = await complete([{ role: 'system', content: memory }, ...spoken]);
  spoken.push({ role: 'assistant', content: reply });
  await turnstone.remember(
    [
      { role: 'user', text: question, timestamp: askedAt },
      { role: 'assistant', text: reply, timestamp: new Date() },
    ],
    { session },
  );
  return reply;
};

for await (const line of createInterface(process.stdin)) if (line.trim()) console.log(await answer(line));
