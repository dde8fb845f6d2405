import { expect } from 'vitest';
import type { Reply } from './app.ts';

/** Every refusal has the contract's body, a correlation id, and no trace of what serves it. */
export const expectRefusal = (reply: Reply, status: number): void => {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(reply.json).sort()).toEqual(['details', 'error', 'message', 'request_id', 'timestamp']);
  expect(reply.json).toMatchObject({ error: `HTTP ${status}`, message: expect.any(String) });
  expect(reply.json.timestamp).toBe(new Date(reply.json.timestamp).toISOString());
  expect(reply.json.request_id).toBe(reply.headers.get('x-correlation-id'));
  expect(reply.headers.get('x-powered-by')).toBeNull();
  expect(reply.text).not.toMatch(/<html|node_modules|\\n +at |\.ts\b/);
};
