import type { Judgement, TurnDetails } from '../../../../core/ports.ts';
import type { SaidOfHit } from '../../../../projections/recall/recall-writes.ts';
import { scopeKey } from '../file/projections-database.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Opens the read of what was said of a recall's hits, each in the session of its hit. */
export const openJudgements = (reader: ProjectionsReader): TurnDetails['judgements'] => {
  const said = reader.prepare(
    `SELECT said, recorded FROM corrections WHERE partition = (SELECT no FROM scopes WHERE key = ?1) AND session = ?2
       AND about = ?3 ORDER BY recorded, offset, id`,
  );
  return async (org, recall, sessions) =>
    sessions
      .flatMap(({ user, session }) => said.all(scopeKey(org, user), session, recall))
      .map(
        ({ said, recorded }): Judgement => ({
          ...(JSON.parse(String(said)) as SaidOfHit),
          recordedAt: Number(recorded),
        }),
      );
};
