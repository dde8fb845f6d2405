import { counted, number } from '../../words/numbers.ts';
import { Gauge } from './gauge.tsx';
import { Hits } from './hits.tsx';
import { SameCall } from './same-call.tsx';
import type { Answered } from './state.ts';

const milliseconds = (value: number): string => (value < 10 ? value.toFixed(1) : number(Math.round(value)));

export const Answer = ({ body, answer, milliseconds: took }: Answered) => {
  const { hits, confidence, timeline, usage } = answer;
  const count = hits.turns.length + hits.observations.length + hits.entities.length;
  return (
    <section className="answer" aria-label="Answer">
      <Gauge confidence={confidence} hits={count} />
      <dl className="figures">
        <div>
          <dt>Took</dt>
          <dd title="As this browser saw it, from the click to the whole answer">{milliseconds(took)} ms</dd>
        </div>
        <div>
          <dt>Tokens in</dt>
          <dd>{number(usage.tokens_in)}</dd>
        </div>
        <div>
          <dt>Tokens out</dt>
          <dd>{number(usage.tokens_out)}</dd>
        </div>
        <div>
          <dt>Mode</dt>
          <dd>{answer.mode}</dd>
        </div>
      </dl>
      {count > 0 && (
        <section aria-labelledby="hits">
          <h2 id="hits">{counted(count, 'hit')}</h2>
          <Hits hits={hits} />
        </section>
      )}
      {timeline && (
        <section aria-labelledby="timeline">
          <h2 id="timeline">Timeline</h2>
          <ol className="timeline card">
            {timeline.split('\n').map(line => {
              const [, day, words] = /^(\d{4}-\d{2}-\d{2}): (.*)$/.exec(line) ?? [];
              return (
                <li key={line}>
                  {day && <time dateTime={day}>{day}</time>} <span>{words ?? line}</span>
                </li>
              );
            })}
          </ol>
        </section>
      )}
      <SameCall body={body} />
    </section>
  );
};
