/** Each Python package with the real package that it is for, around a model of the test's own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithPython } from '../support/processes/python.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { installPythonPackage, type PythonChat, type PythonPackage } from './python-package.ts';
import { itRemembers } from './shared.ts';

for (const name of ['langchain', 'openai-agents-python', 'pydantic-ai'])
  describeWithPython(`integrations/${name}`, () => {
    let server: Server;
    let installed: PythonPackage;
    let chat: PythonChat;
    beforeAll(async () => {
      [server, installed] = await Promise.all([startServer(), installPythonPackage(name)]);
      chat = installed.chat(server);
    });
    afterAll(async () => {
      await chat?.stop();
      await server?.stop();
    });

    itRemembers(
      () => server,
      user => ({ say: (session, text) => chat.say(user, session, text) }),
    );

    it('passes its own tests', async () => {
      const stdout = await installed.test(server);
      console.log(stdout.trim());
      expect(stdout).toMatch(/\d+ passed in/);
      expect(stdout).not.toMatch(/skipped|failed|error/i);
    });

    it('is typed, linted and formatted', () => installed.check());
  });
