import { open, seal } from '../../../core/log/keys/sealing.ts';
import type { KeyStore } from '../../../core/ports.ts';
import type { WebhookDocument } from '../../../projections/accounts/webhooks.ts';

/**
 * Nobody's memory: no user that anybody names has an empty name. One key an organization seals the secrets of
 * all its webhooks, so that it is wrapped, rotated and backed up as the keys of its users are.
 */
const NOBODY = '';
const WEBHOOKS = 'webhooks';

const boundTo = (org: string, webhookId: string): string => `${org}\n${webhookId}`;

type Sealed = Pick<WebhookDocument, 'sealed_secret' | 'sealing_key'>;

export const sealSecret = async (
  keys: Pick<KeyStore, 'forSession'>,
  { org, id, secret }: { org: string; id: string; secret: string },
): Promise<Sealed> => {
  const { keyId, sealing } = await keys.forSession(org, NOBODY, WEBHOOKS);
  const sealed = seal(sealing, secret, boundTo(org, id));
  return { sealed_secret: sealed.toString('base64'), sealing_key: keyId };
};

/** Throws where its key is lost. */
export const openSecret = async (
  keys: Pick<KeyStore, 'byId'>,
  { org_id, webhook_id, sealed_secret, sealing_key }: WebhookDocument,
): Promise<string> => {
  const key = await keys.byId(sealing_key);
  if (!key) throw new Error('the key that seals the secret of a webhook is lost');
  return open(key, Buffer.from(sealed_secret, 'base64'), boundTo(org_id, webhook_id)).toString();
};
