/** `turnstone import` in front of a scripted service, with a data folder of its own. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type Script, type StubService, startStub } from '../http/stub-service.ts';
import { runCommand } from '../processes/command-line.ts';
import { temporaryFolder } from '../processes/server.ts';

export interface Body {
  scope: { org_id: string; user_id?: string; session_id?: string };
  turns: { role: string; text: string; timestamp: string }[];
}

/** A data folder for each test of a file and, once started, a service: called once, where the file begins. */
export const importsOnStub = () => {
  const folders = temporaryFolder();
  let stub: StubService | undefined;
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(folders, 'data-'));
  });
  const close = async (): Promise<void> => {
    await stub?.close();
    stub = undefined;
  };
  afterEach(close);

  const environment = () => ({
    TURNSTONE_URL: stub?.url ?? 'http://127.0.0.1:1',
    TURNSTONE_API_KEY: 'key',
    TURNSTONE_DATA_DIR: dataDir,
  });
  return {
    /** Replaces a service that was started before. */
    startService: async (script?: Script): Promise<void> => {
      await close();
      stub = await startStub(script);
    },
    environment,
    importing: (...args: string[]) => runCommand(['import', ...args], environment()),
    bodies: (): Body[] =>
      stub!.seen.filter(({ path }) => path === '/ingestion/memory').map(({ body }) => body as Body),
    seen: () => stub!.seen,
    dataDir: () => dataDir,
  };
};
