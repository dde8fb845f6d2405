/** Prints a part's figures as a table: measurement, target and floor. */

export interface Figure {
  figure: string;
  measured: number;
  unit: string;
  /** Lower or upper limit. */
  target?: { least?: number; most?: number };
  floor?: number;
  note?: string;
}

export interface Part {
  title: string;
  figures: Figure[];
}

const digits = (value: number): number => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);

const written = (value: number | undefined, unit = ''): string => {
  if (value === undefined) return '–';
  if (Number.isNaN(value)) return 'unknown';
  if (value === Number.POSITIVE_INFINITY) return 'never';
  const text = value.toLocaleString('en-US', { maximumFractionDigits: digits(value) });
  return unit ? `${text} ${unit}` : text;
};

export const isMet = ({ measured, target }: Figure): boolean | undefined =>
  target &&
  measured >= (target.least ?? Number.NEGATIVE_INFINITY) &&
  measured <= (target.most ?? Number.POSITIVE_INFINITY);

const asked = ({ target, unit }: Figure): string => {
  if (target?.least !== undefined) return `≥ ${written(target.least, unit)}`;
  if (target?.most !== undefined) return `≤ ${written(target.most, unit)}`;
  return '–';
};

const verdict = (figure: Figure): string => {
  const met = isMet(figure);
  return met === undefined ? '' : met ? 'met' : 'MISSED';
};

const HEAD = ['figure', 'measured', 'target', 'floor', 'of floor', ''];

const rowOf = (figure: Figure): string[] => {
  const { measured, unit, floor, note } = figure;
  return [
    figure.figure,
    written(measured, unit),
    asked(figure),
    written(floor, floor === undefined ? '' : unit),
    floor ? written(measured / floor, '×') : '–',
    [verdict(figure), note].filter(Boolean).join(', '),
  ];
};

export const table = ({ title, figures }: Part): string => {
  const rows = [HEAD, ...figures.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  const line = (row: string[]): string =>
    row
      .map((cell, column) =>
        column === 0 || column === 5 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  return [
    title,
    line(HEAD),
    widths.map(width => '-'.repeat(width)).join('  '),
    ...rows.slice(1).map(line),
  ].join('\n');
};
