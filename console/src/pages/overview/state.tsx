import type { ReactNode } from 'react';
import { metrics, readiness } from '../../api/calls.ts';
import { useLoad } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Refresh } from '../../parts/frame/refresh.tsx';
import { serviceState } from '../../words/metrics.ts';
import { counted, number } from '../../words/numbers.ts';

type Mood = 'good' | 'bad' | 'unknown';

const Fact = ({
  name,
  mood,
  figure,
  children,
}: {
  name: string;
  mood: Mood;
  figure: string;
  children: ReactNode;
}) => (
  <section className={`card fact ${mood}`} aria-label={name}>
    <h3>{name}</h3>
    <p className="figure">{figure}</p>
    <div className="muted">{children}</div>
  </section>
);

const Lag = ({
  name,
  lag,
  none,
  some,
}: {
  name: string;
  lag: number | undefined;
  none: string;
  some: string;
}) => (
  <Fact
    name={name}
    mood={lag === undefined ? 'unknown' : 'good'}
    figure={lag === undefined ? 'unknown' : number(lag)}
  >
    <p>{lag === undefined ? 'Not reported by this process.' : lag === 0 ? none : some}</p>
  </Fact>
);

/** Shows the reports of this process's open endpoints; a missing metric is unknown, not zero. */
export const State = () => {
  const loaded = useLoad('state', async signal => {
    const [ready, text] = await Promise.all([
      readiness(signal),
      // A proxy may block it for browsers; the lag is then unknown.
      metrics(signal).catch(() => ''),
    ]);
    return { ready, state: serviceState(text) };
  });
  const { value } = loaded;
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (!value) return <Loading what="the state of the service" />;

  const { ready, state } = value;
  const engines = Object.entries(ready.engines);
  const down = engines.filter(([, { ok }]) => !ok);
  const { deadLetters, deadLettersByReason, stoppedBy } = state;
  return (
    <>
      <div className="cards four">
        <Fact name="Engines" mood={ready.ready ? 'good' : 'bad'} figure={ready.ready ? 'ready' : 'not ready'}>
          {down.length === 0 ? (
            <p>{engines.map(([name]) => name).join(', ')}</p>
          ) : (
            down.map(([name, { detail }]) => (
              <p key={name}>
                {name}: {detail}
              </p>
            ))
          )}
        </Fact>
        <Lag
          name="Indexing backlog"
          lag={state.projectorLag}
          none="All events of the log are indexed."
          some="Events of the log; recall finds new turns meanwhile."
        />
        <Lag
          name="Extraction backlog"
          lag={state.enricherLag}
          none="Facts and names are complete."
          some="Events of the log; their facts and names follow."
        />
        <Fact
          name="Dead letters"
          mood={deadLetters === undefined ? 'unknown' : deadLetters > 0 || stoppedBy ? 'bad' : 'good'}
          figure={deadLetters === undefined ? 'unknown' : number(deadLetters)}
        >
          {stoppedBy && <p>The projector has stopped ({stoppedBy.replaceAll('_', ' ')}).</p>}
          {deadLettersByReason.map(({ step, reason, count }) => (
            <p key={`${step} ${reason}`}>
              {counted(count, 'event')}: {step}, {reason}
            </p>
          ))}
          <p>
            {deadLetters === undefined
              ? 'Not reported: this process runs no projector.'
              : 'Events set aside since this process started.'}{' '}
            <code>turnstone dead-letters list</code> shows all.
          </p>
        </Fact>
      </div>
      <p className="muted">
        For the whole service, not only this organization.{' '}
        <Refresh what="the service" loading={loaded.state === 'loading'} onClick={loaded.reload} />
      </p>
    </>
  );
};
