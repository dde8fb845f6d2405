/** An import of many conversations, and how far it has come. */
import { zipFile } from '../support/files/exports.ts';
import { runCommand } from '../support/processes/command-line.ts';
import type { Server } from '../support/processes/server.ts';

export const environmentOf = ({ url, apiKey, dataDir }: Server) => ({
  TURNSTONE_URL: url,
  TURNSTONE_API_KEY: apiKey,
  TURNSTONE_DATA_DIR: dataDir,
});

export const tokensIn = (stdout: string, before: RegExp): number =>
  Number(before.exec(stdout)![1]!.replaceAll(',', ''));

export const CONVERSATIONS = 400;
export const manyConversations = (): Promise<string> =>
  zipFile('claude.zip', {
    'conversations.json': JSON.stringify(
      Array.from({ length: CONVERSATIONS }, (_, index) => ({
        uuid: `c${index}`,
        name: `Conversation ${index}`,
        chat_messages: ['human', 'assistant', 'human'].map((sender, place) => ({
          uuid: `m${place}`,
          sender,
          created_at: `2026-01-01T00:00:0${place}Z`,
          text: `Number ${index} of the ${place === 1 ? 'answers' : 'questions'} at place ${place}.`,
        })),
      })),
    ),
  });

/** Turns by the log: an export of events has each that was written. */
export const turnsOnTheLog = async (server: Server): Promise<number> => {
  const { stdout } = await runCommand(['export', '--org', 'local'], environmentOf(server));
  return stdout.split('\n').filter(line => line.includes('"type":"turn.recorded"')).length;
};
