/** The largest writes that the contract takes, each near the limit of a body and none a repetition. */
import type { IngestBody } from '../../schemas/http/ingestion.ts';

type Turns = IngestBody['turns'];

/** Four bytes of UTF-8, two units of UTF-16. */
const ASTRAL = '𝔘';
const BODY_BYTES = 4 * 1024 * 1024;
const TEXT = 65_536;
const OBSERVATION = 4_096;

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();

/** A text of exactly `length` characters that begins with `head`. */
const filled = (head: string, character: string, length: number): string =>
  head + character.repeat(length - head.length);

/** Three turns of one token, with as many and as long observations as there may be. */
const observations = (n: number): Turns =>
  Array.from({ length: 3 }, (_, turn) => ({
    role: 'user',
    text: `${n % 10}`,
    timestamp: at(n * 3 + turn),
    observations: Array.from({ length: 64 }, (_, i) => filled(`w${n} t${turn} o${i} `, ASTRAL, OBSERVATION)),
  }));

/** As many turns of the longest text as fit. */
const texts =
  (character: string) =>
  (n: number): Turns => {
    const bytes = Buffer.byteLength(character) * TEXT + 200;
    return Array.from({ length: Math.min(1_000, Math.floor(BODY_BYTES / bytes)) }, (_, turn) => ({
      role: 'user',
      text: filled(`w${n} t${turn} `, character, TEXT),
      timestamp: at(n * 100 + turn),
    }));
  };

/** Many turns of many different words. */
const words = (n: number): Turns =>
  Array.from({ length: 60 }, (_, turn) => {
    let text = '';
    for (let i = 0; text.length < TEXT - 40; i++) text += `Word${n}x${turn}x${i.toString(36)} Said it. `;
    return { role: 'user', text, timestamp: at(n * 100 + turn) };
  });

export const FORMS = {
  observations,
  'astral texts': texts(ASTRAL),
  'one long word': texts('a'),
  'one long name': texts('A'),
  'only punctuation': texts('.'),
  'many names': words,
} as const;

export type Form = keyof typeof FORMS;

/** The body of the nth write of a form, with as much metadata as there may be. */
export const largestWrite = (form: Form, n: number): string =>
  JSON.stringify({
    scope: { org_id: 'any', user_id: `hostile-${n % 5}` },
    turns: FORMS[form](n),
    metadata: { note: `${n} ${'m'.repeat(16_000)}` },
  });
