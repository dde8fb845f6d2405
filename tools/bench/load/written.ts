/** Makes writes as the service appends them, without it: the same ids, tokens, records and sealing. */
import { randomUUID } from 'node:crypto';
import type { SessionKey } from '../../../core/ports.ts';
import { countTokens } from '../../../core/tokens/count.ts';
import { checkIngest } from '../../../schemas/http/ingestion.ts';
import { type IdentifiedWrite, identify } from '../../../services/use-cases/ingest/identify.ts';
import { type WriteRecord, writeRecords } from '../../../services/use-cases/ingest/records.ts';

export interface WrittenScope {
  org: string;
  user: string;
  session: string;
}

const countAll = async (texts: readonly string[]): Promise<number[]> => texts.map(countTokens);

/** @param body the JSON of an ingestion */
export const identifiedWrite = (
  scope: WrittenScope,
  body: string,
  key: Pick<SessionKey, 'identity'>,
  count = countAll,
): Promise<IdentifiedWrite> => {
  const checked = checkIngest(JSON.parse(body));
  if (!checked.ok) throw new Error('a generated body is not valid');
  return identify(scope, checked.value.turns, key.identity, count);
};

/** Returns the records of a write whose turns are all new. */
export const recordsOfWrite = async (
  scope: WrittenScope,
  body: string,
  key: SessionKey,
  recordedAt = Date.now(),
): Promise<WriteRecord[]> => {
  const { id, turnIds, turns } = await identifiedWrite(scope, body, key);
  const options = { write_active: true, write_passive: true };
  const write = {
    user_id: scope.user,
    session_id: scope.session,
    job_id: `job_${id}`,
    turn_ids: turnIds,
    options,
    metadata: null,
  };
  const fresh = [...turns.values()].map(turn => ({ ...turn, recordedAt, active: true, passive: true }));
  return writeRecords({ scope, write, fresh, correlationId: randomUUID(), recordedAt }, key);
};
