import { createHash } from 'node:crypto';
import { seesAll } from '../../../core/scope.ts';
import type { CursorSeal } from '../../../core/sealed-cursors.ts';
import { type Attributes, isTracing, traced } from '../../../core/tracing/spans.ts';
import type { Principal, UseCases } from '../../../core/use-cases.ts';
import type { RecallAnswer } from '../../../schemas/http/recall.ts';

/**
 * The same use cases, each in the span of a memory operation, as OpenTelemetry's conventions for generative
 * AI name it. A store is the memory of a user, or of an organization where a call names none. Returns them as
 * they are where nothing is traced.
 */
export const tracedUseCases = (useCases: UseCases, cursors: Pick<CursorSeal, 'seal'>): UseCases => {
  if (!isTracing()) return useCases;
  const pseudonym = makePseudonym(cursors);
  const { ingest, recall, say, correct, retractTurn, retractObservation, erase } = useCases;

  const about = (operation: string, { orgId }: Principal, user: string | undefined): Attributes => ({
    'gen_ai.operation.name': operation,
    'gen_ai.memory.store.id': pseudonym(orgId, user),
  });
  const read = (principal: Principal, named: string | undefined): string | undefined =>
    named ?? (seesAll(principal) ? undefined : principal.userId);
  const ofRecord = (operation: string) => ({
    attributes: (principal: Principal, id: string): Attributes => ({
      ...about(operation, principal, read(principal, undefined)),
      'gen_ai.memory.record.id': pseudonym(principal.orgId, id),
      'gen_ai.memory.record.count': 1,
    }),
  });

  return {
    ...useCases,
    ingest: traced('create_memory', ingest, {
      attributes: (principal, { scope, turns }) => ({
        ...about('create_memory', principal, scope.user_id ?? principal.userId),
        'gen_ai.memory.record.count': turns.length,
      }),
      outcome: ({ usage }) => ({ 'turnstone.usage.tokens_in': usage.tokens_in }),
    }),
    recall: traced('search_memory', recall, {
      attributes: (principal, { scope }) => about('search_memory', principal, read(principal, scope.user_id)),
      outcome: foundBy,
    }),
    say: traced('create_memory', say, {
      attributes: (principal, { scope }) => ({
        ...about('create_memory', principal, scope.user_id ?? principal.userId),
        'gen_ai.memory.record.count': 1,
      }),
    }),
    correct: traced('update_memory', correct, ofRecord('update_memory')),
    retractTurn: traced('delete_memory', retractTurn, ofRecord('delete_memory')),
    retractObservation: traced('delete_memory', retractObservation, ofRecord('delete_memory')),
    erase: traced('delete_memory', erase, {
      attributes: (principal, { user_id }) => about('delete_memory', principal, read(principal, user_id)),
    }),
  };
};

const foundBy = ({ hits, confidence, mode, freshness, usage }: RecallAnswer): Attributes => ({
  'gen_ai.memory.record.count': hits.turns.length + hits.observations.length + hits.entities.length,
  'turnstone.mode': mode,
  'turnstone.confidence': confidence,
  'turnstone.from_tail': freshness.from_tail,
  'turnstone.usage.tokens_in': usage.tokens_in,
  'turnstone.usage.tokens_out': usage.tokens_out,
});

/**
 * Returns ids that tell nothing to whoever has the spans alone: hashes keyed by the installation's key, so
 * that nobody can try names. They change when that key is rotated.
 */
const makePseudonym =
  ({ seal }: Pick<CursorSeal, 'seal'>) =>
  (org: string, id = ''): string => {
    const sealed = seal(Buffer.from(id).toString('base64url'), org);
    return createHash('sha256').update(sealed).digest('hex').slice(0, 32);
  };
