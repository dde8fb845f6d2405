import type { SplitAsked, SplitGroup, SplitUsage, Tokens } from '../../../../core/ports.ts';
import { DAY_MS, utcDay } from '../../../../core/time.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Rows per read, which blocks other requests. */
const PAGE = 500;

type Days = Map<string, Tokens>;
type Name = { user: string; session: string | null };
interface Group extends SplitGroup {
  days: Days;
  total: number;
}

const add = (days: Days, day: string, { tokensIn, tokensOut }: Tokens): void => {
  const sum = days.get(day) ?? { tokensIn: 0, tokensOut: 0 };
  days.set(day, { tokensIn: sum.tokensIn + tokensIn, tokensOut: sum.tokensOut + tokensOut });
};

const groupOf = (
  by: SplitAsked['by'],
  name: Name | undefined,
  key: string,
): Omit<SplitGroup, 'days'> | undefined => {
  if (by === 'key') return { key: key === '' ? null : key };
  return by === 'user' ? name && { user: name.user } : name;
};

/** Most tokens first; of equals the one whose name comes first. */
const byTotal = ([a, one]: [string, Group], [b, other]: [string, Group]): number =>
  other.total - one.total || (a < b ? -1 : 1);

function* daysFrom(from: string, to: string): Generator<string> {
  for (let day = from; day <= to; day = utcDay(Date.parse(day) + DAY_MS)) yield day;
}

/** Reads the days' sums by source in the projections' file that serves, and what the sources are called. */
export const openUsageSplit = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): SplitUsage => {
  const page = reader.prepare(
    `SELECT source, api_key AS key, tokens_in AS tokensIn, tokens_out AS tokensOut FROM usage_splits
     WHERE org = ? AND day = ? AND (source, api_key) > (?, ?) ORDER BY source, api_key LIMIT ${PAGE}`,
  );
  const findName = reader.prepare('SELECT user, session FROM usage_names WHERE org = ? AND source = ?');
  const findOwner = reader.prepare('SELECT user FROM usage_names WHERE org = ? AND owner = ? LIMIT 1');

  /** A recall of another user than the asker's is called by what that user said. */
  const nameOf = (org: string, source: string): Name | undefined => {
    const found = findName.get(org, source);
    if (found)
      return { user: String(found.user), session: found.session === null ? null : String(found.session) };
    const owner = findOwner.get(org, source);
    return owner && { user: String(owner.user), session: null };
  };

  return async (org, { by, from, to, user, most }) => {
    const names = new Map<string, Name | undefined>();
    const groups = new Map<string, Group>();
    const [other, erased]: [Days, Days] = [new Map(), new Map()];
    const yieldWhenDue = makeYieldWhenDue();

    const take = (day: string, source: string, key: string, tokens: Tokens): void => {
      if (!names.has(source)) names.set(source, nameOf(org, source));
      const name = names.get(source);
      if (user !== undefined && name?.user !== user) return;
      const group = groupOf(by, name, key);
      if (!group) {
        add(erased, day, tokens);
        return;
      }
      const id = [group.user ?? '', group.session ?? '', group.key ?? ''].join('\n');
      const known = groups.get(id) ?? { ...group, days: new Map(), total: 0 };
      groups.set(id, known);
      known.total += tokens.tokensIn + tokens.tokensOut;
      add(known.days, day, tokens);
    };

    for (const day of daysFrom(from, to))
      for (let [source, key] = ['', '']; ; ) {
        const rows = page.all(org, day, source, key);
        for (const row of rows) {
          [source, key] = [String(row.source), String(row.key)];
          take(day, source, key, { tokensIn: Number(row.tokensIn), tokensOut: Number(row.tokensOut) });
        }
        await yieldWhenDue();
        if (rows.length < PAGE) break;
      }

    const sorted = [...groups].sort(byTotal).map(([, { total: _, ...group }]) => group);
    for (const { days } of sorted.slice(most)) for (const [day, tokens] of days) add(other, day, tokens);
    return { groups: sorted.slice(0, most), other, erased };
  };
};
