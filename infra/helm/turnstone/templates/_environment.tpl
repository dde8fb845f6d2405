{{/* Of (name, value): a variable, unless its value is empty. Whole numbers of values are floats to Helm. */}}
{{- define "turnstone.variable" -}}
{{- $value := index . 1 -}}
{{- $text := kindIs "float64" $value | ternary (printf "%d" (int64 $value)) (toString $value) -}}
{{- if ne $text "" }}
- name: {{ index . 0 }}
  value: {{ $text | quote }}
{{- end }}
{{- end -}}

{{/* Of (root, role): what a role's container is given, a Secret's content never. */}}
{{- define "turnstone.environment" -}}
{{- $v := (index . 0).Values -}}
{{- $role := index . 1 -}}
{{- $service := ne $role "migrate" -}}
{{- include "turnstone.variable" (list "TURNSTONE_MODE" "cluster") }}
{{- if $service }}
{{- include "turnstone.variable" (list "TURNSTONE_ROLE" $role) }}
{{- include "turnstone.variable" (list "TURNSTONE_PORT" 8080) }}
{{- include "turnstone.variable" (list "TURNSTONE_METRICS_PORT" $v.metrics.port) }}
{{- end }}
{{- if eq $role "api" }}
{{- include "turnstone.variable" (list "TURNSTONE_SHUTDOWN_PAUSE_SECONDS" $v.api.shutdownPauseSeconds) }}
{{- end }}
{{- include "turnstone.variable" (list "TURNSTONE_NAMESPACE" $v.namespace) }}
{{- include "turnstone.variable" (list "TURNSTONE_PARTITIONS" $v.partitions) }}
{{- include "turnstone.variable" (list "TURNSTONE_REPLICATION" $v.replication) }}
{{- include "turnstone.variable" (list "TURNSTONE_SHARDS" $v.shards) }}
{{- include "turnstone.variable" (list "TURNSTONE_REPLICAS" $v.replicas) }}
{{- include "turnstone.variable" (list "TURNSTONE_USAGE_RETENTION_DAYS" $v.usageRetentionDays) }}
{{- include "turnstone.variable" (list "TURNSTONE_KAFKA_BROKERS" (join "," $v.kafka.brokers)) }}
{{- include "turnstone.variable" (list "TURNSTONE_KAFKA_TLS" ($v.kafka.tls | ternary "yes" "no")) }}
{{- include "turnstone.variable" (list "TURNSTONE_KAFKA_SASL" $v.kafka.sasl) }}
{{- include "turnstone.variable" (list "TURNSTONE_KAFKA_USER" $v.kafka.user) }}
{{- include "turnstone.variable" (list "TURNSTONE_KAFKA_TOKEN_URL" $v.kafka.tokenUrl) }}
{{- include "turnstone.variable" (list "TURNSTONE_KAFKA_TOKEN_SCOPE" $v.kafka.tokenScope) }}
{{- include "turnstone.variable" (list "TURNSTONE_ELASTICSEARCH_URL" $v.elasticsearch.url) }}
{{- include "turnstone.variable" (list "TURNSTONE_ELASTICSEARCH_USER" $v.elasticsearch.user) }}
{{- include "turnstone.variable" (list "TURNSTONE_CLICKHOUSE_URL" $v.clickhouse.url) }}
{{- include "turnstone.variable" (list "TURNSTONE_CLICKHOUSE_USER" $v.clickhouse.user) }}
{{- include "turnstone.variable" (list "TURNSTONE_REDIS_URL" $v.redis.url) }}
{{- include "turnstone.variable" (list "TURNSTONE_REDIS_USER" $v.redis.user) }}
{{- include "turnstone.variable" (list "TURNSTONE_REDIS_CLUSTER" ($v.redis.cluster | ternary "yes" "no")) }}
{{- include "turnstone.variable" (list "TURNSTONE_REDIS_PRIMARY" $v.redis.primary) }}
{{- include "turnstone.variable" (list "TURNSTONE_REDIS_SENTINEL_USER" $v.redis.sentinelUser) }}
{{- range fromYamlArray (include "turnstone.files" .) }}
{{- include "turnstone.variable" (list .variable (printf "/secrets/%s" .path)) }}
{{- end }}
{{- if eq $role "enricher" }}
{{- include "turnstone.variable" (list "TURNSTONE_EXTRACTOR" $v.extractor.kind) }}
{{- include "turnstone.variable" (list "TURNSTONE_LLM_BASE_URL" $v.extractor.baseUrl) }}
{{- include "turnstone.variable" (list "TURNSTONE_LLM_MODEL" $v.extractor.model) }}
{{- end }}
{{- if has $role (list "api" "enricher") }}
{{- include "turnstone.variable" (list "TURNSTONE_EMBEDDINGS_BASE_URL" $v.embeddings.baseUrl) }}
{{- include "turnstone.variable" (list "TURNSTONE_EMBEDDINGS_MODEL" $v.embeddings.model) }}
{{- end }}
{{- if eq $role "api" }}
{{- include "turnstone.variable" (list "TURNSTONE_RERANK_BASE_URL" $v.rerank.baseUrl) }}
{{- include "turnstone.variable" (list "TURNSTONE_RERANK_MODEL" $v.rerank.model) }}
{{- end }}
{{- if $service }}
{{- range $name, $value := $v.config }}
{{- include "turnstone.variable" (list $name $value) }}
{{- end }}
{{- end }}
{{- end -}}
