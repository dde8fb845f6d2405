/**
 * Certificates that a test makes: an authority, a server's for 127.0.0.1 and localhost, and a client's. By
 * openssl.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../processes/server.ts';

/** Paths of PEM files. */
export interface Certificates {
  ca: string;
  serverCert: string;
  serverKey: string;
  /** Key and certificate in one file, as Kafka takes them. */
  serverStore: string;
  clientCert: string;
  clientKey: string;
  /** An authority that signed none of them. */
  stranger: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });

export const makeCertificates = (): Certificates => {
  const folder = temporaryFolder();
  const path = (name: string): string => join(folder, name);
  const authority = (name: string): void =>
    openssl(
      'req',
      '-x509',
      ...KEY,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      path(`${name}.key`),
      '-out',
      path(`${name}.pem`),
    );
  const signed = (name: string, extensions: string): void => {
    writeFileSync(path(`${name}.ext`), extensions);
    openssl(
      'req',
      ...KEY,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      path(`${name}.key`),
      '-out',
      path(`${name}.csr`),
    );
    const by = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial', '-days', '2'];
    openssl(
      'x509',
      '-req',
      '-in',
      path(`${name}.csr`),
      ...by,
      '-extfile',
      path(`${name}.ext`),
      '-out',
      path(`${name}.pem`),
    );
  };
  authority('ca');
  authority('stranger');
  signed('server', 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  signed('client', 'extendedKeyUsage=clientAuth\n');
  const text = (name: string): string => readFileSync(path(name), 'utf8');
  writeFileSync(path('server-store.pem'), `${text('server.key')}${text('server.pem')}`);
  return {
    ca: path('ca.pem'),
    serverCert: path('server.pem'),
    serverKey: path('server.key'),
    serverStore: path('server-store.pem'),
    clientCert: path('client.pem'),
    clientKey: path('client.key'),
    stranger: path('stranger.pem'),
  };
};
