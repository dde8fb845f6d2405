import { hash } from 'node:crypto';
import calibration from './calibration.json' with { type: 'json' };
import present from './present/fitted.json' with { type: 'json' };
import fitted from './weights.json' with { type: 'json' };

const digest = hash('sha256', JSON.stringify([fitted, calibration, present])).slice(0, 12);

/** Identifies the ranker: the day of the fit, and a digest of all weights and the calibration. */
export const RANKER = `${fitted.madeOn}-${digest}`;
