import { hash } from 'node:crypto';
import calibration from './calibration.json' with { type: 'json' };
import fitted from './weights.json' with { type: 'json' };

const digest = hash('sha256', JSON.stringify([fitted, calibration])).slice(0, 12);

/** Identifies the ranker: the day of the fit, and a digest of weights and calibration. */
export const RANKER = `${fitted.madeOn}-${digest}`;
