import { useState } from 'react';
import type { UsageDaily, UsageDay } from '../../api/types.ts';
import type { Loaded } from '../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../parts/frame/notices.tsx';
import { Refresh } from '../../parts/frame/refresh.tsx';
import { Icon } from '../../parts/icons.tsx';
import { date, monthBeside, monthName, monthOf, number } from '../../words/numbers.ts';
import { UsageChart } from './chart.tsx';
import { Statement } from './statement.tsx';

const MONTHS_BACK = 24;

const total = (days: UsageDay[], of: 'tokens_in' | 'tokens_out'): number =>
  days.reduce((sum, day) => sum + day[of], 0);

const DaysTable = ({ days, month }: { days: UsageDay[]; month: string }) => (
  <details>
    <summary>Show as a table</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll it */}
    <section className="scroll-x" tabIndex={0} aria-label={`Tokens per day of ${monthName(month)}`}>
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">Tokens in</th>
            <th scope="col">Tokens out</th>
          </tr>
        </thead>
        <tbody>
          {days.map(day => (
            <tr key={day.day}>
              <th scope="row">{date(day.day)}</th>
              <td>{number(day.tokens_in)}</td>
              <td>{number(day.tokens_out)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>{number(total(days, 'tokens_in'))}</td>
            <td>{number(total(days, 'tokens_out'))}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  </details>
);

/** Shows an arrow to another month. At the last month it is inactive but keeps the focus. */
const Arrow = ({
  to,
  label,
  onClick,
}: {
  to: 'previous' | 'next';
  label: string;
  onClick: (() => void) | undefined;
}) => (
  <button type="button" className="square" aria-label={label} aria-disabled={!onClick} onClick={onClick}>
    <Icon name={to} />
  </button>
);

/** Shows the whole month, or the day under the pointer. */
const Legend = ({ days, shown }: { days: UsageDay[]; shown: UsageDay | undefined }) => (
  <p className="legend">
    <span className="key in">
      Tokens in <strong>{number(shown?.tokens_in ?? total(days, 'tokens_in'))}</strong>
    </span>
    <span className="key out">
      Tokens out <strong>{number(shown?.tokens_out ?? total(days, 'tokens_out'))}</strong>
    </span>
    {shown && <span>on {date(shown.day)}</span>}
  </p>
);

const Days = ({ days, month }: { days: UsageDay[]; month: string }) => {
  const [pointed, setPointed] = useState<number>();
  const nothing = total(days, 'tokens_in') + total(days, 'tokens_out') === 0;
  if (nothing) return <p className="card muted">No usage in this month.</p>;
  return (
    <div className="card">
      <Legend days={days} shown={pointed === undefined ? undefined : days[pointed]} />
      <UsageChart days={days} month={month} onPoint={setPointed} />
      <DaysTable days={days} month={month} />
    </div>
  );
};

export const MonthOfUsage = ({
  month,
  onMonth,
  loaded,
}: {
  month: string;
  onMonth: (month: string) => void;
  loaded: Loaded<UsageDaily> & { reload: () => void };
}) => {
  const newest = monthOf(Date.now());
  const months = Array.from({ length: MONTHS_BACK }, (_, back) => monthBeside(newest, -back));
  const days = loaded.value?.days;
  const go = (by: -1 | 1) => () => onMonth(monthBeside(month, by));
  return (
    <section aria-labelledby="month">
      <div className="heading">
        <h2 id="month">Daily usage</h2>
        <Refresh what={monthName(month)} loading={loaded.state === 'loading'} onClick={loaded.reload} />
        <div className="month-picker">
          <Arrow
            to="previous"
            label="Previous month"
            onClick={month === months.at(-1) ? undefined : go(-1)}
          />
          <select aria-label="Month" value={month} onChange={event => onMonth(event.target.value)}>
            {months.map(one => (
              <option key={one} value={one}>
                {monthName(one)}
              </option>
            ))}
          </select>
          <Arrow to="next" label="Next month" onClick={month === newest ? undefined : go(1)} />
        </div>
      </div>
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={loaded.reload} />}
      {loaded.state === 'loading' && !days && <Loading what={monthName(month)} />}
      {days && <Days key={month} days={days} month={month} />}
      {days && month !== newest && <Statement key={month} month={month} />}
    </section>
  );
};
