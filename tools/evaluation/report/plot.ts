import { DEPTHS } from '../measure/metrics.ts';
import type { GroupRow, Report } from './report.ts';

/** Pixels: two square panels side by side, the legend below them. */
const SIDE = 300;
const MARGIN = { left: 56, top: 44, between: 76, right: 24, bottom: 52 };
const LEGEND_LINE = 18;

/** Colours between light and dark, visible on white and black pages. */
const INK = '#7a7a7a';
const HEADLINE = '#3d84d6';
const COLOURS = ['#d1622b', '#2a9a6c', '#a865c9', '#ad8417', '#d0517f', '#2f97a8'];

/** Escapes a text for XML: names of categories may contain anything. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

type Attributes = Record<string, string | number>;

/** Writes an element, its numbers to a tenth of a pixel. `children` is markup already. */
const element = (name: string, attributes: Attributes, children = ''): string => {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === 'number' ? Number(value.toFixed(1)) : escaped(value)}"`,
  );
  return `<${name}${written.join('')}>${children}</${name}>`;
};

const label = (x: number, y: number, text: string, attributes: Attributes = {}): string =>
  element('text', { x, y, ...attributes }, escaped(text));

interface Panel {
  title: string;
  /** Titles of the horizontal and the vertical axis; the vertical one goes from 0 to 1. */
  axes: [string, string];
  /** Labelled values of the horizontal axis, and its ends. */
  ticks: readonly number[];
  range: [number, number];
  /** Returns markup, in the panel's own pixels. */
  draw: (x: (value: number) => number, y: (value: number) => number) => string[];
}

const panel = (left: number, { title, axes, ticks, range: [from, to], draw }: Panel): string => {
  const x = (value: number): number => ((value - from) / (to - from)) * SIDE;
  const y = (value: number): number => (1 - value) * SIDE;
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap(value => [
    element('line', { x1: 0, y1: y(value), x2: SIDE, y2: y(value), stroke: INK, 'stroke-opacity': 0.3 }),
    label(-8, y(value) + 4, `${Math.round(value * 100)}`, { 'text-anchor': 'end' }),
  ]);
  const middle = { 'text-anchor': 'middle' };
  return element(
    'g',
    { transform: `translate(${left} ${MARGIN.top})` },
    [
      label(0, -20, title, { 'font-weight': 'bold' }),
      ...grid,
      ...ticks.map(tick => label(x(tick), SIDE + 18, `${tick}`, middle)),
      label(SIDE / 2, SIDE + 36, axes[0], middle),
      label(-SIDE / 2, -38, axes[1], { ...middle, transform: 'rotate(-90)' }),
      ...draw(x, y),
    ].join('\n'),
  );
};

interface Curve {
  row: GroupRow;
  colour: string;
  width: number;
}

const curvesOf = ({ evidence }: Report): Curve[] => {
  const categories = evidence.filter(({ kind }) => kind === 'category');
  return [
    ...categories.map((row, i) => ({ row, colour: COLOURS[i % COLOURS.length]!, width: 1.5 })),
    // Last, so that it lies above the others.
    ...evidence.filter(({ kind }) => kind === 'headline').map(row => ({ row, colour: HEADLINE, width: 3 })),
  ];
};

const recallPanel = (curves: readonly Curve[]): Panel => ({
  title: 'Evidence recall@k, percent',
  axes: ['first k hits', 'of the evidence turns'],
  ticks: DEPTHS,
  range: [0, DEPTHS.at(-1)!],
  draw: (x, y) =>
    curves.flatMap(({ row, colour, width }) => {
      const points = DEPTHS.map(depth => ({ depth, recall: row[`recallAt${depth}`] }));
      return [
        element('polyline', {
          points: points.map(({ depth, recall }) => `${x(depth)},${y(recall / 100).toFixed(1)}`).join(' '),
          fill: 'none',
          stroke: colour,
          'stroke-width': width,
        }),
        ...points.map(({ depth, recall }) =>
          element(
            'circle',
            { cx: x(depth), cy: y(recall / 100), r: width + 1.5, fill: colour },
            element('title', {}, escaped(`${row.group}, R@${depth} ${recall.toFixed(1)}`)),
          ),
        ),
      ];
    }),
});

/** A circle's area shows the number of questions in the bin. */
const radius = (count: number, questions: number): number => 3 + 15 * Math.sqrt(count / questions);

export interface Reliability extends Pick<Report, 'reliability'> {
  title: string;
  questions: number;
  scores: string;
}

