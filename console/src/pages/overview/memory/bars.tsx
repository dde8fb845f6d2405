import { number } from '../../../words/numbers.ts';

export interface Bar {
  name: string;
  value: number;
}

const HEIGHT = 40;

/** Draws values side by side, as high as the highest needs; the label tells them to screen readers. */
export const Bars = ({ bars, label }: { bars: readonly Bar[]; label: string }) => {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map(({ name, value }, index) => {
        // A value that isn't zero can be seen.
        const height = value === 0 ? 0.75 : Math.max((value / most) * HEIGHT, 2);
        return (
          <rect
            key={name}
            className={value === 0 ? 'none' : undefined}
            x={index * 10 + 1.5}
            y={HEIGHT - height}
            width={7}
            height={height}
          >
            <title>{`${name}: ${number(value)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
};
