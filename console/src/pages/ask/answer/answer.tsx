import { counted, number } from '../../../words/numbers.ts';
import { HitsWithFeedback } from '../feedback/hits-with-feedback.tsx';
import type { Answered } from '../state.ts';
import { Gauge } from './gauge.tsx';
import { Hits } from './hits.tsx';
import { NoHits } from './no-hits.tsx';
import { UseInCode } from './use-in-code.tsx';
import { countOf, inMilliseconds, verdictOf } from './verdict.ts';

export const Answer = ({
  body,
  answer,
  milliseconds: took,
  busy,
  onAskWithoutFilters,
}: Answered & {
  /** True while another question is being asked, so that this answer is outdated. */
  busy: boolean;
  onAskWithoutFilters: () => void;
}) => {
  const { hits, confidence, timeline, usage } = answer;
  const count = countOf(answer);
  return (
    <section className="answer" aria-labelledby="asked" aria-busy={busy}>
      <h2 id="asked" dir="auto">
        {body.q}
      </h2>
      <Gauge confidence={confidence} verdict={verdictOf(answer)} />
      <dl className="figures">
        <div>
          <dt>Took</dt>
          <dd title="Measured in this browser, from the click to the complete answer">
            {inMilliseconds(took)}
          </dd>
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
      {count === 0 && <NoHits body={body} onAskWithoutFilters={onAskWithoutFilters} />}
      {count > 0 && (
        <section aria-labelledby="hits">
          <h3 id="hits">{counted(count, 'hit')}</h3>
          {answer.receipt_id === undefined ? (
            <>
              <Hits hits={hits} />
              <p className="muted">Ask with “receipt” to say which hits were helpful.</p>
            </>
          ) : (
            <HitsWithFeedback key={answer.receipt_id} hits={hits} receipt={answer.receipt_id} />
          )}
        </section>
      )}
      {timeline && (
        <section aria-labelledby="timeline">
          <h3 id="timeline">Timeline</h3>
          <ol className="timeline card">
            {timeline.split('\n').map(line => {
              const [, day, words] = /^(\d{4}-\d{2}-\d{2}): (.*)$/.exec(line) ?? [];
              return (
                <li key={line}>
                  {day && <time dateTime={day}>{day}</time>} <span dir="auto">{words ?? line}</span>
                </li>
              );
            })}
          </ol>
        </section>
      )}
      <UseInCode body={body} />
    </section>
  );
};
