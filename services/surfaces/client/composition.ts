import type { Backup } from '../../../core/operator/backup.ts';
import type { CallOperator } from '../../../core/operator/calls.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { ClusterConfig, Config } from '../../../schemas/config.ts';

export interface RunningService {
  address: { host: string; port: number };
  url: string;
  /** The key of the organization `local`; only set on the first start of the embedded service. */
  firstKey?: string | undefined;
  close(): Promise<void>;
}

/** The way to the service for operators: its own server, or its engines without one. */
export interface Operator {
  call: CallOperator;
  close(): Promise<void>;
}

/** The steps of a rotation of signing keys. Each throws a `ServiceError` with a message for people. */
export interface SigningKeyFile {
  list(): Promise<{ kid: string; state: string; added_at: string | null; signed_until: string | null }[]>;
  add(): Promise<string>;
  use(kid: string, force: boolean): Promise<void>;
  /** Returns the public half as a JWK. */
  retire(kid: string, force: boolean): Promise<object>;
}

/** The steps of a rotation of installation keys. Each throws a `ServiceError` with a message for people. */
export interface InstallationKeyFile {
  list(): { kid: string; state: string }[];
  add(): string;
  use(kid: string): boolean;
  assertUnused(kid: string, force: boolean): void;
  /** Returns the path of the file that holds it from now on. */
  retire(kid: string, force: boolean): string;
}

/**
 * The calls that commands need from the service itself; main.ts passes them in, so that nothing here imports
 * from a higher layer.
 */
export interface Composition {
  /** Starts the service; resolves when it listens. */
  serve(config: Config, log: Log): Promise<RunningService>;
  /** Opens the engines without serving. */
  openOffline(config: Config, log: Log): Promise<Operator>;
  /** Creates what is missing in the shared engines; reports each thing that it creates. */
  migrate(config: ClusterConfig, report: (made: string) => void): Promise<void>;
  /**
   * Copies a data folder into an empty one; `withKey`: with the installation's key. Throws a `ServiceError`.
   */
  backUp(folder: string, target: string, options: { withKey: boolean; version: string }): Promise<Backup>;
  /** Puts a copy in place of an empty data folder. `key`: the installation's key file, if elsewhere. */
  restore(copy: string, folder: string, key?: string): Promise<Backup>;
  /** The file of the signing keys: `file`, or the data folder's. */
  signingKeys(location: { dataDir: string; file: string | undefined }): Promise<SigningKeyFile>;
  /** The file of the installation's keys: the cluster's, or the data folder's. */
  installationKeys(config: Config): Promise<InstallationKeyFile>;
  /** Looks at a data folder without opening it. `fault`: why this release must not open it. */
  inspectFolder(dataDir: string): Promise<{ fault: string | undefined; isInUse: boolean }>;
  /**
   * Writes the secrets that a cluster shares into a directory, unless they exist; resolves with their paths.
   */
  makeSecrets(directory: string): Promise<{ installationKey: string; signingKeys: string }>;
}
