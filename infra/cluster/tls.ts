import type { ConnectionOptions } from 'node:tls';

/** PEM texts: the authorities to trust instead of the system's, and the client's certificate and key. */
export interface TlsFiles {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

/** Returns options of Node's TLS that verify the server's certificate and name. */
export const tlsOptions = ({ ca, cert, key }: TlsFiles = {}): ConnectionOptions => ({
  ...(ca !== undefined && { ca }),
  ...(cert !== undefined && { cert }),
  ...(key !== undefined && { key }),
});

interface Fault {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
}

const FAULTS_OF_TLS =
  /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w+_CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|HOSTNAME_MISMATCH|EPROTO)$/;

/** Returns the name of a TLS fault in an error or its causes, for operators; undefined if there is none. */
const tlsFaultOf = (error: unknown): string | undefined => {
  for (let at = error as Fault | undefined, depth = 0; at && depth < 8; depth++) {
    if (typeof at.code === 'string' && FAULTS_OF_TLS.test(at.code)) return at.code;
    // Elasticsearch's client passes on the message alone.
    if (at.message && /certificate/i.test(String(at.message))) return 'its certificate is not accepted';
    at = at.cause as typeof at;
  }
  return undefined;
};

/** Adds the TLS fault to a message, if the error has one. */
export const withTlsFault = (message: string, error: unknown): string => {
  const fault = tlsFaultOf(error);
  return fault === undefined ? message : `${message.replace(/\.$/, '')} (${fault})`;
};
