import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { stats } from '../../../api/stats.ts';
import type { Stats } from '../../../api/types.ts';
import { useLoad } from '../../../api/use-load.ts';
import { ErrorNotice, Loading } from '../../../parts/frame/notices.tsx';
import { Refresh } from '../../../parts/frame/refresh.tsx';
import { date, number } from '../../../words/numbers.ts';
import { type Bar, Bars } from './bars.tsx';
import {
  barsOf,
  type Counted,
  confidenceBars,
  figureOf,
  highest,
  latencyBars,
  middleOf,
} from './in-words.ts';

const SPANS = [7, 30, 90, 365] as const;
const DEFAULT_SPAN = 30;

const CARDS: { of: Counted; name: string; unit: string }[] = [
  { of: 'turns', name: 'Turns stored', unit: '' },
  { of: 'facts', name: 'Facts learnt', unit: '' },
  { of: 'recalls', name: 'Recalls answered', unit: '' },
  { of: 'users', name: 'Active users', unit: 'on the busiest day' },
];

const Card = ({
  name,
  figure,
  unit,
  bars,
  ends,
}: {
  name: string;
  figure: string;
  unit?: string;
  bars: Bar[];
  ends: [string, string];
}) => (
  <section className="card stat" aria-label={name}>
    <h3>{name}</h3>
    <p className="figure">
      {figure} {unit && <span>{unit}</span>}
    </p>
    <Bars bars={bars} label={highest(name, bars)} />
    <p className="ends muted" aria-hidden="true">
      <span>{ends[0]}</span>
      <span>{ends[1]}</span>
    </p>
  </section>
);

const Table = ({ days }: Stats) => (
  <details>
    <summary>Show the days as a table</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll it */}
    <section className="scroll-x" tabIndex={0} aria-label="Counts per day">
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">Turns</th>
            <th scope="col">Users</th>
            <th scope="col">Conversations</th>
            <th scope="col">Facts</th>
            <th scope="col">Recalls</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, turns, users, sessions, facts, recalls }) => (
            <tr key={day}>
              <th scope="row">{date(day)}</th>
              <td>{number(turns)}</td>
              <td>{number(users)}</td>
              <td>{number(sessions)}</td>
              <td>{number(facts)}</td>
              <td>{number(recalls)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
);

const Figures = ({ value }: { value: Stats }) => {
  const [latency, confidence] = [latencyBars(value), confidenceBars(value)];
  const ends: [string, string] = [value.days.length > 0 ? date(value.days[0]!.day) : '', 'today'];
  return (
    <>
      <div className="cards stats">
        {CARDS.map(({ of, name, unit }) => (
          <Card
            key={of}
            name={name}
            figure={number(figureOf(value, of))}
            unit={unit}
            bars={barsOf(value, of)}
            ends={ends}
          />
        ))}
      </div>
      <div className="cards">
        <Card
          name="Time of a recall, in the middle"
          figure={middleOf(latency) ?? 'none yet'}
          bars={latency}
          ends={['5 ms', 'more than 5 s']}
        />
        <Card
          name="Confidence of a recall, in the middle"
          figure={middleOf(confidence) ?? 'none yet'}
          bars={confidence}
          ends={['0', '1']}
        />
      </div>
      <Table {...value} />
    </>
  );
};

/** How much is said, learnt and asked by day. `user`: only theirs; otherwise of the organization. */
export const Memory = ({ user, pathOfDays }: { user?: string; pathOfDays: (days?: string) => string }) => {
  const [, go] = useLocation();
  const asked = Number(new URLSearchParams(useSearch()).get('days'));
  const days = SPANS.find(span => span === asked) ?? DEFAULT_SPAN;
  const loaded = useLoad(`stats ${days} ${user ?? ''}`, signal =>
    stats({ days, ...(user === undefined ? {} : { user_id: user }) }, signal),
  );
  const { value } = loaded;
  return (
    <section aria-labelledby="memory">
      <div className="heading">
        <h2 id="memory">Memory</h2>
        <Refresh what="the memory" loading={loaded.state === 'loading'} onClick={loaded.reload} />
        <select
          aria-label="Days"
          value={days}
          onChange={event => {
            const chosen = event.target.value;
            go(pathOfDays(Number(chosen) === DEFAULT_SPAN ? undefined : chosen), { replace: true });
          }}
        >
          {SPANS.map(span => (
            <option key={span} value={span}>
              {span} days
            </option>
          ))}
        </select>
      </div>
      {loaded.state === 'failed' && <ErrorNotice error={loaded.error} retry={loaded.reload} />}
      {loaded.state === 'loading' && !value && <Loading what="the counts" />}
      {value && <Figures value={value} />}
    </section>
  );
};
