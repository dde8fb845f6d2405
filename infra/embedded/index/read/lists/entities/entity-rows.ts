import type { ListedEntity, NamedEntity } from '../../../../../../core/ports.ts';

/** The columns of an entity, as the statements of lists read them. */
export const COLUMNS = 'e.id, e.normalised, e.label, e.kind';

export type Row = Record<string, unknown>;

/** The last entity of the page before. */
export interface Cursor {
  user: string;
  normalised: string;
}

/** Makes a function that yields to other calls when this one has run for long enough. */
export type Pace = () => () => Promise<void>;

export const namedOf = (row: Record<string, unknown>, user: string): NamedEntity => ({
  user,
  id: String(row.id),
  label: String(row.label),
  kind: String(row.kind),
});

export const entityOf = (row: Record<string, unknown>, user: string): ListedEntity => ({
  ...namedOf(row, user),
  normalised: String(row.normalised),
  turns: Number(row.turns ?? 0),
});
