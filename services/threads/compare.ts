/** Compares two generations that were held at the same positions, on a thread of its own: it reads them whole. */
import { parentPort, workerData } from 'node:worker_threads';
import { openComparison } from '../../infra/embedded/compare-generations.ts';
import type { ComparisonData, ComparisonMessage } from './comparison.ts';

const { serving, next } = workerData as ComparisonData;
const say = (message: ComparisonMessage): void => parentPort!.postMessage(message);

const comparison = openComparison(serving, next);
say({ kind: 'taken' });
say({ kind: 'compared', ...comparison.compare() });
comparison.close();
