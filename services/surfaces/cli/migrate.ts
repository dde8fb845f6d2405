import { loadedConfig } from '../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../client/exit.ts';
import { print, type Terminal } from '../client/terminal.ts';

/** `turnstone migrate`: creates missing topics, indices and tables; safe to repeat. */
export const migrate = async (terminal: Terminal): Promise<ExitStatus> => {
  const config = loadedConfig(terminal);
  if (!config.cluster)
    throw failure(EXIT.config, 'embedded mode has nothing to migrate; set TURNSTONE_MODE=cluster');
  let made = 0;
  const say = (line: string): void => {
    made++;
    print(terminal, line);
  };
  await terminal.composition.migrate(config.cluster, say).catch(error => {
    throw failure(
      EXIT.unavailable,
      error instanceof Error ? error.message : 'an engine does not answer',
      error,
    );
  });
  print(terminal, made === 0 ? 'everything exists already' : 'done');
  return EXIT.ok;
};
