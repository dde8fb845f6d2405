/** The test that every integration passes, each with the real package and a model of the test's own. */
import { Turnstone } from '@turnstone/client';
import { expect, it } from 'vitest';
import type { Server } from '../support/processes/server.ts';

export interface Chat {
  /** Says something in a session. Resolves to the words that the model was told beside the conversation. */
  say(session: string, text: string): Promise<string>;
}

export const itRemembers = (server: () => Server, open: (user: string) => Chat): void =>
  it('remembers three turns, recalls them in a new session, and tells nothing of them once they are forgotten', async () => {
    const turnstone = new Turnstone({ baseUrl: server().url, apiKey: server().apiKey });
    const stored = async (session: string) =>
      (await Array.fromAsync(turnstone.memory.turns({ user: 'shared', session }))).map(
        ({ role, text }) => `${role}: ${text}`,
      );
    const chat = open('shared');
    expect(await chat.say('one', 'My boat is called Petrel.')).not.toContain('Petrel');
    await chat.say('one', 'I keep bees behind the barn.');
    await chat.say('one', 'My sister Grace lives in Lisbon.');
    // An answer doesn't wait for what is stored of it.
    await expect.poll(() => stored('one'), { timeout: 20_000 }).toHaveLength(6);
    expect((await stored('one')).filter(turn => turn.startsWith('user: '))).toEqual([
      'user: My boat is called Petrel.',
      'user: I keep bees behind the barn.',
      'user: My sister Grace lives in Lisbon.',
    ]);
    // In the words of the turn, or as the fact in it once that was found.
    expect(await chat.say('two', 'What is my boat called?')).toMatch(/boat.*Petrel/);
    expect(await open('stranger').say('two', 'What is my boat called?')).not.toContain('Petrel');
    await expect.poll(() => stored('two'), { timeout: 20_000 }).toHaveLength(2);
    await turnstone.forget({ user: 'shared' });
    expect(await chat.say('three', 'What is my boat called?')).not.toContain('Petrel');
  });
