import type { AlertGroup } from './alert.ts';

const PROCESS = { job: 'turnstone', instance: 'a:8080' };
const OF_PROCESS = 'job="turnstone",instance="a:8080"';

export const LOG_ALERTS: AlertGroup = {
  name: 'log',
  page: 'log',
  title: 'The log and its workers',
  about:
    'What has been acknowledged and is not everywhere yet. Nothing of it is lost while the log is whole.',
  alerts: [
    {
      name: 'TurnstoneProjectorStopped',
      severity: 'critical',
      expr: 'max by (reason) (turnstone_projector_stopped) == 1',
      for: '1m',
      summary: 'The projector has stopped: {{ $labels.reason }}',
      means:
        'It stopped by itself, so that a fault does not set the whole log aside. Writes go on until the tail is full; then they are 503.',
      look: '`turnstone dead-letters list --state open`: what was set aside last, in which step.',
      act: '[When the projector has stopped](../dead-letters.md#when-the-projector-has-stopped).',
      test: {
        series: {
          'turnstone_projector_stopped{reason="share"}': '0x4 1x14 0x10',
          'turnstone_projector_stopped{reason="fault"}': '0x30',
        },
        before: '4m',
        fires: '8m',
        clears: '21m',
        labels: { reason: 'share' },
      },
    },
    {
      name: 'TurnstoneProjectorStuck',
      severity: 'critical',
      expr: 'max(turnstone_projector_lag_events) > 0 and sum(rate(turnstone_projector_events[10m])) == 0',
      for: '10m',
      summary: 'There are events to project, and none has been projected for 10 minutes',
      means: 'All projectors stand still. Recalls still find every turn, in the tail, which grows.',
      look: '`/readyz` of a projector; lines `trouble, trying again` in its log, with the reason. In the cluster: whether the group of projectors has members.',
      act: 'Bring back the engine that the reason names. A projector that is alone with its work and does nothing may be restarted: it goes on at its checkpoint.',
      test: {
        series: {
          [`turnstone_projector_lag_events{${OF_PROCESS}}`]: '0x5 50x40 0x20',
          [`turnstone_projector_events{${OF_PROCESS}}`]: '100x70',
        },
        before: '12m',
        fires: '20m',
        clears: '50m',
      },
    },
    {
      name: 'TurnstoneProjectorBehind',
      severity: 'warning',
      expr: 'max(turnstone_projector_lag_events) > clamp_min(60 * sum(rate(turnstone_projector_events[5m])), 1000)',
      for: '5m',
      summary: 'The projectors are more than a minute of work behind the log',
      means: 'More is written than is projected. Recalls find the rest in the tail, more slowly.',
      look: 'Whether the lag still grows, and what the projectors wait for: processor, disk, Elasticsearch.',
      act: 'After an import, wait. Otherwise add projectors (not more than partitions), or give the machine a faster disk.',
      test: {
        series: {
          [`turnstone_projector_lag_events{${OF_PROCESS}}`]: '0x5 5000x20 0x20',
          [`turnstone_projector_events{${OF_PROCESS}}`]: '0+60x60',
        },
        before: '9m',
        fires: '15m',
        clears: '28m',
      },
    },
    {
      name: 'TurnstoneEnricherBehind',
      severity: 'warning',
      expr: 'max(turnstone_enricher_lag_events) > clamp_min(600 * sum(rate(turnstone_enricher_events[10m])), 1000)',
      for: '15m',
      summary: 'Observations are more than ten minutes of work behind the turns',
      means: 'Turns are found at once; what was understood of them comes later.',
      look: 'With a language model: [TurnstoneModelWaits](runbooks-memory.md#turnstonemodelwaits). Otherwise the processor of the enrichers.',
      act: 'Add enrichers. In the mode `embedded` it works through the rest when callers leave it time.',
      test: {
        series: {
          [`turnstone_enricher_lag_events{${OF_PROCESS}}`]: '0x5 5000x30 0x20',
          [`turnstone_enricher_events{${OF_PROCESS}}`]: '0+60x60',
        },
        before: '18m',
        fires: '25m',
        clears: '40m',
      },
    },
    {
      name: 'TurnstoneDeadLetters',
      severity: 'warning',
      expr: 'sum(increase(turnstone_dead_letters[30m])) > 0',
      summary: 'Events were set aside in the last 30 minutes',
      means: 'A record could not be projected. It is kept with its reason, and projection went on after it.',
      look: 'The dashboard _Workers and log_: by step and reason. `turnstone dead-letters list`.',
      act: '[Dead letters](../dead-letters.md): requeue them once the cause is gone, or discard them.',
      test: {
        series: { [`turnstone_dead_letters{${OF_PROCESS}}`]: '0x10 3x60' },
        before: '10m',
        fires: '15m',
        clears: '45m',
      },
    },
    {
      name: 'TurnstoneTailFills',
      severity: 'warning',
      expr: 'turnstone_tail_events > 6000',
      for: '5m',
      summary: 'The tail of {{ $labels.instance }} is half full',
      means:
        'Acknowledged events wait for the projector in memory, in the mode `embedded`. From 12,000 events or 64 MiB on, writes are refused.',
      look: 'Whether the projector runs and how fast: [TurnstoneProjectorBehind](#turnstoneprojectorbehind). After an upgrade the projections are built anew.',
      act: 'Write more slowly for a while; the clients repeat what was refused. Find out what holds the projector up.',
      test: {
        series: { [`turnstone_tail_events{${OF_PROCESS}}`]: '10x4 8000x14 10x10' },
        before: '8m',
        fires: '12m',
        clears: '21m',
        labels: PROCESS,
      },
    },
    {
      name: 'TurnstoneGenerationDropped',
      severity: 'warning',
      expr: 'max(turnstone_generations_dropped) > 0',
      for: '1m',
      summary: 'A generation of a projection failed and was dropped',
      means:
        'A standby or a replay is gone. What serves goes on serving; there may be nothing to roll back to.',
      look: '`/readyz`, `generations`, and `turnstone generations`.',
      act: 'Remove the cause, then `turnstone replay` again: [projections](../projections.md). In the mode `embedded` the figure counts since the start.',
      test: {
        series: { [`turnstone_generations_dropped{${OF_PROCESS}}`]: '0x4 1x14 0x10' },
        before: '4m',
        fires: '8m',
        clears: '21m',
      },
    },
    {
      name: 'TurnstoneAuditWaits',
      severity: 'warning',
      expr: 'sum(turnstone_audit_entries_waiting) > 0',
      for: '5m',
      summary: 'Entries of the audit log wait',
      means:
        'Acts are done, and their [entries](../../guides/audit.md) are not in the log yet. From 1,000 on they are lost.',
      look: '`/readyz`, `audit` and `log` or `kafka`.',
      act: 'Bring the log back before the process is restarted: what waits is in its memory.',
      test: {
        series: { [`turnstone_audit_entries_waiting{${OF_PROCESS}}`]: '0x4 7x14 0x10' },
        before: '8m',
        fires: '12m',
        clears: '21m',
      },
    },
    {
      name: 'TurnstoneAuditLost',
      severity: 'critical',
      expr: 'sum(increase(turnstone_audit_entries_lost[1h])) > 0',
      summary: 'Entries of the audit log were lost',
      means: 'More than 1,000 waited for a log that did not answer.',
      look: 'When the log was away, and which calls were made then: the lines `request` of the program log have `org_id` and `key_id`.',
      act: 'Tell the organizations concerned. Bring the log back.',
      test: {
        series: { [`turnstone_audit_entries_lost{${OF_PROCESS}}`]: '0x10 40x120' },
        before: '10m',
        fires: '15m',
        clears: '80m',
      },
    },
    {
      name: 'TurnstoneExpiriesHeldBack',
      severity: 'warning',
      expr: 'max(turnstone_expiries_held_back) > 0',
      for: '1h',
      summary: 'Expired sessions are not destroyed: too many of their organization for a day',
      means:
        'More of an organization has expired than `TURNSTONE_EXPIRIES_PER_DAY` allows. A wrong clock or a mistaken retention looks like this. It is hidden from every answer already.',
      look: 'The line `most of an organization has expired` in the log has its `org_id`; `turnstone orgs list` its retention.',
      act: 'If it is right, [let it go](../../guides/forget.md#let-memories-expire) with `turnstone orgs set-limits ORG --expiries PERCENT`. If not, correct the retention within its day.',
      test: {
        series: { [`turnstone_expiries_held_back{${OF_PROCESS}}`]: '0x4 12x90 0x10' },
        before: '60m',
        fires: '70m',
        clears: '98m',
      },
    },
  ],
};
