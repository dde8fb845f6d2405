import { type Dashboard, of, type Panel, type Query, rate } from './dashboard.ts';

/** Every process reports the lag of the whole installation: the largest counts. */
const lag = (consumer: string): Query => ({
  expr: `max(${of(`turnstone_${consumer}_lag_events`)})`,
  legend: consumer.replace('_', ' '),
});
const speed = (consumer: string): Query => ({
  expr: `sum(${rate(`turnstone_${consumer}_events`)})`,
  legend: consumer.replace('_', ' '),
});

const modelPanels = (service: 'llm' | 'embeddings', only: NonNullable<Panel['only']>): Panel[] => [
  {
    title: `Requests to the ${only}`,
    about: 'Per second; faults brought nothing of use, and are repeated.',
    unit: 'reqps',
    queries: [
      { expr: `sum(${rate(`turnstone_${service}_requests`)})`, legend: 'requests' },
      { expr: `sum(${rate(`turnstone_${service}_faults`)})`, legend: 'faults' },
    ],
    only,
  },
  {
    title: `Turns without the ${only}`,
    about: 'Given up since the start, for good; waiting is 1 while the model is out of reach.',
    queries: [
      { expr: `sum(${of(`turnstone_${service}_turns_given_up`)})`, legend: 'given up' },
      { expr: `max(${of(`turnstone_${service}_waiting`)})`, legend: 'waiting' },
    ],
    only,
  },
];

export const LOG: Dashboard = {
  name: 'log',
  title: 'Workers and log',
  about: 'How far projections, observations and vectors are behind the log, and what was set aside.',
  rows: [
    {
      title: 'Behind the log',
      panels: [
        {
          title: 'Events behind',
          about: 'Recall finds what is not projected in the tail. Growing for minutes is bad.',
          queries: [lag('projector'), lag('enricher')],
        },
        {
          title: 'Events done',
          about: 'Per second: projected, and turns enriched.',
          unit: 'cps',
          queries: [speed('projector'), speed('enricher')],
        },
        {
          title: 'Time to catch up',
          about: 'Events behind over events done: none while nothing is done.',
          unit: 's',
          queries: [
            {
              expr: `max(${of('turnstone_projector_lag_events')}) / sum(${rate('turnstone_projector_events')})`,
              legend: 'projector',
            },
          ],
        },
        {
          title: 'Tail',
          about: 'Acknowledged events that are not projected; from 12,000 or 64 MiB on, writes are refused.',
          queries: [{ expr: of('turnstone_tail_events'), legend: '{{instance}}' }],
          only: 'embedded',
        },
        {
          title: 'Memory of the tail',
          about: 'About the memory that these events take.',
          unit: 'bytes',
          queries: [{ expr: of('turnstone_tail_bytes'), legend: '{{instance}}' }],
          only: 'embedded',
        },
      ],
    },
    {
      title: 'Set aside and held back',
      panels: [
        {
          title: 'Dead letters',
          about: 'Since the start of the projectors. Any is worth a look.',
          kind: 'number',
          queries: [{ expr: `sum(${of('turnstone_dead_letters')})` }],
          bounds: [1, 100],
        },
        {
          title: 'Projector stopped',
          about: 'The projectors that have stopped by themselves.',
          kind: 'number',
          queries: [{ expr: `sum(${of('turnstone_projector_stopped')})` }],
          bounds: [1, 1],
        },
        {
          title: 'Generations dropped',
          about: 'A standby or a replay failed: /readyz says why.',
          kind: 'number',
          queries: [{ expr: `max(${of('turnstone_generations_dropped')})` }],
          bounds: [1, 1],
        },
        {
          title: 'Expiries held back',
          about: 'Expired sessions that are hidden and not destroyed: too many of an organization for a day.',
          kind: 'number',
          queries: [{ expr: `max(${of('turnstone_expiries_held_back')})` }],
          bounds: [1, 1],
        },
        {
          title: 'Dead letters by reason',
          about: 'By the step that failed and what was wrong.',
          queries: [
            {
              expr: `sum by (step, reason) (${of('turnstone_dead_letters_by_reason')})`,
              legend: '{{step}}: {{reason}}',
            },
          ],
        },
        {
          title: 'Audit log',
          about: 'Entries that wait for the log, and those that were lost.',
          queries: [
            { expr: `sum(${of('turnstone_audit_entries_waiting')})`, legend: 'waiting' },
            { expr: `sum(${of('turnstone_audit_entries_lost')})`, legend: 'lost' },
          ],
        },
      ],
    },
    {
      title: 'Models',
      panels: [
        ...modelPanels('llm', 'language model'),
        {
          title: 'Events behind the embedding model',
          about: 'Turns without vectors are ranked without the model. A new model reads all turns.',
          queries: [lag('embedder')],
          only: 'embedding model',
        },
        {
          title: 'Turns given to the embedding model',
          about: 'Per second.',
          unit: 'cps',
          queries: [speed('embedder')],
          only: 'embedding model',
        },
        ...modelPanels('embeddings', 'embedding model'),
      ],
    },
    {
      title: 'Cluster',
      panels: [
        {
          title: 'Faults of the log',
          about: 'Anything but 0: the topics are not what they were, and nothing is projected.',
          kind: 'number',
          queries: [{ expr: `max(${of('turnstone_log_faults')})` }],
          bounds: [1, 1],
          only: 'cluster',
        },
        {
          title: 'Events that stores lack',
          about: 'A store was restored or emptied; it is projected again.',
          queries: [
            {
              expr: `max by (projection) (${of('turnstone_store_lacks_events')})`,
              legend: '{{projection}}',
            },
          ],
          only: 'cluster',
        },
        {
          title: 'Indices behind',
          about: 'The index of the keys, and that of the accounts.',
          queries: [lag('key_index'), lag('account_index')],
          only: 'cluster',
        },
        {
          title: 'Keys indexed',
          about: 'Records per second.',
          unit: 'cps',
          queries: [speed('key_index')],
          only: 'cluster',
        },
      ],
    },
  ],
};
