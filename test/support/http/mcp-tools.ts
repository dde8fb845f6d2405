/** The MCP server's tools in front of a scripted service. */
import { afterEach } from 'vitest';
import type { Named } from '../../../services/surfaces/mcp/memory/memory.ts';
import { callerInProcess, type McpCaller } from './mcp.ts';
import { type Script, type SeenRequest, type StubService, startStub } from './stub-service.ts';

export const recalled = (timeline: string | null = null, turns: object[] = []) => ({
  hits: { turns, observations: [], entities: [] },
  confidence: timeline === null ? 0 : 0.7,
  timeline,
  context: null,
  mode: 'active',
  usage: { tokens_in: 1, tokens_out: 1 },
});

export const answering =
  (path: string, status: number, body: unknown): Script =>
  request =>
    request.path.startsWith(path) ? { status, body } : undefined;

/** A service for each test of a file, closed after it: called once, where the file begins. */
export const toolsOnStub = () => {
  let stub: StubService | undefined;
  const close = async (): Promise<void> => {
    await stub?.close();
    stub = undefined;
  };
  afterEach(close);

  const connected = async (
    script: Script = () => undefined,
    defaults: Named = {},
    claims?: object,
    clock?: () => number,
  ): Promise<McpCaller> => {
    await close();
    stub = await startStub(script, claims);
    return callerInProcess(stub.url, defaults, clock);
  };
  return {
    connected,
    seen: (): SeenRequest[] => stub!.seen,
    lastSeen: (): SeenRequest => stub!.seen.at(-1)!,
    paths: (): string[] => stub!.paths(),
  };
};
