import type { UsageDaily, UsageDay } from '../../api/types.ts';
import type { Loaded } from '../../api/use-load.ts';
import { Icon } from '../../parts/icons.tsx';
import { ErrorNotice, Loading } from '../../parts/notices.tsx';
import { date, monthBeside, monthName, monthOf, number } from '../../words/numbers.ts';
import { UsageChart } from './chart.tsx';

const MONTHS_BACK = 24;

const total = (days: UsageDay[], of: 'tokens_in' | 'tokens_out'): number =>
  days.reduce((sum, day) => sum + day[of], 0);

const DaysTable = ({ days, month }: { days: UsageDay[]; month: string }) => (
  <details>
    <summary>The same as a table</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll it */}
    <section className="scroll-x" tabIndex={0} aria-label={`Tokens of ${monthName(month)} by day`}>
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
            <th scope="row">All</th>
            <td>{number(total(days, 'tokens_in'))}</td>
            <td>{number(total(days, 'tokens_out'))}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  </details>
);

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
  return (
    <section aria-labelledby="month">
      <div className="heading">
        <h2 id="month">By day</h2>
        <div className="month-picker">
          <button
            type="button"
            className="square"
            aria-label="The month before"
            disabled={month === months.at(-1)}
            onClick={() => onMonth(monthBeside(month, -1))}
          >
            <Icon name="previous" />
          </button>
          <select aria-label="Month" value={month} onChange={event => onMonth(event.target.value)}>
            {months.map(one => (
              <option key={one} value={one}>
                {monthName(one)}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="square"
            aria-label="The month after"
            disabled={month === newest}
            onClick={() => onMonth(monthBeside(month, 1))}
          >
            <Icon name="next" />
          </button>
        </div>
      </div>
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={loaded.reload} />}
      {loaded.state === 'loading' && !days && <Loading what={monthName(month)} />}
      {days && (
        <div className="card">
          <p className="legend">
            <span className="key in">
              Tokens in <strong>{number(total(days, 'tokens_in'))}</strong>
            </span>
            <span className="key out">
              Tokens out <strong>{number(total(days, 'tokens_out'))}</strong>
            </span>
          </p>
          <UsageChart days={days} month={month} />
          <DaysTable days={days} month={month} />
        </div>
      )}
    </section>
  );
};
