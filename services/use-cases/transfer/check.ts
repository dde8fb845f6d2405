import type { Line } from '../../../core/operator/file-lines.ts';
import type { Fault } from '../../../core/operator/transfer.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import type { ExtractionFailed, ObservationsExtracted } from '../../../schemas/events/observations.ts';
import {
  type ExportedEvent,
  type Header,
  isTrailer,
  readBilled,
  readEvent,
  readHeader,
} from './export-format.ts';

/** The most faults that are listed; when the file is no export at all, the first ones are enough. */
const MOST_LISTED = 100;

export interface CheckedFile {
  header: Header | undefined;
  events: number;
  turns: number;
  /** Turns with extraction events in the file: they were enriched. */
  enriched: Set<string>;
  /** The models of the vectors of turns in the file. */
  embedded: Map<string, string[]>;
  faults: Fault[];
  /** The number of faults that are not listed. */
  omitted: number;
}

/** Reads a whole file without writing, so that no event of a faulty file is imported. */
export const checkFile = async (lines: AsyncIterable<Line>): Promise<CheckedFile> => {
  const checked: CheckedFile = {
    header: undefined,
    events: 0,
    turns: 0,
    enriched: new Set(),
    embedded: new Map(),
    faults: [],
    omitted: 0,
  };
  const add = (line: number, ...faults: string[]): void => {
    for (const fault of faults) {
      if (checked.faults.length < MOST_LISTED) checked.faults.push({ line, fault });
      else checked.omitted++;
    }
  };
  const turns = new Set<string>();
  let last = 0;
  let billed = 0;
  let hasEnd = false;
  for await (const line of lines) {
    const isFirst = last === 0;
    last = line.number;
    if ('fault' in line) {
      add(line.number, line.fault);
      continue;
    }
    const { value } = line;
    if (isFirst) {
      const header = readHeader(value);
      if (header.ok) checked.header = header.value;
      else add(line.number, ...header.faults);
      continue;
    }
    if (hasEnd) {
      add(line.number, 'comes after the end');
      continue;
    }
    if (isTrailer(value)) {
      hasEnd = true;
      if (value.events !== checked.events)
        add(line.number, `counts ${value.events} events, but ${checked.events} precede it`);
      if (value.billed !== billed)
        add(line.number, `counts ${value.billed} billed events, but ${billed} precede it`);
      continue;
    }
    const unshown = readBilled(value);
    if (unshown) {
      billed++;
      if (!unshown.ok) add(line.number, ...unshown.faults);
      continue;
    }
    checked.events++;
    const event = readEvent(value);
    if (!event.ok) add(line.number, ...event.faults);
    else add(line.number, ...faultsAmong(event.value, turns, checked));
  }
  if (last === 0) add(1, 'is missing: the file is empty');
  else if (!hasEnd) add(last, 'is the last line, but not the end of an export: the file was cut short');
  checked.turns = turns.size;
  return checked;
};

/** Faults of an event in relation to the events before it. */
const faultsAmong = (
  event: ExportedEvent,
  turns: Set<string>,
  { enriched, embedded }: Pick<CheckedFile, 'enriched' | 'embedded'>,
): string[] => {
  if (event.type === 'turn.recorded') {
    turns.add(event.id);
    return [];
  }
  if (event.type === 'turn.embedded') {
    const { turn_id, model } = event.data as TurnEmbedded;
    embedded.set(turn_id, [...(embedded.get(turn_id) ?? []), model]);
    return turns.has(turn_id) ? [] : ['refers to a turn that does not precede it'];
  }
  if (event.type !== 'observations.extracted' && event.type !== 'extraction.failed') return [];
  const { turn_id } = event.data as ObservationsExtracted | ExtractionFailed;
  enriched.add(turn_id);
  return turns.has(turn_id) ? [] : ['refers to a turn that does not precede it'];
};
