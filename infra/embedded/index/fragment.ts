import type { Corrected, StoredFact } from '../../../projections/facts/stored-fact.ts';
import { NO_TERMS } from '../../../projections/filter/terms.ts';
import type { StoredFragment } from '../../../services/core/ports.ts';
import { idOfBytes } from './projections-database.ts';
import { termsOfBytes } from './write/metadata.ts';

/** The columns that `fragmentOf` reads, from fragments f, their sessions s and their scopes p. */
export const FRAGMENT =
  'f.no, f.id, f.kind, f.timestamp, f.turn, f.source, f.role, f.text, f.fact, f.corrects, f.corrects_key, s.name AS session, p.user';

const JOINED = 'JOIN sessions s ON s.no = f.session JOIN scopes p ON p.no = f.partition';

/** The same for fragments that were chosen before, whether or not they have expired since. */
export const selectChosen = `SELECT ${FRAGMENT} FROM main.fragments f ${JOINED}`;

/** A query for fragments with the columns of `fragmentOf`, and with `more` columns of the row. */
export const selectFragments = (...more: readonly string[]): string =>
  `SELECT ${[...more, FRAGMENT].join(', ')} FROM fragments f ${JOINED}`;

export const correctedOf = ({
  corrects,
  corrects_key: key,
}: Readonly<Record<string, unknown>>): Corrected => ({
  id: idOfBytes('obs_', corrects as Uint8Array),
  ...(key !== null && { key: String(key) }),
});

export const fragmentOf = (row: Readonly<Record<string, unknown>>): StoredFragment => {
  const kind = Number(row.kind) === 1 ? 'observation' : 'turn';
  return {
    key: Number(row.no),
    id: idOfBytes(kind === 'turn' ? 'trn_' : 'obs_', row.id as Uint8Array),
    kind,
    user: String(row.user),
    session: String(row.session),
    role: String(row.role),
    text: Buffer.from(row.text as Uint8Array).toString(),
    timestamp: Number(row.timestamp),
    ...(kind === 'observation' && {
      sourceTurnId: idOfBytes('trn_', row.turn as Uint8Array),
      source: String(row.source) as 'client' | 'rules' | 'llm',
      ...(row.fact !== null && { fact: JSON.parse(String(row.fact)) as StoredFact }),
      ...(row.corrects !== null && { corrects: correctedOf(row) }),
    }),
  };
};

/** A column with the terms of the metadata of fragments f, which `termsIn` reads. */
export const TERMS = '(SELECT terms FROM metadata WHERE no = f.metadata) AS terms';
export const termsIn = ({ terms }: Readonly<Record<string, unknown>>): readonly string[] =>
  terms === null ? NO_TERMS : termsOfBytes(terms);
