/** An agent with memory: it recalls before it answers, and stores both turns. */
import { createInterface } from 'node:readline';
import { type Recalled, Turnstone } from '@turnstone/client';
import { complete } from './model.ts';

const [user = 'ada'] = process.argv.slice(2);
const session = `agent ${new Date().toISOString()}`;
const turnstone = new Turnstone({ user });

const instructions = ({ hits, confidence }: Recalled): string => {
  const memories = [...hits.observations, ...hits.turns].map(({ text }) => `- ${text}`);
  if (memories.length === 0) return 'You know nothing about this user yet.';
  return [
    `What this user said before, best match first; with a probability of ${confidence.toFixed(2)} it answers the question:`,
    ...memories,
  ].join('\n');
};

const answer = async (question: string): Promise<string> => {
  const askedAt = new Date();
  // Without a session, recall searches all of the user's sessions.
  const recalled = await turnstone.recall(question, { topK: 10 });
  const reply = await complete([
    { role: 'system', content: instructions(recalled) },
    { role: 'user', content: question },
  ]);
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