const reliabilityPanel = ({ title, reliability, questions }: Omit<Reliability, 'scores'>): Panel => ({
  title,
  axes: ['said', 'true'],
  ticks: [0, 20, 40, 60, 80, 100],
  range: [0, 100],
  draw: (x, y) => [
    element('line', { x1: x(0), y1: y(0), x2: x(100), y2: y(1), stroke: INK, 'stroke-dasharray': '4 4' }),
    ...reliability.map(({ count, confidence, share }) =>
      element(
        'circle',
        {
          cx: x(confidence * 100),
          cy: y(share),
          r: radius(count, questions),
          fill: HEADLINE,
          'fill-opacity': 0.55,
          stroke: HEADLINE,
        },
        element('title', {}, `said ${percent(confidence)}, true ${percent(share)}, ${count} questions`),
      ),
    ),
  ],
});

const percent = (share: number): string => (share * 100).toFixed(1);

const legend = (curves: readonly Curve[], top: number): string[] =>
  curves.flatMap(({ row, colour, width }, i) => {
    const y = top + i * LEGEND_LINE;
    const text = `${row.group}: R@10 ${row.recallAt10.toFixed(1)} (${row.questions} questions)`;
    return [
      element('line', {
        x1: MARGIN.left,
        y1: y - 4,
        x2: MARGIN.left + 24,
        y2: y - 4,
        stroke: colour,
        'stroke-width': width,
      }),
      label(MARGIN.left + 32, y, text),
    ];
  });

const describe = ({ data, mode, measuredOn, evidence }: Report): string =>
  `${data}, ${mode}, ${measuredOn}. ${evidence
    .map(row => `${row.group}: ${DEPTHS.map(k => `R@${k} ${row[`recallAt${k}`].toFixed(1)}`).join(', ')}`)
    .join('. ')}`;

/**
 * Draws one SVG: recall@k by category as lines, and beside it how often the confidence came true. It contains
 * only the report: the same report gives the same picture.
 */
export const plot = (report: Report): string => {
  const curves = curvesOf(report);
  const second = MARGIN.left + SIDE + MARGIN.between;
  const below = MARGIN.top + SIDE + MARGIN.bottom + LEGEND_LINE;
  const width = second + SIDE + MARGIN.right;
  const height = below + curves.length * LEGEND_LINE;
  const { reliability, confidence } = report;
  const { questions } = confidence;
  const scores = scoresOf(confidence);
  const body = [
    element('title', { id: 'title' }, escaped(`Recall and confidence measured on ${report.data}`)),
    element('desc', { id: 'desc' }, escaped(`${describe(report)}. Confidence: ${scores}.`)),
    panel(MARGIN.left, recallPanel(curves)),
    panel(second, reliabilityPanel({ title: 'Reliability of confidence, percent', reliability, questions })),
    ...legend(curves, below),
    label(second, below, scores),
  ];
  return svg(width, height, body);
};

/** Writes `AUROC .., Brier .., ECE ..` of one calibration. */
export const scoresOf = ({
  auroc,
  brier,
  ece,
}: Pick<Report['confidence'], 'auroc' | 'brier' | 'ece'>): string =>
  `${Number.isNaN(auroc) ? '' : `AUROC ${auroc.toFixed(3)}, `}Brier ${brier.toFixed(3)}, ECE ${ece.toFixed(3)}`;

/** Draws several reliability diagrams side by side, with their names and scores. */
export const reliabilityPlot = (title: string, all: readonly Reliability[]): string => {
  const left = (i: number): number => MARGIN.left + i * (SIDE + MARGIN.between);
  const below = MARGIN.top + SIDE + MARGIN.bottom + LEGEND_LINE;
  const described = all.map(one => `${one.title}: ${one.scores}, ${one.questions} questions`).join('. ');
  return svg(left(all.length) - MARGIN.between + MARGIN.right, below + LEGEND_LINE, [
    element('title', { id: 'title' }, escaped(title)),
    element('desc', { id: 'desc' }, escaped(`${described}.`)),
    ...all.flatMap((one, i) => [panel(left(i), reliabilityPanel(one)), label(left(i), below, one.scores)]),
  ]);
};

const svg = (width: number, height: number, body: readonly string[]): string => {
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'aria-labelledby': 'title desc',
    'font-family': 'system-ui, sans-serif',
    'font-size': 12,
    fill: INK,
  };
  return `${element('svg', root, `\n${body.join('\n')}\n`)}\n`;
};
