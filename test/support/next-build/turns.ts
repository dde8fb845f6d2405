/** In place of `schemas/events/turns.ts`: writes are recorded in the next version. */
import { turnsRecordedBody as today } from '../../../schemas/events/turns.ts';
import { toVersion2 } from './body.ts';

export * from '../../../schemas/events/turns.ts';

export const turnsRecordedBody = (...said: Parameters<typeof today>) => toVersion2(today(...said));
