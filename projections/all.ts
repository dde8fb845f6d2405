/**
 * All projections, and the only place that determines which topics feed which. To add one: its own folder,
 * its entries here, and a store in each of infra/embedded/index/file/stored-projections.ts and
 * services/cluster/projections.ts.
 */

import type { Language } from '../domain/language/language.ts';
import type { AccountEvent } from './accounts/accounts-projection.ts';
import { ACCOUNT_ROWS } from './accounts/verified-accounts.ts';
import { type ActivityRow, projectActivity } from './activity/activity-projection.ts';
import { ACTIVITY_ROWS } from './activity/verified-activity.ts';
import { type AuditRow, projectAudit } from './audit/audit-projection.ts';
import { AUDIT_ROWS } from './audit/verified-audit.ts';
import type { ProjectedTopic, Projection } from './projection.ts';
import { COLUMNS, columnsVersion } from './recall/columns.ts';
import type { RecallEvent } from './recall/recall-event.ts';
import { makeRecallProjection } from './recall/recall-fold.ts';
import type { RecallWrite } from './recall/recall-writes.ts';
import { RECALL_ROWS } from './recall/verified-recall.ts';
import { type BillableEvent, foldUsage, type UsageWrite } from './usage/usage-projection.ts';
import { USAGE_ROWS } from './usage/verified-usage.ts';
import type { VerifiedRows } from './verify/log-rows.ts';

/**
 * The topics that projections read, by urgency: accounts must not wait behind turns; nobody waits for
 * observations.
 */
export const PROJECTED_TOPICS: readonly ProjectedTopic[] = [
  'accounts',
  'usage',
  'turns',
  'audit',
  'observations',
];

interface Facts extends Pick<Projection<never, never>, 'name' | 'version' | 'topics'> {
  /** The operators' name for its store. */
  store: string;
  /**
   * Whether the shared engines keep it in generations, each with rows of its own; otherwise it is repaired in
   * place.
   */
  inGenerations: boolean;
  /** The rows that a verification compares. */
  rows: VerifiedRows<never>;
}

/** Facts of each projection, available without making its fold, in the order in which operators see them. */
export const PROJECTIONS = {
  recall: {
    name: 'recall',
    version: `13-${columnsVersion(COLUMNS)}`,
    topics: ['turns', 'observations'],
    store: 'recall index',
    inGenerations: true,
    rows: RECALL_ROWS,
  },
  usage: {
    name: 'usage',
    version: '2',
    topics: ['turns', 'usage'],
    store: 'usage store',
    inGenerations: true,
    rows: USAGE_ROWS,
  },
  accounts: {
    name: 'accounts',
    version: '1',
    topics: ['accounts'],
    store: 'account store',
    inGenerations: false,
    rows: ACCOUNT_ROWS,
  },
  audit: {
    name: 'audit',
    version: '1',
    topics: ['audit'],
    store: 'audit log',
    inGenerations: true,
    rows: AUDIT_ROWS,
  },
  activity: {
    name: 'activity',
    version: '1',
    topics: ['turns', 'observations', 'usage'],
    store: 'activity store',
    inGenerations: true,
    rows: ACTIVITY_ROWS,
  },
} as const satisfies Record<string, Facts>;

export type ProjectionName = keyof typeof PROJECTIONS;
export const PROJECTION_NAMES = Object.keys(PROJECTIONS) as ProjectionName[];

/** A projection that the shared engines keep in generations. */
export type Generational = {
  [Name in ProjectionName]: (typeof PROJECTIONS)[Name]['inGenerations'] extends true ? Name : never;
}[ProjectionName];

export const GENERATIONAL = PROJECTION_NAMES.filter(
  (name): name is Generational => PROJECTIONS[name].inGenerations,
);

/** The input of every fold: an event of the log, decrypted and of its newest version. */
export type ProjectedEvent = BillableEvent & RecallEvent;

export interface Projections {
  recall: Projection<ProjectedEvent, RecallWrite>;
  usage: Projection<ProjectedEvent, UsageWrite>;
  accounts: Projection<ProjectedEvent, AccountEvent>;
  audit: Projection<ProjectedEvent, AuditRow>;
  activity: Projection<ProjectedEvent, ActivityRow>;
}

/** The writes of each projection, by its name. */
export type WritesOf = { [Name in ProjectionName]: ReturnType<Projections[Name]['fold']> };

const accountEvents = (event: ProjectedEvent): AccountEvent[] =>
  event.topic === 'accounts' ? [event as unknown as AccountEvent] : [];

/** `language` is a table of some megabytes: who folds recall passes it in. */
export const makeProjections = (language: Pick<Language, 'analyse' | 'encodeDocument'>): Projections => ({
  recall: { ...PROJECTIONS.recall, fold: makeRecallProjection(language) },
  usage: { ...PROJECTIONS.usage, fold: foldUsage },
  accounts: { ...PROJECTIONS.accounts, fold: accountEvents },
  audit: { ...PROJECTIONS.audit, fold: projectAudit },
  activity: { ...PROJECTIONS.activity, fold: projectActivity },
});

/**
 * Returns an event's writes in each projection that reads its topic. Passes on what a fold throws.
 */
export const projectEvent = (projections: Projections, event: ProjectedEvent): Partial<WritesOf> => {
  const writes: Partial<Record<ProjectionName, unknown[]>> = {};
  for (const name of PROJECTION_NAMES) {
    const { topics, fold }: Projection<ProjectedEvent, unknown> = projections[name];
    if (topics.some(topic => topic === event.topic)) writes[name] = fold(event);
  }
  return writes as Partial<WritesOf>;
};

/** No writes, for every projection. */
export const noWrites = (): WritesOf =>
  Object.fromEntries(Object.keys(PROJECTIONS).map(name => [name, []])) as unknown as WritesOf;
