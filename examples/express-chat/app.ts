/** A chat app in one file: Turnstone has the conversations, a model answers, express serves. */
import { type Turn, Turnstone } from '@turnstone/client';
import express from 'express';

const {
  MODEL_URL = 'http://127.0.0.1:11434/v1',
  MODEL = 'llama3.1',
  MODEL_API_KEY,
  PORT = '3000',
} = process.env;
const LAST_TURNS = 10;
const turnstone = new Turnstone();
const app = express().use(express.json());

const complete = async (messages: { role: string; content: string }[]): Promise<string> => {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_API_KEY ?? ''}` },
    body: JSON.stringify({ model: MODEL, messages }),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}`);
  return (await response.json()).choices[0].message.content;
};

const lastTurns = async (user: string, session: string): Promise<Turn[]> => {
  const turns: Turn[] = [];
  for await (const turn of turnstone.memory.turns({ user, session, order: 'desc', pageSize: LAST_TURNS }))
    if (turns.push(turn) === LAST_TURNS) break;
  return turns.reverse();
};

app.get('/', (_, response) => response.sendFile('page.html', { root: import.meta.dirname }));

app.post('/chat', async (request, response) => {
  const { user, session, text } = request.body;
  const timestamp = new Date();
  const [recent, { hits }] = await Promise.all([lastTurns(user, session), turnstone.recall(text, { user })]);
  const memories = [...hits.observations, ...hits.turns].map(hit => `- ${hit.text}`).join('\n');
  const reply = await complete([
    { role: 'system', content: `What this user said before, best match first:\n${memories}` },
    ...recent.map(turn => ({ role: turn.role, content: turn.text })),
    { role: 'user', content: text },
  ]);
  await turnstone.remember(
    [
      { role: 'user', text, timestamp },
      { role: 'assistant', text: reply },
    ],
    { user, session },
  );
  response.json({ reply });
});

const server = app.listen(Number(PORT), '127.0.0.1', () => console.log('chat on', server.address()));
