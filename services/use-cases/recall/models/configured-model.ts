import { ServiceError } from '../../../../core/errors.ts';

/**
 * Throws `invalid` for a model whose vectors nobody makes. The message names none: who asks need not know
 * which there are.
 */
export const assertConfigured = (model: string, models: readonly string[]): void => {
  if (models.includes(model)) return;
  const message = 'must be an embedding model that the service is configured with';
  throw new ServiceError('invalid', 'The request breaks a rule.', {
    details: { errors: [{ loc: ['body', 'embeddings_model'], type: 'not_configured', message }] },
  });
};
