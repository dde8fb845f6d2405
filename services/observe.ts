import type { Engines } from './embedded.ts';
import type { Metrics } from './metrics.ts';
import type { Positions } from './ports.ts';

const PROJECTED = /^(turns|observations|usage|accounts)\//;
const ENRICHED = /^turns\//;
/** A scrape reads all gauges at once: the ends of the log are asked for once. */
const ONE_SCRAPE_MS = 100;

/** How far projections and enrichment are behind the log, in events. */
export const observe = (metrics: Metrics, engines: Engines): void => {
  const { log, admission, projector, enricher } = engines;
  let asked = Number.NEGATIVE_INFINITY;
  let ends: Promise<Positions>;
  const lag = async (positions: Positions, topics: RegExp): Promise<number> => {
    if (performance.now() - asked > ONE_SCRAPE_MS) {
      asked = performance.now();
      ends = log.ends();
    }
    return Object.entries(await ends)
      .filter(([place]) => topics.test(place))
      .reduce((sum, [place, end]) => sum + Math.max(end - (positions[place] ?? 0), 0), 0);
  };

  metrics.gauge(
    'turnstone_tail_events',
    'Acknowledged events that the projections do not show yet',
    admission.backlog,
  );
  metrics.gauge('turnstone_projector_events', 'Events projected since the start', projector.events);
  metrics.gauge('turnstone_projector_lag_events', 'Events in the log that are not projected yet', () =>
    lag(projector.positions(), PROJECTED),
  );
  metrics.gauge('turnstone_enricher_events', 'Turns enriched since the start', enricher.events);
  metrics.gauge('turnstone_enricher_lag_events', 'Events in the log that the enricher has not seen yet', () =>
    lag(enricher.positions(), ENRICHED),
  );
  metrics.gauge('turnstone_dead_letters', 'Events set aside since the start', projector.deadLetters);
};
