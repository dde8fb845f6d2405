/** Records that no projector can take, of every kind, each with the step and reason it is set aside with. */
import {
  type FrameHead,
  parseEnvelope,
  serialiseEnvelope,
  serialiseHead,
  splitFrame,
} from '../../../schemas/events/envelope.ts';

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

/** `frame`: the bytes of a good write. */
export const poisonOf = (frame: Uint8Array): PoisonRecord[] => {
  const { events, ...head } = parseEnvelope(frame) as FrameHead;
  const { id, tokens } = events[1]!;
  // A title that no key opens.
  const data = Buffer.from('words that nobody has sealed under the key').toString('base64');
  const good = { ...head, id: 'cor_poison', type: 'session.titled', version: 1, data };
  const { body } = splitFrame(frame);
  const reframed = (changes: object): Uint8Array =>
    Buffer.concat([serialiseHead({ ...head, events, ...changes }), body]);
  const flipped = Buffer.from(frame);
  flipped[flipped.length - 20]! ^= 1;
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
    // An event of a frame, outside of one.
    ['validate', 'unknown event type', plain({ type: 'turn.recorded' })],
    ['validate', SWAPPED, plain({ type: 'session.titled' })],
    ['validate', SWAPPED, plain({ key_id: good.key_id })],
    ['open', SHUT, changed({})],
    ['open', SHUT, changed({ data: '' })],
    ['parse', NOT_JSON, frame.subarray(0, 40)],
    ['validate', 'unknown event type', reframed({ type: 'constructor' })],
    ['validate', 'unknown event version', reframed({ version: 2 })],
    ['validate', 'envelope: /events minItems', reframed({ events: [] })],
    ['open', SHUT, flipped],
    ['open', SHUT, frame.subarray(0, frame.length - 1)],
    // Moved to another event: whole, and not where it belongs.
    ['open', SHUT, reframed({ events: [events[0]!, { id: `trn_${'0'.repeat(32)}`, tokens }] })],
    ['open', SHUT, reframed({ events: [events[0]!, { id, tokens: 0 }] })],
    ['open', SHUT, reframed({ org_id: 'another' })],
  ];
  return records.map(([step, reason, value]) => ({ step, reason, value }));
};
