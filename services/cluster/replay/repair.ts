import { accountKeys } from '../../../infra/cluster/redis/account-keys.ts';
import { repairAccounts } from '../../../infra/cluster/redis/account-repair.ts';
import { repairAdmission } from '../../../infra/cluster/redis/admission-repair.ts';
import type { AccountEvent } from '../../../projections/accounts/projection.ts';
import type { Decoded } from '../../core/log/events.ts';
import { loggedOf } from '../../core/log/logged.ts';
import { readEvents } from '../../core/log/read.ts';
import type { LogRecord, Positions } from '../../core/ports.ts';
import { DAY_MS, utcDay } from '../../core/time.ts';
import { PROJECTOR_GROUP } from '../../workers/projector/group.ts';
import type { Adapters } from '../adapters.ts';
import type { Mend } from '../operator-calls.ts';
import { ofTopics } from './replay-generation.ts';

/** Days whose counters answer a usage read, today last. */
const COUNTED_DAYS = 3;

type MendPorts = Pick<Adapters, 'log' | 'usage' | 'namespace' | 'clock' | 'gate'>;
type Decode = (record: LogRecord) => Promise<Decoded>;

/** Accounts and admission have no generations: they are compared with the log where they are, and put right. */
export const makeMend = (
  { log, usage, namespace, clock, gate }: MendPorts,
  decode: Decode,
): Readonly<Record<'accounts' | 'admission', Mend>> => ({
  accounts: async function* ({ dryRun }) {
    let from: Positions = {};
    const readOn = async function* () {
      const to = ofTopics(await log.ends(), ['accounts']);
      for await (const events of readEvents({ log, decode }, { topics: ['accounts'], from, to }))
        yield events as unknown as AccountEvent[];
      from = to;
    };
    const repaired = await repairAccounts({ redis: gate.redis, namespace, readOn, clock, dryRun });
    yield { kind: 'mended', projection: 'accounts', ...repaired };
  },
  admission: async function* ({ dryRun }) {
    const now = clock();
    const days = Array.from({ length: COUNTED_DAYS }, (_, n) =>
      utcDay(now - (COUNTED_DAYS - 1 - n) * DAY_MS),
    );
    const totals = await usage.totals(
      { from: days[0]!, to: days.at(-1)! },
      await log.committed(PROJECTOR_GROUP),
    );
    const organizations = await gate.redis.smembers(accountKeys(namespace).organizations);
    const repaired = await repairAdmission({
      redis: gate.redis,
      epoch: gate.generation().epoch,
      namespace,
      clock,
      organizations: [...new Set([...organizations, ...totals.map(({ org }) => org)])],
      days,
      committed: () => log.committed(PROJECTOR_GROUP),
      ends: log.ends,
      readLogged: async function* (start, to) {
        for await (const events of readEvents(
          { log, decode },
          { topics: ['turns', 'usage'], from: start, to },
        ))
          yield events.map(loggedOf);
      },
      totals: below => usage.totals({ from: days[0]!, to: days.at(-1)! }, below),
      dryRun,
    });
    yield { kind: 'mended', projection: 'admission', ...repaired };
  },
});
