import type { RetentionAnswer, ScreeningAnswer } from '../../../../schemas/http/accounts.ts';
import type { ScreenChoice } from '../../../../schemas/screening.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { grouped, print, printJson, type Terminal } from '../../client/terminal.ts';
import { table } from '../table.ts';
import { answerOf, withOperator } from './operator.ts';

const kept = (days: number | null): string => (days === null ? 'for ever' : `${days} days`);

const keptNow = ({ days, next }: RetentionAnswer): string =>
  next ? `${kept(days)}, then ${kept(next.days)}` : kept(days);

/** Says what is screened, and who decides it. */
const screened = ({ screen, own }: ScreeningAnswer): string =>
  own ? screen : `${screen} (the installation's)`;

const cap = (limit: number): string => (limit === 0 ? 'no cap' : grouped(limit));

const HEADINGS = [
  'ORGANIZATION',
  'CREATED',
  'TOKENS IN/DAY',
  'TOKENS OUT/DAY',
  'NAMES / RETRACTIONS / ERASURES',
  'KEPT',
  'SCREENED',
];

/** `turnstone orgs list`: the organizations with their caps per UTC day. */
export const listOrganizations = (terminal: Terminal, options: { json?: boolean }): Promise<ExitStatus> =>
  withOperator(terminal, async call => {
    const organizations = await Array.fromAsync(call('orgs.list', {}));
    if (options.json) {
      printJson(terminal, organizations, 2);
      return EXIT.ok;
    }
    const rows = organizations.map(({ org_id, created_at, limits, retention, screening }) => [
      org_id,
      created_at.slice(0, 10),
      cap(limits.tokens_in),
      cap(limits.tokens_out),
      [limits.names, limits.retractions, limits.erasures].map(cap).join(' / '),
      keptNow(retention),
      screened(screening),
    ]);
    for (const line of table([...HEADINGS], rows)) print(terminal, line);
    return EXIT.ok;
  });

/** `turnstone orgs create ORG`: prints the API key once. */
export const createOrganization = (terminal: Terminal, org: string): Promise<ExitStatus> =>
  withOperator(terminal, async call => {
    const { api_key } = await answerOf(call('orgs.create', { org_id: org }));
    print(terminal, `API key: ${api_key}`);
    return EXIT.ok;
  });

export interface LimitOptions {
  tokensIn?: number;
  tokensOut?: number;
  names?: number;
  retractions?: number;
  erasures?: number;
  expiries?: number;
}

/** `turnstone orgs set-limits ORG`: 0 removes a cap; a cap that isn't named stays unchanged. */
export const setLimits = (
  terminal: Terminal,
  org: string,
  { tokensIn, tokensOut, expiries, ...budgets }: LimitOptions,
): Promise<ExitStatus> =>
  withOperator(terminal, async call => {
    const known = (await Array.fromAsync(call('orgs.list', {}))).find(({ org_id }) => org_id === org);
    if (!known) throw failure(EXIT.failure, `there is no organization ${org}`);
    const limits = {
      ...known.limits,
      ...(tokensIn !== undefined && { tokens_in: tokensIn }),
      ...(tokensOut !== undefined && { tokens_out: tokensOut }),
      ...budgets,
      ...(expiries !== undefined && { expiries }),
    };
    await answerOf(call('orgs.setLimits', { org_id: org, ...limits }));
    print(
      terminal,
      `${org}: ${cap(limits.tokens_in)} tokens in and ${cap(limits.tokens_out)} tokens out per day`,
    );
    const { names, retractions, erasures } = limits;
    if (Object.keys(budgets).length > 0)
      print(
        terminal,
        `${org}: ${cap(names)} titles and names, ${cap(retractions)} retractions and ${cap(erasures)} erasures per day`,
      );
    if (expiries !== undefined)
      print(terminal, `${org}: ${sessionsThatMayGo(expiries)} destroyed a day when all of them has expired`);
    return EXIT.ok;
  });

const sessionsThatMayGo = (percent: number): string =>
  percent === 0 ? 'any number of its sessions is' : `at most ${percent} % of its sessions are`;

/** `turnstone orgs set-retention ORG`: in force a day later. `days` undefined: for ever. */
export const setRetention = (
  terminal: Terminal,
  org: string,
  { days }: { days?: number },
): Promise<ExitStatus> =>
  withOperator(terminal, async call => {
    const set = call('orgs.setRetention', { org_id: org, days: days ?? null });
    const { days: now, next } = await answerOf(set);
    const then = next ? `, from ${next.in_force_at} on ${kept(next.days)}` : '';
    print(terminal, `${org}: what has no expiry of its own is kept ${kept(now)}${then}`);
    return EXIT.ok;
  });

/** `turnstone orgs set-screening ORG SCREEN`, from the next call on. */
export const setScreening = (terminal: Terminal, org: string, screen: ScreenChoice): Promise<ExitStatus> =>
  withOperator(terminal, async call => {
    const set = await answerOf(call('orgs.setScreening', { org_id: org, screen }));
    print(terminal, `${org}: screened from now on: ${screened(set)}`);
    return EXIT.ok;
  });
