/**
 * A broker of a test's own, with listeners that want TLS, a client's certificate, or SASL. Its jars are those
 * of TURNSTONE_TEST_KAFKA_LIBS, or else those that the script of TURNSTONE_TEST_ENGINES downloaded.
 */
import { execFileSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../processes/server.ts';
import { until } from '../wait.ts';
import type { Certificates } from './certificates.ts';
import { freePorts, startChild } from './child-engine.ts';

const cache = process.env.ENGINES_CACHE ?? join(homedir(), '.cache/turnstone-engines');
/** Undefined where there are no jars. */
export const kafkaLibs: string | undefined =
  process.env.TURNSTONE_TEST_KAFKA_LIBS ??
  globSync('kafka-*/**/kafka-clients-*.jar', { cwd: cache }).map(jar => dirname(join(cache, jar)))[0];

export const USER = 'turnstone';
export const PASSWORD = "pass word; 'quoted'";

export interface OwnKafka {
  plain: string;
  tls: string;
  mutual: string;
  sasl: string;
  /** Where it keeps its records. */
  folder: string;
  close(): Promise<void>;
}

const JAAS = 'org.apache.kafka.common.security';

/** `more`: settings of the broker. */
export const startOwnKafka = async (
  certificates: Certificates,
  more: Record<string, string | number> = {},
): Promise<OwnKafka> => {
  const folder = temporaryFolder();
  const [plain, tls, mutual, sasl, controller] = (await freePorts(5)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const listeners = { PLAINTEXT: plain, TLS: tls, MUTUAL: mutual, SASL: sasl };
  const addresses = Object.entries(listeners).map(([name, port]) => `${name}://127.0.0.1:${port}`);
  const settings: Record<string, string | number> = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: [...addresses, `CONTROLLER://127.0.0.1:${controller}`].join(','),
    'advertised.listeners': addresses.join(','),
    'listener.security.protocol.map':
      'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,TLS:SSL,MUTUAL:SSL,SASL:SASL_SSL',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(folder, 'log'),
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 2,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'auto.create.topics.enable': 'false',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': certificates.serverStore,
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': certificates.ca,
    'listener.name.mutual.ssl.client.auth': 'required',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    'listener.name.sasl.plain.sasl.jaas.config': `${JAAS}.plain.PlainLoginModule required user_${USER}="${PASSWORD}";`,
    'listener.name.sasl.scram-sha-256.sasl.jaas.config': `${JAAS}.scram.ScramLoginModule required;`,
    'listener.name.sasl.scram-sha-512.sasl.jaas.config': `${JAAS}.scram.ScramLoginModule required;`,
    // Accepts tokens that nobody signed, as a test's endpoint grants them.
    'listener.name.sasl.oauthbearer.sasl.jaas.config': `${JAAS}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="${USER}";`,
    'listener.name.sasl.oauthbearer.connections.max.reauth.ms': 60_000,
    ...more,
  };
  const file = join(folder, 'server.properties');
  // Java reads properties as Latin-1.
  const escaped = (value: unknown): string =>
    String(value).replace(/[^\x20-\x7e]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${escaped(value)}\n`)
      .join(''),
  );
  const logging = join(folder, 'log4j2.properties');
  writeFileSync(
    logging,
    'status=WARN\nappender.c.type=Console\nappender.c.name=C\nappender.c.layout.type=PatternLayout\nappender.c.layout.pattern=%p %m%n\nrootLogger.level=INFO\nrootLogger.appenderRef.c.ref=C\n',
  );
  const java = [`-Dlog4j2.configurationFile=${logging}`, '-cp', `${kafkaLibs}/*`];
  const scram = ['256', '512'].flatMap(bits => [
    '--add-scram',
    `SCRAM-SHA-${bits}=[name=${USER},password="${PASSWORD}"]`,
  ]);
  execFileSync(
    'java',
    [
      '-Xmx128m',
      ...java,
      'kafka.tools.StorageTool',
      'format',
      '-t',
      'MkU3OEVBNTcwNTJENDM2Qk',
      '-c',
      file,
      ...scram,
    ],
    { stdio: 'pipe' },
  );
  const engine = startChild(
    'java',
    ['-Xms256m', '-Xmx256m', '-XX:+UseSerialGC', ...java, 'kafka.Kafka', file],
    folder,
  );
  try {
    await until(
      'Kafka has started',
      () => {
        if (engine.child.exitCode !== null) throw new Error(engine.output());
        return engine.output().includes('Kafka Server started');
      },
      60_000,
    );
  } catch (error) {
    await engine.kill();
    throw new Error(engine.output().slice(-3_000), { cause: error });
  }
  const at = (port: number): string => `127.0.0.1:${port}`;
  return {
    plain: at(plain),
    tls: at(tls),
    mutual: at(mutual),
    sasl: at(sasl),
    folder: join(folder, 'log'),
    close: engine.kill,
  };
};
