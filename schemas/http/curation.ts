/** Curation: what is stored is hidden or corrected by events; nothing that was written changes. */
import type { Operation } from './operation.ts';

const retracting = (operation: Pick<Operation, 'path' | 'id' | 'summary' | 'description'>): Operation => ({
  method: 'delete',
  tag: 'Memory',
  access: ['memory:write'],
  reach: 'scope',
  answer: { status: 204, description: 'Hidden; from now on it is 404.' },
  statuses: [404, 503],
  ...operation,
});

const WORDS =
  'Nothing is billed, and what was billed stays. The words are destroyed when their session is erased (DELETE /memory).';

export const curationOperations: readonly Operation[] = [
  retracting({
    path: '/memory/turns/{id}',
    id: 'retractTurn',
    summary: 'Hide a turn',
    description: `Hides a turn, with its observations and mentions, from every answer, list, feed and export at once and for good: also as of moments before, and after a replay. Sent again, it stays hidden. ${WORDS}`,
  }),
  retracting({
    path: '/memory/observations/{id}',
    id: 'retractObservation',
    summary: 'Hide an observation',
    description: `The same for one observation or fact: the older value holds again. Its turn stays, and so does another turn's observation of the same words. ${WORDS}`,
  }),
];
