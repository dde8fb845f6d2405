import type { DatabaseSync } from 'node:sqlite';
import type { Document } from '../../../projections/recall/document.ts';
import type { Indexed } from '../../../projections/recall/tail/indexed.ts';
import { makeRecent } from '../../../projections/recall/tail/recent.ts';
import { ErasedMeanwhile } from '../../../services/core/errors.ts';
import type { StoredFragment } from '../../../services/core/ports.ts';
import { idOfBytes } from './projections-database.ts';

/** Decoded documents kept in memory: they never change. About 1 KiB each. */
const CACHED = 6_000;

type DocumentRow = [number, string, number, number, number, number, string, Uint8Array];

export interface FragmentReader {
  /** In the order of their numbers. */
  read(numbers: readonly number[]): Indexed[];
  /** Throws `ErasedMeanwhile`. */
  stored(number: number): StoredFragment;
}

/** The columns that `storedFragment` takes; for reads beside the fragment reader too. */
export const STORED_COLUMNS = `SELECT f.no, f.id, f.kind, f.timestamp, f.turn, f.source, f.role, f.text, s.name AS session, p.user
  FROM fragments f JOIN sessions s ON s.no = f.session JOIN scopes p ON p.no = f.partition`;

export const storedFragment = (row: Record<string, unknown>): StoredFragment => {
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
    }),
  };
};

export const openFragmentReader = (
  reader: DatabaseSync,
  decodeDocument: (bytes: Uint8Array) => Document,
): FragmentReader => {
  const readMany = reader.prepare(
    `SELECT no, lower(hex(id)), session, timestamp, recorded, kind, role, document FROM fragments
     WHERE no IN (SELECT value FROM json_each(?))`,
  );
  readMany.setReturnArrays(true);
  const readOne = reader.prepare(`${STORED_COLUMNS} WHERE f.no = ?`);
  const recent = makeRecent<number, Indexed>(CACHED);

  return {
    read: numbers => {
      const found: Indexed[] = [];
      const missing: number[] = [];
      for (const number of numbers) {
        const entry = recent.get(number);
        if (entry) found.push(entry);
        else missing.push(number);
      }
      if (missing.length > 0) {
        const rows = readMany.all(JSON.stringify(missing)) as unknown as DocumentRow[];
        for (const [number, id, session, timestamp, recorded, kind, role, bytes] of rows) {
          const document = decodeDocument(bytes);
          found.push(recent.set(number, { number, id, session, timestamp, recorded, kind, role, document }));
        }
        found.sort((a, b) => a.number - b.number);
      }
      return found;
    },
    stored: number => {
      const row = readOne.get(number);
      if (!row) throw new ErasedMeanwhile();
      return storedFragment(row);
    },
  };
};
