import type { StoredFragment } from '../../../../core/ports.ts';
import { NO_TERMS } from '../../../../domain/filter/terms.ts';
import { SHOWN } from '../../../../projections/recall/columns.ts';
import { fragmentBy } from '../../../../projections/recall/recall-row.ts';
import { valueIn } from '../stored-columns.ts';
import { termsOfBytes } from '../write/recall/metadata.ts';

const KINDS = ['turn', 'observation'] as const;

const shown = new Set(KINDS.flatMap(kind => SHOWN[kind].map(({ name }) => `f.${name}`)));
/** The columns that `fragmentOf` reads, from fragments f, their sessions s and their scopes p. */
export const FRAGMENT = ['f.no', 'f.kind', 's.name AS session', 'p.user', ...shown].join(', ');

export const JOINED = 'JOIN sessions s ON s.no = f.session JOIN scopes p ON p.no = f.partition';

/** Selects the columns of `FRAGMENT` for fragments chosen earlier, even if they have expired since. */
export const selectChosen = `SELECT ${FRAGMENT} FROM main.fragments f ${JOINED}`;

/** Returns a query for fragments with the columns of `fragmentOf`, and with `more` columns of the row. */
export const selectFragments = (...more: readonly string[]): string =>
  `SELECT ${[...more, FRAGMENT].join(', ')} FROM fragments f ${JOINED}`;

export const fragmentOf = (row: Readonly<Record<string, unknown>>): StoredFragment => {
  const owner = { user: String(row.user), session: String(row.session) };
  const fragment = fragmentBy(KINDS[Number(row.kind)] ?? 'turn', owner, column => valueIn(row, column));
  return { key: Number(row.no), ...fragment };
};

/** The column of the metadata terms of fragments f, which `termsIn` reads. */
export const TERMS = '(SELECT terms FROM metadata WHERE no = f.metadata) AS terms';
export const termsIn = ({ terms }: Readonly<Record<string, unknown>>): readonly string[] =>
  terms === null ? NO_TERMS : termsOfBytes(terms);
