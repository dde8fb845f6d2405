/**
 * The hooks of the plug-in: reads an event of Claude Code from stdin, and writes what Claude is told about it
 * to stdout. It is plain JavaScript on Node's own fetch, because a plug-in is a copied folder: nothing is
 * installed or built for it.
 */
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';

/** Milliseconds that a session or a prompt waits for its recall, and that a write may take. */
const PATIENCE_MS = { recall: 2_000, remember: 5_000 };
/** Limits of the service, in characters. */
const MOST = { question: 8_192, turn: 65_536 };

/** Reads a setting of the plug-in, else the variable of the command line. */
const setting = (name, otherwise) => {
  const option = `CLAUDE_PLUGIN_OPTION_${name}`;
  const [, value] = Object.entries(process.env).find(([key]) => key.toUpperCase() === option) ?? [];
  return value || process.env[`TURNSTONE_${name}`] || otherwise;
};

const url = setting('URL', 'http://127.0.0.1:8080').replace(/\/+$/, '');
const address = URL.canParse(url) ? new URL(url).origin : 'its address';
const apiKey = setting('API_KEY', '');
const user = setting('USER', 'me');

/** Calls the service; rejects with a reason that has neither words nor the key. */
const call = async (path, body, patience) => {
  if (apiKey === '') throw new Error('there is no API key: set api_key of the plug-in');
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(body),
    // The key is for this address alone.
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  }).catch(error => {
    const why = error.name === 'TimeoutError' ? 'it did not answer in time' : 'it is unreachable';
    throw new Error(`${why} at ${address}`);
  });
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return response.json();
};

/** Returns what holds and what was said about a question; empty if memory has nothing on it. */
const recall = async (question, tokens) => {
  const { context } = await call(
    '/recall',
    {
      scope: { org_id: 'any', user_id: user },
      q: question.slice(0, MOST.question),
      include_context: true,
      context_max_tokens: tokens,
      include_hits: false,
      utc_offset: -new Date().getTimezoneOffset(),
    },
    PATIENCE_MS.recall,
  );
  return context ?? '';
};

/** Returns now with the offset of this machine: days are counted in it. */
const now = () => {
  const date = new Date();
  const minutes = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
  const two = number => String(Math.floor(number)).padStart(2, '0');
  const [hours, rest] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60];
  return `${local}${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
};

const remember = async ({ session_id, cwd }, role, said) => {
  const words = (said ?? '').trim();
  if (words === '') return;
  await call(
    '/ingestion/memory',
    {
      scope: { org_id: 'any', user_id: user, session_id },
      turns: [{ role, text: words.slice(0, MOST.turn).toWellFormed(), timestamp: now() }],
      metadata: { source: 'claude-code', ...(cwd && { project: basename(cwd) }) },
    },
    PATIENCE_MS.remember,
  );
};

const told = (hookEventName, additionalContext) =>
  additionalContext === '' ? {} : { hookSpecificOutput: { hookEventName, additionalContext } };

/** By event: what is done, and what Claude is told. */
const EVENTS = {
  SessionStart: async ({ cwd }) => {
    const project = cwd ? ` of ${basename(cwd)}` : '';
    const question = `What was decided and what is left to do in the work${project}, and what do I prefer?`;
    return told('SessionStart', await recall(question, 1_000));
  },
  UserPromptSubmit: async event => {
    // Recalled before it is remembered, so that it isn't found itself. Either may fail without the other.
    const context = await recall(event.prompt ?? '', 800).catch(() => '');
    await remember(event, 'user', event.prompt).catch(() => {});
    return told('UserPromptSubmit', context);
  },
  Stop: async event => {
    await remember(event, 'assistant', event.last_assistant_message);
    return {};
  },
};

const event = JSON.parse(await text(process.stdin));
try {
  process.stdout.write(JSON.stringify((await EVENTS[event.hook_event_name]?.(event)) ?? {}));
} catch (error) {
  // Claude Code works on without memory. It is said once, where a session begins.
  const isStart = event.hook_event_name === 'SessionStart';
  const systemMessage = `Turnstone remembers nothing in this session: ${error.message}.`;
  process.stdout.write(JSON.stringify(isStart ? { systemMessage } : {}));
}
