/** Fills Redis with a week's turns in writes of ten, admitted to settled by the service's own code. */

import { partitionName } from '../../../core/log/positions.ts';
import type { Logged, SessionKey } from '../../../core/ports.ts';
import { utcDay } from '../../../core/time.ts';
import type { RedisAdmission } from '../../../infra/cluster/redis/admission/admission.ts';
import { tailTurnOf } from '../../../projections/recall/tail/tail-turn.ts';
import { eventOffsetOf } from '../../../schemas/events/event-offset.ts';
import type { Conversation } from '../load/conversation.ts';
import { TURNS_OF_A_REQUEST } from '../load/load-ingestion.ts';
import { identifiedWrite } from '../load/written.ts';

const ORGANIZATIONS = 8;
const USERS = 100;
const PARTITIONS = 4;
/** Writes that are settled together, as in a step of the projector. */
const SETTLED = 50;
const AT_ONCE = 16;
/** Tokens of each turn; counting them is not measured here. */
const TOKENS = 30;

export interface WeekOptions {
  admission: RedisAdmission;
  conversation: Conversation;
  /** Any living key: sealed words leave Redis when they are settled. */
  key: SessionKey;
  turns: number;
}

/**
 * Admits the turns; resolves to the seconds that it took. Nothing is appended: the organizations are this
 * measurement's own.
 */
export const admitTurns = async ({ admission, conversation, key, turns }: WeekOptions): Promise<number> => {
  const started = performance.now();
  const ends: number[] = new Array(PARTITIONS).fill(0);
  const waiting: Logged[][] = Array.from({ length: PARTITIONS }, () => []);

  const settle = async (partition: number): Promise<void> => {
    const logged = waiting[partition]!.splice(0);
    const name = partitionName({ topic: 'turns', partition });
    await admission.settle(logged, { [name]: ends[partition]! });
  };

  const write = async (n: number): Promise<void> => {
    const user = `user-${n % USERS}`;
    const first = Math.floor(n / USERS) * TURNS_OF_A_REQUEST;
    const scope = { org: `week-${n % ORGANIZATIONS}`, user, session: `session-${Math.floor(first / 20)}` };
    const body = conversation.body(scope, first, TURNS_OF_A_REQUEST);
    const count = async (texts: readonly string[]) => texts.map(() => TOKENS);
    const written = await identifiedWrite(scope, body, key, count);
    const recordedAt = Date.now();
    const claims = [...written.turns.values()];
    const caps = { tokensIn: 0, tokensOut: 0 };
    const admitted = await admission.admit({ ...scope, recordedAt, caps, claims, tokensIn: 0 });
    if (admitted.kind === 'refused' || admitted.fresh.size !== claims.length)
      throw new Error('the turns of a write are not new');
    const partition = n % PARTITIONS;
    const offset = ends[partition]!++;
    const { keyId } = key;
    const turnsOf = claims.map((turn, i) =>
      tailTurnOf({
        id: turn.id,
        org_id: scope.org,
        recorded_at: new Date(recordedAt).toISOString(),
        keyId,
        partition,
        offset: eventOffsetOf({ offset, index: i + 1 }),
        data: {
          user_id: user,
          session_id: scope.session,
          job_id: `job_${written.id}`,
          role: turn.role,
          text: turn.text,
          timestamp: new Date(turn.timestamp).toISOString(),
          active: true,
          passive: true,
          observations: [],
        },
      }),
    );
    const job = { id: `job_${written.id}`, ...scope, turnIds: written.turnIds, passive: true, keyId };
    const remembered = { job: { ...job, partition, offset }, turns: turnsOf };
    await admission.remember(admitted.attempt, remembered);
    const common = { topic: 'turns', partition, offset, attempt: admitted.attempt, org: scope.org } as const;
    const day = utcDay(recordedAt);
    const tokens = { tokensIn: TOKENS, tokensOut: 0 };
    waiting[partition]!.push(
      { ...common, id: job.id, day, tokens: { tokensIn: 0, tokensOut: 0 }, job: remembered.job },
      ...turnsOf.map(turn => ({ ...common, id: turn.id, day, tokens, turn })),
    );
    if (waiting[partition]!.length >= SETTLED * (TURNS_OF_A_REQUEST + 1)) await settle(partition);
  };

  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < turns / TURNS_OF_A_REQUEST) await write(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (let partition = 0; partition < PARTITIONS; partition++) await settle(partition);
  return (performance.now() - started) / 1_000;
};
