/** Records that no projector can take, of every kind, each with the step and the reason that it is set aside with. */
import { serialiseEnvelope } from '../../schemas/events/envelope.ts';

export interface PoisonRecord {
  step: 'parse' | 'open' | 'validate';
  reason: string;
  value: Uint8Array;
}

const text = new TextEncoder();
const plain = (changes: object): Uint8Array =>
  serialiseEnvelope({
    id: 'rcl_poison',
    type: 'recall.metered',
    version: 1,
    org_id: 'local',
    recorded_at: '2026-03-10T08:00:00.000Z',
    correlation_id: 'none',
    key_id: null,
    data: { user_id: 'owner', tokens_in: 1_000_000, tokens_out: 0 },
    ...changes,
  });

const NOT_JSON = 'not UTF-8 JSON';
const SWAPPED = 'sealed and plain are swapped';
const SHUT = 'data does not open under its key';

/** `sealed`: the bytes of a good turn. */
export const poisonOf = (sealed: Uint8Array): PoisonRecord[] => {
  const good = JSON.parse(new TextDecoder().decode(sealed));
  const flipped = Buffer.from(good.data, 'base64');
  flipped[flipped.length >> 1]! ^= 1;
  const changed = (changes: object): Uint8Array => text.encode(JSON.stringify({ ...good, ...changes }));
  const records: [PoisonRecord['step'], string, Uint8Array][] = [
    ['parse', NOT_JSON, text.encode('no JSON at all')],
    ['parse', NOT_JSON, Uint8Array.from([0xff, 0xfe, 0x00])],
    ['validate', 'envelope: / required', text.encode('{}')],
    ['validate', 'unknown event type', plain({ type: 'turn.invented' })],
    ['validate', 'unknown event type', plain({ type: 'constructor' })],
    ['validate', 'unknown event version', plain({ version: 2 })],
    ['validate', 'unknown event version', changed({ version: 99 })],
    [
      'validate',
      'data: /tokens_in minimum',
      plain({ data: { user_id: 'owner', tokens_in: -5, tokens_out: 0 } }),
    ],
    ['validate', 'data: / type', plain({ data: 'sealed?' })],
    ['validate', SWAPPED, plain({ type: 'turn.recorded' })],
    ['validate', SWAPPED, plain({ key_id: good.key_id })],
    ['open', SHUT, changed({ data: flipped.toString('base64') })],
    // Moved to another event: whole, and not where it belongs.
    ['open', SHUT, changed({ id: `trn_${'0'.repeat(32)}` })],
    ['open', SHUT, changed({ org_id: 'another' })],
    ['open', SHUT, changed({ data: '' })],
  ];
  return records.map(([step, reason, value]) => ({ step, reason, value }));
};
