import { ORIGINAL_OFFSET } from '../../../core/log/events.ts';
import { addressName } from '../../../core/log/positions.ts';
import type { EventLog } from '../../../core/ports.ts';
import { DEADLY, INDEX } from '../../workers/projector/poison.ts';
import { deadLetterRecords } from '../dead-letters/letters.ts';
import type { SetAside } from './log-side.ts';

/** Reads from the dead letters which events no projection has, or not wholly. */
export const readSetAside = async (log: Pick<EventLog, 'read' | 'ends'>): Promise<SetAside> => {
  const refused = new Set<string>();
  const deadly = new Set<string>();
  for await (const { headers } of deadLetterRecords(log)) {
    const { step, reason, topic = '', partition } = headers;
    const addressOf = (offset: string | undefined, index?: string): string =>
      addressName({
        topic,
        partition: Number(partition),
        offset: Number(offset),
        index: index === undefined ? undefined : Number(index),
      });
    if (step === 'apply') {
      const [offset, index = headers[INDEX]] = (headers[ORIGINAL_OFFSET] ?? headers.offset ?? '').split('/');
      refused.add(addressOf(offset, index));
    }
    if (reason === DEADLY.reason) deadly.add(addressOf(headers.offset));
  }
  return { refused, deadly };
};
