import { makeFaults } from '../../../services/surfaces/cli/ingest/input-faults.ts';
import { beam } from '../formats/beam.ts';
import type { Format } from '../formats/format.ts';
import { friendsqa } from '../formats/friendsqa.ts';
import { qmsum } from '../formats/qmsum.ts';
import { realmem } from '../formats/realmem.ts';
import type { Conversation, Dataset } from './dataset.ts';

// biome-ignore lint/suspicious/noExplicitAny: each format checks what it reads.
const FORMATS: readonly Format<any>[] = [qmsum, friendsqa, beam, realmem];

/** One JSON value of a file, or of a line of it. */
export interface Source {
  /** Name of its conversation if the data has none. */
  name: string;
  /** Place of a fault, for people. */
  place: string;
  value: unknown;
}

export const formatOf = (value: unknown): Format<unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? FORMATS.find(format => format.is(value))
    : undefined;

/** Merges conversations of one name from several files. */
const merged = (conversations: readonly Conversation[]): Conversation[] =>
  [...Map.groupBy(conversations, ({ id }) => id)].map(([id, parts]) => ({
    id,
    sessions: parts.flatMap(({ sessions }) => sessions),
    questions: parts.flatMap(({ questions }) => questions),
  }));

export type Published =
  | { ok: true; dataset: Dataset }
  /** Never contains a word of the data. */
  | { ok: false; message: string };

/** @param sources at least one, the first of a known format */
export const readPublished = (sources: readonly Source[]): Published => {
  const format = formatOf(sources[0]!.value)!;
  const faults = makeFaults();
  const conversations = sources.flatMap(({ name, place, value }): Conversation[] => {
    const checked = format.check(value);
    if (checked.ok) return format.conversationsOf(checked.value, name);
    faults.add(
      place,
      checked.errors.map(({ loc, message }) => `${loc.slice(1).join('.')} ${message}`.trim()),
    );
    return [];
  });
  if (faults.count() > 0) {
    const heading = `is not in the ${format.name} format, nothing was loaded:`;
    return { ok: false, message: [heading, ...faults.lines()].join('\n  ') };
  }
  const { unit } = format;
  return {
    ok: true,
    dataset: { ...(unit && { unit }), headline: 'answerable', conversations: merged(conversations) },
  };
};
