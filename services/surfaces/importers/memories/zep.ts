/**
 * A graph of Zep or Graphiti as JSON: episodes, which are what was put in; nodes; and edges, the facts that
 * were found, each with the time from which, and until which, it is true. Neither program has a command that
 * writes it: it is what their calls return, in one object.
 */
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';
import type { Archive } from '../files/archive.ts';
import { jsonValues } from '../files/json-values.ts';
import {
  type Conversation,
  type Faulty,
  importFault,
  type LeftOut,
  leftOut,
  type Said,
} from '../turns/found.ts';
import { DOCUMENT, listAt, MEMORY, saidByEdge, timeIn } from './remembered.ts';

const episodesIn = (value: Json): Json[] => listAt(value, 'episodes', 'episodic_nodes');
const nodesIn = (value: Json): Json[] => listAt(value, 'nodes', 'entities', 'entity_nodes');
const edgesIn = (value: Json): Json[] => listAt(value, 'edges', 'facts', 'entity_edges');
const messagesIn = (value: Json): Json[] => listAt(value, 'messages');

const hasWords = ({ content, episode_body }: Json): boolean =>
  typeof content === 'string' || typeof episode_body === 'string';
const isEdge = (edge: Json): boolean =>
  (textOf(edge.source_node_uuid) ?? textOf(edge.source)) !== undefined && 'fact' in edge;

const isGraph = (value: unknown): value is Json =>
  isObject(value) &&
  (episodesIn(value).some(hasWords) ||
    edgesIn(value).some(isEdge) ||
    messagesIn(value).some(message => textOf(message.uuid) !== undefined && hasWords(message)));

const conversationOf = (episode: Json, fallback: string): Conversation => {
  const id = textOf(episode.thread_id) ?? textOf(episode.session_id) ?? textOf(episode.group_id) ?? fallback;
  return { session: `zep-${id}`, title: id, user: textOf(episode.user_id) };
};

/** `Ada: I live in Lyon.`, or `Ada (user): …`: a line of a message, as Graphiti has it. */
const SPOKEN = /^([^:\n(]{1,64}?)\s*(?:\([^)\n]{1,32}\))?:\s+(\S.*)$/;

/** The lines of several speakers, each with what it goes on with; undefined if the first names nobody. */
const spokenIn = (content: string): { role: string; text: string }[] | undefined => {
  const spoken: { role: string; text: string }[] = [];
  for (const line of content.trim().split('\n')) {
    const [, role, text] = SPOKEN.exec(line) ?? [];
    const last = spoken.at(-1);
    if (role !== undefined) spoken.push({ role: role.trim(), text: text! });
    else if (last) last.text += `\n${line}`;
    else return undefined;
  }
  return spoken;
};

function* readEpisode(episode: Json, location: string, fallback: string): Generator<Said | LeftOut | Faulty> {
  const content = textOf(episode.content) ?? textOf(episode.episode_body);
  const at = timeIn(episode.valid_at, episode.created_at);
  if (content === undefined) yield leftOut('messages without text');
  else if (episode.source === 'json') yield leftOut('data that was put in as JSON');
  else if (at === undefined) yield { location, faults: ['has no time'] };
  else {
    const named = textOf(episode.name);
    // The name of an episode is not its speaker's, but that of a message in a thread is.
    const role =
      textOf(episode.role) ?? textOf(episode.role_type) ?? (fallback === 'thread' ? named : undefined);
    const spoken =
      role !== undefined
        ? [{ role: fallback === 'thread' ? (named ?? role) : role, text: content }]
        : ((episode.source === 'text' ? undefined : spokenIn(content)) ?? [
            { role: DOCUMENT, text: content },
          ]);
    for (const [index, words] of spoken.entries())
      yield { location, conversation: conversationOf(episode, fallback), ...words, at: at + index };
  }
}

function* readEdge(
  edge: Json,
  location: string,
  names: ReadonlyMap<unknown, string>,
): Generator<Said | LeftOut | Faulty> {
  const nameOf = (...ids: unknown[]) => ids.map(id => names.get(id)).find(name => name !== undefined);
  const from = timeIn(edge.valid_at);
  const at = from ?? timeIn(edge.created_at);
  const said = saidByEdge({
    text: textOf(edge.fact),
    subject: nameOf(edge.source_node_uuid, edge.source),
    object: nameOf(edge.target_node_uuid, edge.target),
    predicate: textOf(edge.name) ?? textOf(edge.relation) ?? 'relates_to',
    from,
    until: timeIn(edge.invalid_at, edge.expired_at),
  });
  const conversation = {
    ...conversationOf({ group_id: edge.group_id }, 'facts'),
    user: textOf(edge.user_id),
  };
  if (said === undefined) yield leftOut('edges without a sentence');
  else if (at === undefined) yield { location, faults: ['has no time'] };
  else yield { location, conversation, role: MEMORY, ...said, at };
}

export const zep = {
  recognizes: (archive: Archive, first: unknown): boolean => archive.kind === 'file' && isGraph(first),
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    if (archive.kind !== 'file') throw importFault('is not a file: name the file itself');
    for await (const value of jsonValues(archive.read(archive.entries[0]!.path))) {
      if (!isGraph(value)) throw importFault('has no episodes, edges or messages of Zep or Graphiti');
      for (const [index, message] of messagesIn(value).entries())
        yield* readEpisode(message, `message ${index + 1}`, 'thread');
      for (const [index, episode] of episodesIn(value).entries())
        yield* readEpisode(episode, `episode ${index + 1}`, 'episodes');
      const nodes = nodesIn(value);
      const names = new Map(nodes.flatMap(({ uuid, id, name }) => [[uuid ?? id, textOf(name)]] as const));
      const known = new Map([...names].flatMap(([id, name]) => (name === undefined ? [] : [[id, name]])));
      const summaries = nodes.filter(({ summary }) => textOf(summary) !== undefined).length;
      if (summaries > 0) yield leftOut('summaries of things, which were made from what was said', summaries);
      for (const [index, edge] of edgesIn(value).entries()) yield* readEdge(edge, `edge ${index + 1}`, known);
    }
  },
};
