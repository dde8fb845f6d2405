import { ENGINES, type EngineName, type FoundEngines, URL_VARIABLES } from './engine-urls.ts';

export interface Docker {
  /** Resolves with the engine's URL when it answers. */
  start(name: EngineName): Promise<string>;
  /** Removes what `start` made, also what did not come up. */
  close(): Promise<void>;
}

/** Returns the first line of a container engine's error: the whole is long, and this line names the fault. */
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!.trim();

/**
 * Each engine from the environment, or else from a container, which `stop` ends. `askDocker` resolves with
 * undefined when no Docker engine answers, and is asked only when the environment leaves an engine out.
 */
export const findEngines = async (
  environment: Record<string, string | undefined>,
  askDocker: () => Promise<Docker | undefined>,
): Promise<FoundEngines & { stop(): Promise<void> }> => {
  const urls: FoundEngines['urls'] = {};
  const missing: FoundEngines['missing'] = {};
  for (const name of ENGINES) {
    const url = environment[URL_VARIABLES[name]];
    if (url) urls[name] = url;
  }

  const wanted = ENGINES.filter(name => !urls[name]);
  const docker = wanted.length > 0 ? await askDocker() : undefined;
  const start = async (name: EngineName): Promise<void> => {
    if (!docker) {
      missing[name] =
        `${wanted.map(each => URL_VARIABLES[each]).join(', ')} not set, and no Docker engine answers`;
      return;
    }
    try {
      urls[name] = await docker.start(name);
    } catch (error) {
      missing[name] = `its container did not start (${firstLine(error)})`;
    }
  };
  await Promise.all(wanted.map(start));

  return { urls, missing, stop: async () => docker?.close() };
};
