import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProjectionsDatabase } from '../../../../../../../infra/embedded/index/file/create-database.ts';
import { openSweptSessions } from '../../../../../../../infra/embedded/index/write/removal/swept-sessions.ts';
import { temporaryFolder } from '../../../../../../support/processes/server.ts';

it('takes sessions of every organization, however many one of them has', async () => {
  const database = createProjectionsDatabase(join(temporaryFolder(), 'projections-1.db'));
  database.exec(
    `WITH RECURSIVE n(no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM n WHERE no < 1000)
     INSERT INTO swept_sessions SELECT org.value, 'ada', n.no, abs(random() % (1 << 53))
       FROM n, json_each('["acme", "zeta"]') org`,
  );
  const taken = await openSweptSessions(database).take(100, 0);
  database.close();
  expect(taken).toHaveLength(100);
  expect(new Set(taken.map(({ org }) => org))).toEqual(new Set(['acme', 'zeta']));
});
