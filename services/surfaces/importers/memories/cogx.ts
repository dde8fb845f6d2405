/**
 * Cognee's exchange format, COGX: a folder with `manifest.json` and a file of JSON Lines for each kind of
 * record, into which Cognee also converts what it imports from others.
 */
import { transcriptLines } from '../agents/transcripts.ts';
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
import { DOCUMENT, isPersona, listOf, MEMORY, saidByEdge, timeIn } from './remembered.ts';

const MANIFEST = /(^|\/)manifest\.json$/;
const LARGEST_MANIFEST = 1024 * 1024;
/** The major version that is known: a later one may mean something else by the same names. */
const MAJOR = 0;

interface Found {
  /** The folder of the archive, '' or 'name/'. */
  root: string;
  manifest: Json;
}

/** Undefined if there is none. */
const manifestOf = async (archive: Archive): Promise<Found | undefined> => {
  if (archive.kind === 'file') return undefined;
  for (const { path, size } of archive.entries) {
    if (!MANIFEST.test(path) || size > LARGEST_MANIFEST) continue;
    try {
      for await (const manifest of jsonValues(archive.read(path)))
        if (isObject(manifest) && 'cogx_version' in manifest)
          return { root: path.slice(0, -'manifest.json'.length), manifest };
    } catch {
      // It is the manifest of something else.
    }
  }
  return undefined;
};

const conversationOf = (record: Json, fallback: string, title: string): Conversation => {
  const scope = isObject(record.scope) ? record.scope : {};
  const id = textOf(scope.session_id) ?? textOf(scope.run_id);
  return {
    session: `cogx-${id ?? fallback}`,
    title: id ?? title,
    user: textOf(scope.user_id),
  };
};

type Reader = (record: Json, location: string, at: number | undefined) => Generator<Said | LeftOut | Faulty>;

const remembered = (
  location: string,
  conversation: Conversation,
  words: { role: string; text: string; observations?: unknown[] | undefined },
  at: number | undefined,
): Said | Faulty =>
  at === undefined ? { location, faults: ['has no time'] } : { location, conversation, ...words, at };

const readDocument: Reader = function* (record, location, at) {
  const title = textOf(record.title);
  const content = textOf(record.content) ?? '';
  const text = title === undefined ? content : `${title}\n\n${content}`;
  yield remembered(location, conversationOf(record, 'documents', 'Documents'), { role: DOCUMENT, text }, at);
};

const readEpisode: Reader = function* (record, location, at) {
  const id = textOf(record.external_id) ?? 'episodes';
  const own = conversationOf(record, id, textOf(record.title) ?? id);
  const conversation = { ...own, title: textOf(record.title) ?? own.title };
  let time = at;
  for (const [index, turn] of listOf(record.turns).entries()) {
    time = timeIn(turn.occurred_at) ?? time;
    const words = { role: textOf(turn.role) ?? 'unknown', text: textOf(turn.content) ?? '' };
    yield remembered(`${location}, turn ${index + 1}`, conversation, words, time);
  }
};

const readMemory: Reader = function* (record, location, at) {
  const text = textOf(record.content) ?? '';
  yield remembered(location, conversationOf(record, 'memories', 'Memories'), { role: MEMORY, text }, at);
};

const readBlock: Reader = function* (record, location, at) {
  const text = textOf(record.value) ?? '';
  if (isPersona(record.label)) yield leftOut('what an agent is told about itself');
  else yield remembered(location, conversationOf(record, 'memories', 'Memories'), { role: MEMORY, text }, at);
};

const makeFactReader = (names: ReadonlyMap<unknown, string>): Reader =>
  function* (record, location, at) {
    const from = timeIn(record.valid_at);
    const said = saidByEdge({
      text: textOf(record.fact_text),
      subject: names.get(record.subject_ref),
      object: names.get(record.object_ref),
      predicate: textOf(record.predicate) ?? 'relates_to',
      from,
      until: timeIn(record.invalid_at),
    });
    // Most edges of an export lead between passages, documents and their types.
    if (said === undefined) yield leftOut('edges without a sentence');
    else
      yield remembered(
        location,
        conversationOf(record, 'facts', 'Facts'),
        { role: MEMORY, ...said },
        from ?? at,
      );
  };

export const cogx = {
  recognizes: async (archive: Archive): Promise<boolean> => (await manifestOf(archive)) !== undefined,
  read: async function* (archive: Archive): AsyncGenerator<Said | LeftOut | Faulty> {
    const found = await manifestOf(archive);
    if (!found) throw importFault('has no manifest.json of COGX: unpack a .cogx.tar.gz first');
    const { root, manifest } = found;
    const version = String(manifest.cogx_version);
    if (!(Number.parseInt(version, 10) <= MAJOR))
      throw importFault(`is COGX of another version than ${MAJOR}`);

    const files = new Set(archive.entries.map(({ path }) => path));
    const linesOf = (name: string) => (files.has(root + name) ? transcriptLines(archive, root + name) : []);
    const names = new Map<unknown, string>();
    let described = 0;
    for await (const one of linesOf('entities.jsonl')) {
      if ('faults' in one) {
        yield one;
        continue;
      }
      const name = textOf(one.line.name);
      if (name !== undefined) names.set(one.line.external_id, name);
      if (textOf(one.line.description) !== undefined) described++;
    }
    if (described > 0) yield leftOut('summaries of things, which were made from what was said', described);

    const readers: [string, Reader][] = [
      ['episodes.jsonl', readEpisode],
      ['documents.jsonl', readDocument],
      ['memories.jsonl', readMemory],
      ['memory_blocks.jsonl', readBlock],
      ['facts.jsonl', makeFactReader(names)],
    ];
    for (const [name, read] of readers)
      for await (const one of linesOf(name)) {
        if ('faults' in one) yield one;
        else {
          const { updated_at, created_at } = one.line;
          yield* read(one.line, one.location, timeIn(updated_at, created_at, manifest.exported_at));
        }
      }
  },
};
