/** The test that every integration passes, each with the real package and a model of the test's own. */
import { Turnstone } from '@turnstone/client';
import { expect, it } from 'vitest';
import type { Server } from '../support/processes/server.ts';

export interface Chat {
  /** Says something in a session. Resolves to the words that the model was told beside the conversation. */
  say(session: string, text: string): Promise<string>;
  /** Resolves to what is stored of what was said. Default: the turns of the session, with the answers. */
  noted?(): Promise<string[]>;
}

export const itRemembers = (server: () => Server, open: (user: string) => Chat): void =>
  it('remembers three turns, recalls them in a new session, and tells nothing of them once they are forgotten', async () => {
    const turnstone = new Turnstone({ baseUrl: server().url, apiKey: server().apiKey });
    const stored = async (session: string) =>
      (await Array.fromAsync(turnstone.memory.turns({ user: 'shared', session }))).map(
        ({ role, text }) => `${role}: ${text}`,
      );
    const chat = open('shared');
    const said = [
      'My boat is called Petrel.',
      'I keep bees behind the barn.',
      'My sister Grace lives in Lisbon.',
    ];
    expect(await chat.say('one', said[0]!)).not.toContain('Petrel');
    await chat.say('one', said[1]!);
    await chat.say('one', said[2]!);
    if (chat.noted) expect(await chat.noted()).toEqual(said);
    else {
      // An answer doesn't wait for what is stored of it.
      await expect.poll(() => stored('one'), { timeout: 20_000 }).toHaveLength(6);
      expect((await stored('one')).filter(turn => turn.startsWith('user: '))).toEqual(
        said.map(text => `user: ${text}`),
      );
    }
    // In the words of the turn, or as the fact in it once that was found.
    expect(await chat.say('two', 'What is my boat called?')).toMatch(/boat.*Petrel/);
    expect(await open('stranger').say('two', 'What is my boat called?')).not.toContain('Petrel');
    if (!chat.noted) await expect.poll(() => stored('two'), { timeout: 20_000 }).toHaveLength(2);
    await turnstone.forget({ user: 'shared' });
    expect(await chat.say('three', 'What is my boat called?')).not.toContain('Petrel');
  });
