import type { SplitAsked, SplitBy, SplitGroup, SplitUsage, Tokens } from '../../../../core/ports.ts';
import type { Clickhouse } from '../clickhouse-client.ts';
import { USAGE_SERVING } from '../usage-tables.ts';

/** The three texts that tell groups apart, '' where a group has none. */
const NAMED: Record<SplitBy, readonly [string, string, string]> = {
  user: ['person', `''`, `''`],
  session: ['person', 'session', `''`],
  key: [`''`, `''`, 'api_key'],
};

// A recall of another user than the asker's has that user's digest as its source, whom its turns name.
const LABELS = `
  SELECT label, any(person) AS person, max(session) AS session FROM (
    SELECT source AS label, user AS person, session FROM usage_names WHERE org = {org:String} AND forgotten = 0
    UNION ALL
    SELECT owner AS label, user AS person, '' AS session FROM usage_names WHERE org = {org:String} AND forgotten = 0
  ) GROUP BY label`;

const SUMS = `
  SELECT day, source, api_key, sum(tokens_in) AS billed_in, sum(tokens_out) AS billed_out FROM ${USAGE_SERVING}
  WHERE org = {org:String} AND day BETWEEN {from:Date} AND {to:Date} GROUP BY day, source, api_key`;

/** The sums by day and group. `unnamed`: nothing names its user any more. */
const groupsOf = ({ by, user }: SplitAsked): string => {
  const [a, b, c] = NAMED[by];
  return `
    SELECT sums.day AS day, ${a} AS a, ${b} AS b, ${c} AS c, ${by === 'key' ? '0' : `person = ''`} AS unnamed,
      billed_in, billed_out
    FROM (${SUMS}) AS sums LEFT JOIN (${LABELS}) AS labels ON sums.source = labels.label
    ${user === undefined ? '' : 'WHERE person = {user:String}'}`;
};

const splitOf = (asked: SplitAsked): string => `
  SELECT toString(day) AS on_day, multiIf(unnamed, 'erased', (a, b, c) IN (
      SELECT a, b, c FROM (${groupsOf(asked)}) WHERE NOT unnamed
      GROUP BY a, b, c ORDER BY sum(billed_in) + sum(billed_out) DESC, a, b, c LIMIT {most:UInt32}
    ), 'group', 'other') AS kind,
    if(kind = 'group', a, '') AS user, if(kind = 'group', b, '') AS session, if(kind = 'group', c, '') AS key,
    sum(billed_in) AS tokens_in, sum(billed_out) AS tokens_out
  FROM (${groupsOf(asked)})
  GROUP BY on_day, kind, user, session, key ORDER BY on_day SETTINGS final = 1`;

interface Found {
  on_day: string;
  kind: 'group' | 'other' | 'erased';
  user: string;
  session: string;
  key: string;
  tokens_in: number | string;
  tokens_out: number | string;
}

type Group = SplitGroup & { days: Map<string, Tokens>; total: number; name: string };

const groupOf = (by: SplitBy, { user, session, key }: Found): Omit<SplitGroup, 'days'> => {
  if (by === 'key') return { key: key === '' ? null : key };
  return by === 'user' ? { user } : { user, session: session === '' ? null : session };
};

/**
 * Splits usage: the rows of the days by source, each with what the source is called now. `daysOf` leaves out
 * the days that are not kept.
 */
export const makeUsageSplit =
  (
    clickhouse: Pick<Clickhouse, 'rows'>,
    daysOf: (days: { from: string; to: string }) => { from: string; to: string },
  ): SplitUsage =>
  async (org, asked) => {
    const { by, user, most } = asked;
    const parameters = { org, most, ...daysOf(asked), ...(user !== undefined && { user }) };
    const groups = new Map<string, Group>();
    const [other, erased] = [new Map<string, Tokens>(), new Map<string, Tokens>()];
    for (const found of await clickhouse.rows<Found>(splitOf(asked), parameters)) {
      const tokens = { tokensIn: Number(found.tokens_in), tokensOut: Number(found.tokens_out) };
      if (found.kind !== 'group') {
        (found.kind === 'other' ? other : erased).set(found.on_day, tokens);
        continue;
      }
      const name = [found.user, found.session, found.key].join('\n');
      const group = groups.get(name) ?? { ...groupOf(by, found), name, days: new Map(), total: 0 };
      groups.set(name, group);
      group.days.set(found.on_day, tokens);
      group.total += tokens.tokensIn + tokens.tokensOut;
    }
    const sorted = [...groups.values()].sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
    return { groups: sorted.map(({ name: _, total: __, ...group }) => group), other, erased };
  };
