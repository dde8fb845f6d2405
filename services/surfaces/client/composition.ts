import type { ClusterConfig, Config } from '../../../schemas/config.ts';
import type { Log } from '../../core/watch/logger.ts';

export interface RunningService {
  address: { host: string; port: number };
  url: string;
  /** The key of the organization `local`; only set on the first start of the embedded service. */
  firstKey?: string | undefined;
  close(): Promise<void>;
}

export interface Limits {
  tokens_in: number;
  tokens_out: number;
}

export interface Retention {
  /** null: for ever. */
  days: number | null;
  next: { days: number | null; in_force_at: string } | null;
}

export interface Organization {
  org_id: string;
  created_at: string;
  limits: Limits;
  retention: Retention;
}

/** The operations that an operator may call. */
export interface Operator {
  organizations(): Promise<Organization[]>;
  setLimits(org: string, limits: Limits): Promise<unknown>;
  setRetention(org: string, days: number | null): Promise<Retention>;
  createOrganization(org: string): Promise<{ api_key: string }>;
  /** A new key with every role for an organization that has lost its last one. */
  recoverKey(org: string): Promise<{ id: string; api_key: string }>;
  /** See services/core/ports/operator-calls.ts. Throws a failure with a message for people. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): AsyncIterable<object>;
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

/** What commands need from the service itself; main.ts passes it in, so that nothing here imports from a higher layer. */
export interface Composition {
  /** Starts the service; resolves when it listens. */
  serve(config: Config, log: Log): Promise<RunningService>;
  /** Opens the engines without serving. */
  openOffline(config: Config, log: Log): Promise<Operator>;
  /** Creates what is missing in the shared engines; reports each thing that it creates. */
  migrate(config: ClusterConfig, report: (made: string) => void): Promise<void>;
  /** The file of the signing keys: `file`, or the data folder's. */
  signingKeys(place: { dataDir: string; file: string | undefined }): Promise<SigningKeyFile>;
  /** The file of the installation's keys: the cluster's, or the data folder's. */
  installationKeys(config: Config): Promise<InstallationKeyFile>;
  /** Writes the secrets that a cluster shares into a directory, unless they exist; resolves with their paths. */
  makeSecrets(directory: string): Promise<{ installationKey: string; signingKeys: string }>;
}
