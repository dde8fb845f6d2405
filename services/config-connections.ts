import type { ClusterConfig } from '../schemas/config.ts';
import { urlsOf } from '../schemas/config-values.ts';

type Connection = Partial<Pick<ClusterConfig['redis'], 'ca' | 'cert' | 'key'>>;

/** Whoever sets an authority or a certificate expects encryption: a connection in plain text would not tell. */
const tlsFaults = (
  name: string,
  { ca, cert, key }: Connection,
  isEncrypted: boolean,
  remedy: string,
): string[] => [
  ...Object.entries({ CA: ca, CERT: cert, KEY: key }).flatMap(([file, content]) =>
    isEncrypted || content === undefined
      ? []
      : [`TURNSTONE_${name}_${file} needs an encrypted connection: ${remedy}`],
  ),
  ...((cert === undefined) === (key === undefined)
    ? []
    : [`TURNSTONE_${name}_CERT and TURNSTONE_${name}_KEY must be set together`]),
];

const kafkaFaults = ({ sasl, user, password, tokenUrl }: ClusterConfig['kafka']): string[] => {
  if (sasl === 'none')
    return (user ?? password ?? tokenUrl) === undefined
      ? []
      : ['TURNSTONE_KAFKA_SASL must be set for TURNSTONE_KAFKA_USER, _PASSWORD and _TOKEN_URL'];
  const needed = { USER: user, PASSWORD: password, ...(sasl === 'oauthbearer' && { TOKEN_URL: tokenUrl }) };
  return Object.entries(needed).flatMap(([name, value]) =>
    value === undefined ? [`TURNSTONE_KAFKA_${name} must be set for TURNSTONE_KAFKA_SASL=${sasl}`] : [],
  );
};

/** What does not fit together in the variables of the engines' connections. */
export const connectionFaults = (config: ClusterConfig): string[] => {
  const {
    kafka,
    elasticsearch,
    clickhouse,
    redis,
    elasticsearchUrl = '',
    clickhouseUrl = '',
    redisUrl = '',
  } = config;
  const faults = [
    ...tlsFaults('KAFKA', kafka, kafka.tls, 'set TURNSTONE_KAFKA_TLS=yes'),
    ...kafkaFaults(kafka),
    ...tlsFaults('ELASTICSEARCH', elasticsearch, elasticsearchUrl.startsWith('https:'), 'use https:// URLs'),
    ...tlsFaults('CLICKHOUSE', clickhouse, clickhouseUrl.startsWith('https:'), 'use an https:// URL'),
    ...tlsFaults('REDIS', redis, redisUrl.startsWith('rediss:'), 'use rediss:// URLs'),
  ];
  if (elasticsearch.apiKey !== undefined && elasticsearch.user !== undefined)
    faults.push('only one of TURNSTONE_ELASTICSEARCH_API_KEY and TURNSTONE_ELASTICSEARCH_USER may be set');
  if (redis.primary === undefined && urlsOf(redisUrl).length > 1)
    faults.push(
      'TURNSTONE_REDIS_URL may name several servers only for Sentinels: set TURNSTONE_REDIS_PRIMARY',
    );
  if (redis.primary === undefined && (redis.sentinelUser ?? redis.sentinelPassword) !== undefined)
    faults.push('TURNSTONE_REDIS_PRIMARY must be set for TURNSTONE_REDIS_SENTINEL_USER and _PASSWORD');
  return faults;
};
