/**
 * The composition root, which main.ts passes to the command line. Each part is loaded when a command needs
 * it.
 */
import type { Composition } from '../surfaces/client/composition.ts';

export const composition: Composition = {
  serve: async (config, log) => (await import('./serve.ts')).serve(config, log),
  openOffline: async (config, log) => (await import('./offline.ts')).openOffline(config, log),
  migrate: async (config, report) => (await import('../cluster/open.ts')).migrateEngines(config, report),
  backUp: async (...args) => (await import('../embedded/backups.ts')).backUp(...args),
  restore: async (...args) => (await import('../embedded/backups.ts')).restore(...args),
  installationKeys: async config => (await import('../cluster/secrets.ts')).installationKeyFile(config),
  signingKeys: async location => (await import('../cluster/secrets.ts')).signingKeyFile(location),
  inspectFolder: async dataDir => (await import('../embedded/inspect-folder.ts')).inspectFolder(dataDir),
  makeSecrets: async directory => (await import('../cluster/secrets.ts')).makeSecrets(directory),
};
