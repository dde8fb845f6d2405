import { eventsBehind } from '../../../core/log/positions.ts';
import type { Generation } from '../../../core/ports/projection/generations.ts';
import type { EventLog, GenerationFiles, Positions } from '../../../core/ports.ts';
import type { Running } from './running.ts';

/** The generations of a data folder, the serving one first. */
export const listGenerations = async (
  { files, log }: { files: GenerationFiles; log: Pick<EventLog, 'ends'> },
  serving: Running,
  standby: Running | undefined,
): Promise<Generation[]> => {
  const ends = await log.ends();
  const row = (
    state: Generation['state'],
    { number, version, positions }: { number: number; version: string; positions: Positions },
  ): Generation => ({
    projection: 'all',
    number,
    version,
    model: files.about(number)?.model,
    state,
    behind: eventsBehind(positions, ends),
    bytes: files.bytes(number),
  });
  const rows = [row('serving', { ...serving, positions: serving.positions() })];
  if (standby) rows.push(row('standby', { ...standby, positions: standby.positions() }));
  const { building } = files.names();
  if (building !== null) {
    const about = files.about(building) ?? { version: files.version, positions: {} };
    rows.push(row('building', { number: building, ...about }));
  }
  return rows;
};
