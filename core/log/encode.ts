import {
  type Envelope,
  type FrameHead,
  serialiseEnvelope,
  serialiseHead,
  serialiseSealedEnvelope,
} from '../../schemas/events/envelope.ts';
import { type Registry, registry } from '../../schemas/events/registry.ts';
import type { SessionKey } from '../ports.ts';
import { seal } from './keys/sealing.ts';
import { packBody } from './packed-body.ts';

export interface NewEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  correlation_id: string;
  expires_at?: string | undefined;
  kept_from?: string | undefined;
  data: object;
}

/** Returns the associated data of a sealed text. */
export const associatedData = (
  event: Pick<NewEvent, 'id' | 'type' | 'org_id' | 'expires_at' | 'kept_from'>,
): string => {
  const { type, id, org_id, expires_at, kept_from } = event;
  const expiry = expires_at ?? kept_from;
  return [
    type,
    id,
    org_id,
    ...(expiry === undefined ? [] : [expires_at === undefined ? 'kept from' : 'expires at', expiry]),
  ].join('\n');
};

/** Returns the event's expiry fields, as far as they are set. */
export const expiryIn = ({ expires_at, kept_from }: Pick<NewEvent, 'expires_at' | 'kept_from'>) => ({
  ...(expires_at !== undefined && { expires_at }),
  ...(kept_from !== undefined && { kept_from }),
});

/**
 * Returns the bytes of an event in the log, sealed if a key is given.
 *
 * @param known another build's registry, for tests
 */
export const encodeEvent = (
  event: NewEvent,
  key?: Pick<SessionKey, 'keyId' | 'sealing'>,
  known: Registry = registry,
): Uint8Array => {
  const envelope: Omit<Envelope, 'data'> = {
    id: event.id,
    type: event.type,
    version: known.currentVersion(event.type),
    org_id: event.org_id,
    recorded_at: event.recorded_at,
    correlation_id: event.correlation_id,
    key_id: key?.keyId ?? null,
    ...expiryIn(event),
  };
  if (!key) return serialiseEnvelope({ ...envelope, data: event.data });
  return serialiseSealedEnvelope(
    envelope,
    seal(key.sealing, JSON.stringify(event.data), associatedData(event)),
  );
};

/**
 * Returns the bytes of a record of several events, sealed together.
 *
 * @param known another build's registry, for tests
 */
export const encodeFrame = (
  head: Omit<FrameHead, 'version' | 'key_id' | 'user_key'>,
  body: object,
  key: Pick<SessionKey, 'keyId' | 'userKeyId' | 'sealing'>,
  known: Registry = registry,
): Uint8Array => {
  const clear = serialiseHead({
    ...head,
    version: known.currentFrame(head.type),
    key_id: key.keyId,
    ...(key.userKeyId !== undefined && { user_key: key.userKeyId }),
  });
  return Buffer.concat([clear, seal(key.sealing, packBody(body), clear)]);
};
