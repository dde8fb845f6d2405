import type { ReactNode } from 'react';
import { metrics, readiness } from '../../api/calls.ts';
import { useLoad } from '../../api/use-load.ts';
import { LookAgain } from '../../parts/look-again.tsx';
import { ErrorNotice, Loading } from '../../parts/notices.tsx';
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
    <p>{lag === undefined ? 'This process does not tell.' : lag === 0 ? none : some}</p>
  </Fact>
);

/** What the open endpoints of this process tell; a metric that isn't there is unknown, and not nought. */
export const State = () => {
  const loaded = useLoad('state', async signal => {
    const [ready, text] = await Promise.all([
      readiness(signal),
      // A proxy may keep it from browsers: then the lag is unknown.
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
          name="Not projected yet"
          lag={state.projectorLag}
          none="Events of the log; the read models have them all."
          some="Events of the log; recalls see new turns meanwhile."
        />
        <Lag
          name="Not enriched yet"
          lag={state.enricherLag}
          none="Events of the log; facts and entities are complete."
          some="Events of the log; facts and entities come later."
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
              ? 'This process does not project, so it does not tell.'
              : 'Events set aside since this process started.'}{' '}
            <code>turnstone dead-letters list</code> has all.
          </p>
        </Fact>
      </div>
      <p className="muted">
        Of the whole service, not of this organization alone.{' '}
        <LookAgain at="the service" loading={loaded.state === 'loading'} onClick={loaded.reload} />
      </p>
    </>
  );
};
