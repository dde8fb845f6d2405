import { randomBytes } from 'node:crypto';
import { encodeEvent } from '../../../../core/log/encode.ts';
import type { NewRecord, SessionKey } from '../../../../core/ports.ts';
import type { CorrectionType } from '../../../../schemas/events/event-types.ts';

export interface Correction {
  /** Default: a random one. */
  id?: string | undefined;
  type: CorrectionType | 'memory.retracted';
  scope: { org: string; user: string; session: string };
  /** Unix milliseconds. */
  recordedAt: number;
  correlationId: string;
  data: object;
}

export const newCorrectionId = (): string => `cor_${randomBytes(16).toString('hex')}`;

/** The record of a correction, sealed with the key of its scope. */
export const correctionRecord = (
  {
    id = newCorrectionId(),
    type,
    scope: { org, user, session },
    recordedAt,
    correlationId,
    data,
  }: Correction,
  key: SessionKey,
): NewRecord => ({
  topic: 'turns',
  key: JSON.stringify([org, user, session]),
  value: encodeEvent(
    {
      id,
      type,
      org_id: org,
      recorded_at: new Date(recordedAt).toISOString(),
      correlation_id: correlationId,
      data,
    },
    key,
  ),
  headers: { correlation_id: correlationId },
});
