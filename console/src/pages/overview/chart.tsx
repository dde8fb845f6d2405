import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { UsageDay } from '../../api/types.ts';
import { compact, date, monthName, number } from '../../words/numbers.ts';

const HEIGHT = 220;
/** Share of a day's width that each of its two bars takes. */
const BAR = 0.4;
const WIDEST_BAR = 28;

/** Called with the index of the day under the pointer; undefined for none. */
type Point = (day: number | undefined) => void;

const daysIn = (month: string): number => {
  const [year = 0, ordinal = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, ordinal, 0)).getUTCDate();
};

const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * Returns the chart's options. The x axis has days 1 to 31; bars of tokens in are left of a day's middle,
 * those of tokens out right of it.
 */
const optionsOf = (month: string, width: number, onPoint: Point): uPlot.Options => {
  const bars = (side: -1 | 1) => uPlot.paths.bars!({ size: [BAR, WIDEST_BAR], align: side, radius: 0.15 });
  const last = daysIn(month);
  const axis = { stroke: colour('--muted'), font: '12px system-ui, sans-serif' };
  return {
    width,
    height: HEIGHT,
    // Leaves space on the right for half of the last day's label.
    padding: [12, 10, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    scales: {
      x: { time: false, range: [0.4, last + 0.8] },
      y: { range: (_plot, _least, most) => [0, Math.max(most ?? 0, 1) * 1.08] },
    },
    series: [
      {},
      { fill: colour('--accent'), width: 0, points: { show: false }, paths: bars(-1) },
      { fill: colour('--second'), width: 0, points: { show: false }, paths: bars(1) },
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        ticks: { show: false },
        size: 28,
        splits: () => Array.from({ length: last }, (_, i) => i + 1).filter(day => day % 5 === 0 || day === 1),
        values: (_plot, days) => days.map(String),
      },
      {
        ...axis,
        size: 52,
        grid: { stroke: colour('--line'), width: 1 },
        ticks: { show: false },
        values: (_plot, values) => values.map(value => (Number.isInteger(value) ? compact(value) : '')),
      },
    ],
  };
};

const dataOf = (days: UsageDay[]): uPlot.AlignedData => [
  days.map(({ day }) => Number(day.slice(8))),
  days.map(({ tokens_in }) => tokens_in),
  days.map(({ tokens_out }) => tokens_out),
];

const summary = (days: UsageDay[], month: string): string => {
  const busiest = days.toSorted((a, b) => b.tokens_in + b.tokens_out - a.tokens_in - a.tokens_out)[0];
  const most = busiest
    ? ` Highest on ${date(busiest.day)}: ${number(busiest.tokens_in)} in, ${number(busiest.tokens_out)} out.`
    : '';
  return `Tokens in and out per day of ${monthName(month)}.${most} The table below has all days.`;
};

/**
 * Draws the chart, again whenever its width, colours or numbers change; labelled, because screen readers
 * can't read a canvas.
 */
export const UsageChart = ({ days, month, onPoint }: { days: UsageDay[]; month: string; onPoint: Point }) => {
  const element = useRef<HTMLDivElement>(null);
  const [look, setLook] = useState({ width: 0, colours: 0 });

  useEffect(() => {
    const redraw = (): void => setLook(({ width, colours }) => ({ width, colours: colours + 1 }));
    const sized = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      setLook(before => (before.width === width ? before : { ...before, width }));
    });
    sized.observe(element.current!);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', redraw);
    const chosen = new MutationObserver(redraw);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      sized.disconnect();
      scheme.removeEventListener('change', redraw);
      chosen.disconnect();
    };
  }, []);

  useEffect(() => {
    if (look.width === 0) return;
    const plot = new uPlot(optionsOf(month, look.width, onPoint), dataOf(days), element.current!);
    return () => plot.destroy();
  }, [days, month, look, onPoint]);

  return <div ref={element} className="chart" role="img" aria-label={summary(days, month)} />;
};
