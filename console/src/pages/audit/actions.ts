/** The audit log's actions, in words. */
import type { AuditEntry } from '../../api/types.ts';

type Action = AuditEntry['action'];

export const ACTIONS: Record<Action, string> = {
  'account.read': 'read the account',
  'audit.read': 'read the audit log',
  'keys.create': 'created a key',
  'keys.first_use': 'used a key for the first time',
  'keys.read': 'listed the keys',
  'keys.recover': 'recovered a key',
  'keys.revoke': 'revoked a key',
  'keys.rotate': 'rotated a key',
  'limits.set': 'set the limits',
  'memory.correct': 'corrected a fact',
  'memory.erase': 'erased',
  'memory.export': 'exported the organization',
  'memory.feed': 'followed the feed',
  'memory.feedback': 'judged a hit',
  'memory.import': 'imported an export',
  'memory.read': 'read the memory',
  'memory.recall': 'asked a recall',
  'memory.receipt': 'read a receipt',
  'memory.retract': 'hid something',
  'memory.write': 'stored something',
  'names.entity': 'corrected a name',
  'names.session': 'titled a conversation',
  'names.user': 'set the names of a user',
  'organization.create': 'created the organization',
  'organization.delete': 'confirmed the deletion of the organization',
  'organization.delete_ask': 'asked to delete the organization',
  'organization.delete_withdraw': 'took the deletion of the organization back',
  'retention.set': 'set the retention',
  'screening.set': 'set the screening',
  sign_in: 'signed in',
  'usage.read': 'read the usage',
  'webhooks.create': 'made a webhook',
  'webhooks.delete': 'deleted a webhook',
  'webhooks.read': 'listed the webhooks',
  'webhooks.resume': 'resumed a webhook',
};

/** Returns an action in words; the name of one that this console does not know. */
export const actionInWords = (action: string): string => ACTIONS[action as Action] ?? action;

export const OUTCOMES: Record<AuditEntry['outcome'], string> = {
  done: 'done',
  unchanged: 'nothing to change',
  refused: 'refused',
};
