/**
 * Reads what Claude's export has beside conversations: `projects.json` with instructions and documents, and
 * `memories.json` with what Claude keeps of its user, over all and by project. Since 2026 they may be folders
 * with a file each.
 */
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import type { Archive } from '../files/archive.ts';
import { jsonValues } from '../files/json-values.ts';
import {
  type Conversation,
  type Faulty,
  importFault,
  isImportFault,
  type LeftOut,
  leftOut,
  type Said,
} from '../turns/found.ts';
import { isObject, type Json, textOf } from './conversation-files.ts';

const PROJECTS = /(^|\/)projects(\/[^/]+)?\.json$/i;
const MEMORIES = /(^|\/)memories(\/[^/]+)?\.json$/i;

const MEMORY: Conversation = { session: 'claude-memory', title: 'Memory' };

const pathsOf = ({ kind, entries }: Archive, form: RegExp): string[] =>
  kind === 'file' ? [] : entries.map(({ path }) => path).filter(path => form.test(path));

/** Whether the archive has projects or memories. */
export const hasMemory = (archive: Archive): boolean =>
  [PROJECTS, MEMORIES].some(form => pathsOf(archive, form).length > 0);

async function* valuesIn(
  archive: Archive,
  path: string,
): AsyncGenerator<{ location: string; value: unknown }> {
  let number = 0;
  try {
    for await (const value of jsonValues(archive.read(path)))
      yield { location: `${path}, ${++number}`, value };
  } catch (error) {
    if (isImportFault(error)) throw importFault(`${path} ${error.message}`, error);
    throw error;
  }
}

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseInstant(value) : undefined;

const projectSession = (uuid: string, title: string): Conversation => ({
  session: `claude-project-${uuid}`,
  title,
});

/** The words of a project: what it is for, its instructions, and its documents, which nobody says. */
function* readProject(project: Json, location: string): Generator<Said | LeftOut | Faulty> {
  if (project.is_starter_project === true) {
    yield leftOut("Claude's own project for beginners");
    return;
  }
  const uuid = textOf(project.uuid);
  const began = timeOf(project.created_at);
  if (uuid === undefined || began === undefined) {
    yield { location, faults: ['has no uuid or no created_at'] };
    return;
  }
  const conversation = projectSession(uuid, textOf(project.name) ?? uuid);
  for (const text of [textOf(project.description), textOf(project.prompt_template)])
    if (text?.trim()) yield { location, conversation, role: 'user', text, at: began };
  for (const doc of Array.isArray(project.docs) ? project.docs.filter(isObject) : []) {
    const content = textOf(doc.content);
    const name = textOf(doc.filename);
    if (content === undefined) yield leftOut('attachments and files');
    else
      yield {
        location,
        conversation,
        role: 'document',
        text: name === undefined ? content : `${name}\n\n${content}`,
        at: timeOf(doc.created_at) ?? began,
      };
  }
}

/** The sections of a memory: it is one text with headings. */
const sectionsOf = (memory: string): string[] =>
  memory
    .split(/\n(?=\*\*[^*\n]+\*\*\s*(?:\n|$)|#{1,4} )/)
    .map(section => section.trim())
    .filter(section => section !== '');

interface Kept {
  location: string;
  conversation: Conversation;
  text: string;
}

const keptIn = (memory: Json, location: string, titles: ReadonlyMap<string, string>): Kept[] => {
  const own = textOf(memory.conversations_memory) ?? '';
  const projects = isObject(memory.project_memories) ? Object.entries(memory.project_memories) : [];
  return [
    ...sectionsOf(own).map(text => ({ location, conversation: MEMORY, text })),
    ...projects.flatMap(([uuid, text]) =>
      sectionsOf(textOf(text) ?? '').map(section => ({
        location,
        conversation: projectSession(uuid, titles.get(uuid) ?? uuid),
        text: section,
      })),
    ),
  ];
};

/**
 * Reads projects and memories. A memory has no time: it is what Claude knew at the last conversation of the
 * export, `latest`; undefined without any.
 */
export async function* readMemory(
  archive: Archive,
  latest: number | undefined,
): AsyncGenerator<Said | LeftOut | Faulty> {
  const titles = new Map<string, string>();
  for (const path of pathsOf(archive, PROJECTS))
    for await (const { location, value } of valuesIn(archive, path)) {
      if (!isObject(value)) yield { location, faults: ['is no project'] };
      else {
        titles.set(String(value.uuid), textOf(value.name) ?? String(value.uuid));
        yield* readProject(value, location);
      }
    }
  for (const path of pathsOf(archive, MEMORIES))
    for await (const { location, value } of valuesIn(archive, path)) {
      const kept = isObject(value) ? keptIn(value, location, titles) : [];
      if (latest !== undefined) for (const one of kept) yield { ...one, role: 'memory', at: latest };
      else if (kept.length > 0)
        yield { location, faults: ['has no time: put it into one folder with conversations.json'] };
    }
}
