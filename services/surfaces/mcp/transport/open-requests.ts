import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

const answeredBy = (message: JSONRPCMessage): RequestId | undefined =>
  'id' in message && !('method' in message) ? message.id : undefined;

/** Returns the id of the request that a message cancels: it gets no answer. */
const cancelledBy = (message: JSONRPCMessage): RequestId | undefined =>
  CancelledNotificationSchema.safeParse(message).data?.params.requestId;

/** Watches an unconnected transport. The returned function resolves when all requests so far are answered. */
export const watchRequests = (transport: Transport): (() => Promise<void>) => {
  const open = new Set<RequestId>();
  const waiting: (() => void)[] = [];
  const close = (id: RequestId | undefined): void => {
    if (id !== undefined) open.delete(id);
    if (open.size === 0) for (const resolve of waiting.splice(0)) resolve();
  };

  transport.onmessage = message => {
    if (isJSONRPCRequest(message)) open.add(message.id);
    else close(cancelledBy(message));
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    close(answeredBy(message));
  };

  return () =>
    new Promise(resolve => {
      waiting.push(resolve);
      close(undefined);
    });
};
