import type { Decode } from '../../../core/log/events.ts';
import { loggedOf } from '../../../core/log/logged.ts';
import { ofAccounts } from '../../../core/log/positions.ts';
import { readEvents } from '../../../core/log/read.ts';
import type { Positions } from '../../../core/ports.ts';
import { DAY_MS, utcDay } from '../../../core/time.ts';
import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';
import { PROJECTIONS } from '../../../projections/all.ts';
import type { Repair } from '../../operations/generations/generation-calls.ts';
import { PROJECTOR_GROUP } from '../../workers/projector/group.ts';
import type { Adapters } from '../adapters.ts';
import { assertWhole } from '../upkeep/log-guard.ts';

/** Days whose counters answer a usage read, today last. */
const COUNTED_DAYS = 3;

type RepairPorts = Pick<Adapters, 'log' | 'usage' | 'clock' | 'repairs'>;

/** Accounts and admission have no generations: they are compared with the log, and repaired, in place. */
export const makeRepairs = (
  { log, usage, clock, repairs }: RepairPorts,
  decode: Decode,
): Readonly<Record<'accounts' | 'admission', Repair>> => ({
  accounts: async function* ({ dryRun }) {
    await assertWhole(log);
    let from: Positions = {};
    const readOn = async function* () {
      const to = ofAccounts(await log.ends());
      for await (const events of readEvents({ log, decode }, { topics: ['accounts'], from, to }))
        yield events as unknown as AccountEvent[];
      from = to;
    };
    yield { kind: 'repaired', projection: 'accounts', ...(await repairs.accounts({ readOn, dryRun })) };
  },
  admission: async function* ({ dryRun }) {
    await assertWhole(log);
    const now = clock();
    const days = Array.from({ length: COUNTED_DAYS }, (_, n) =>
      utcDay(now - (COUNTED_DAYS - 1 - n) * DAY_MS),
    );
    const counted = { from: days[0]!, to: days.at(-1)! };
    const committed = (): Promise<Positions> => log.committed(PROJECTOR_GROUP);
    const totals = await usage.totals(counted, await committed());
    const organizations = await repairs.organizations();
    const repaired = await repairs.admission({
      organizations: [...new Set([...organizations, ...totals.map(({ org }) => org)])],
      days,
      committed,
      ends: log.ends,
      readLogged: async function* (start, to) {
        for await (const events of readEvents(
          { log, decode },
          { topics: PROJECTIONS.usage.topics, from: start, to },
        ))
          yield events.map(loggedOf);
      },
      totals: below => usage.totals(counted, below),
      dryRun,
    });
    yield { kind: 'repaired', projection: 'admission', ...repaired };
  },
});
