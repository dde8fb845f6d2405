/** A chat app in one file: Turnstone stores the conversations, a model answers, express serves. */
import { type Turn, Turnstone } from '@turnstone/client';
import express, { type ErrorRequestHandler } from 'express';

const { MODEL_URL = 'http://127.0.0.1:11434/v1', MODEL = 'llama3.1', MODEL_API_KEY = '' } = process.env;
const LAST_TURNS = 10;
const turnstone = new Turnstone();
const app = express().use(express.json());

const complete = async (messages: { role: string; content: string }[]): Promise<string> => {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_API_KEY}` },
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
  const { user, session, text } = request.body ?? {};
  // Rejected here, since the client would refuse to recall for nobody.
  if (![user, session, text].every(value => typeof value === 'string' && value !== ''))
    return void response.status(400).json({ error: 'user, session and text are required.' });
  const timestamp = new Date();
  const [recent, { hits }] = await Promise.all([lastTurns(user, session), turnstone.recall(text, { user })]);
  const memories = [...hits.observations, ...hits.turns].map(hit => `- ${hit.text}`).join('\n');
  const reply = await complete([
    { role: 'system', content: `What this user said before, best match first:\n${memories}` },
    ...recent.map(turn => ({ role: turn.role, content: turn.text })),
    { role: 'user', content: text },
  ]);
  const asked = { role: 'user', text, timestamp };
  await turnstone.remember([asked, { role: 'assistant', text: reply }], { user, session });
  response.json({ reply });
});

const answerFailure: ErrorRequestHandler = (error, _request, response, _next) => {
  // Express exposes the request's own errors, such as invalid JSON. Others are only logged.
  if (error.expose) return void response.status(error.status).json({ error: 'The request is invalid.' });
  console.error(error);
  response.status(502).json({ error: 'No answer is available at the moment.' });
};
app.use(answerFailure);

const port = Number(process.env.PORT ?? 3000);
const server = app.listen(port, '127.0.0.1', () => console.log('chat on', server.address()));
