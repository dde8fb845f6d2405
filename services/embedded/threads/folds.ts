/** The folds of the embedded projections, and the order of their topics. */
import type { AccountEvent } from '../../../projections/accounts/projection.ts';
import type { Language } from '../../../projections/language/language.ts';
import { makeRecallProjection } from '../../../projections/recall/projection.ts';
import { projectUsage } from '../../../projections/usage/projection.ts';
import type { Topic } from '../../core/ports.ts';
import type { Folds } from '../../workers/projector/step.ts';

/** A revocation must not wait behind turns, and nobody waits for observations. */
export const PROJECTED_TOPICS: readonly Topic[] = ['accounts', 'usage', 'turns', 'observations'];

export const embeddedFolds = (language: Language): Folds => ({
  recall: makeRecallProjection(language),
  usage: projectUsage,
  accounts: event => (event.topic === 'accounts' ? [event as unknown as AccountEvent] : []),
  // Admission reads the projections' own file: it has nothing of its own to learn.
  logged: () => [],
});
