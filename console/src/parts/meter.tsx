import { number, percent, until } from '../words/numbers.ts';

/** Shows a daily cap and how much of it is used. */
export const CapMeter = ({
  name,
  hint,
  used,
  cap,
  end,
}: {
  name: string;
  hint: string;
  used: number;
  /** 0 means no cap. */
  cap: number;
  end: string;
}) => {
  const share = cap === 0 ? 0 : used / cap;
  const left = until(end, Date.now());
  const told =
    cap === 0
      ? 'no cap'
      : `${percent(share)} of the daily cap of ${number(cap)}; resets in ${left}, at 00:00 UTC`;
  return (
    <section className="card cap" aria-label={name}>
      <h3>{name}</h3>
      <p className="figure">
        {number(used)} <span>{used === 1 ? 'token' : 'tokens'}</span>
      </p>
      {cap > 0 && (
        <>
          <meter
            className="hidden"
            aria-label={`${name}, share of the daily cap`}
            max={cap}
            value={Math.min(used, cap)}
          >
            {told}
          </meter>
          <div className={share >= 1 ? 'bar-meter full' : 'bar-meter'} aria-hidden="true">
            <div style={{ inlineSize: `${Math.min(share, 1) * 100}%` }} />
          </div>
        </>
      )}
      <p className="muted">{told}</p>
      <p className="muted">{hint}</p>
    </section>
  );
};
