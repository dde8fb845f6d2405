{{/*
Of (root, role): the files with secrets, as a list of {variable, secret, key, path}. The variables and the volume are both
made of it. An entry without a secret isn't given.
*/}}
{{- define "turnstone.files" -}}
{{- $v := (index . 0).Values -}}
{{- $role := index . 1 -}}
{{- $service := ne $role "migrate" -}}
{{- $files := list
  (list "TURNSTONE_INSTALLATION_KEY" $v.keys.secret $v.keys.installationKey "installation-key")
  (list "TURNSTONE_SIGNING_KEYS" $v.keys.secret $v.keys.signingKeys "signing-keys.json")
  (list "TURNSTONE_KAFKA_CA" $v.kafka.ca.secret $v.kafka.ca.key "kafka-ca.pem")
  (list "TURNSTONE_KAFKA_CERT" $v.kafka.client.secret $v.kafka.client.cert "kafka-cert.pem")
  (list "TURNSTONE_KAFKA_KEY" $v.kafka.client.secret $v.kafka.client.key "kafka-key.pem")
  (list "TURNSTONE_KAFKA_PASSWORD_FILE" $v.kafka.password.secret $v.kafka.password.key "kafka-password")
  (list "TURNSTONE_ELASTICSEARCH_URL_FILE" $v.elasticsearch.urlFrom.secret $v.elasticsearch.urlFrom.key "elasticsearch-url")
  (list "TURNSTONE_ELASTICSEARCH_PASSWORD_FILE" $v.elasticsearch.password.secret $v.elasticsearch.password.key "elasticsearch-password")
  (list "TURNSTONE_ELASTICSEARCH_API_KEY_FILE" $v.elasticsearch.apiKey.secret $v.elasticsearch.apiKey.key "elasticsearch-api-key")
  (list "TURNSTONE_ELASTICSEARCH_CA" $v.elasticsearch.ca.secret $v.elasticsearch.ca.key "elasticsearch-ca.pem")
  (list "TURNSTONE_CLICKHOUSE_URL_FILE" $v.clickhouse.urlFrom.secret $v.clickhouse.urlFrom.key "clickhouse-url")
  (list "TURNSTONE_CLICKHOUSE_PASSWORD_FILE" $v.clickhouse.password.secret $v.clickhouse.password.key "clickhouse-password")
  (list "TURNSTONE_CLICKHOUSE_CA" $v.clickhouse.ca.secret $v.clickhouse.ca.key "clickhouse-ca.pem")
  (list "TURNSTONE_REDIS_URL_FILE" $v.redis.urlFrom.secret $v.redis.urlFrom.key "redis-url")
  (list "TURNSTONE_REDIS_PASSWORD_FILE" $v.redis.password.secret $v.redis.password.key "redis-password")
  (list "TURNSTONE_REDIS_CA" $v.redis.ca.secret $v.redis.ca.key "redis-ca.pem")
  (list "TURNSTONE_REDIS_CERT" $v.redis.client.secret $v.redis.client.cert "redis-cert.pem")
  (list "TURNSTONE_REDIS_KEY" $v.redis.client.secret $v.redis.client.key "redis-key.pem")
  (list "TURNSTONE_REDIS_SENTINEL_PASSWORD_FILE" $v.redis.sentinelPassword.secret $v.redis.sentinelPassword.key "redis-sentinel-password")
-}}
{{- if $service -}}
{{- $files = append $files (list "TURNSTONE_METRICS_TOKEN_FILE" $v.metrics.token.secret $v.metrics.token.key "metrics-token") -}}
{{- end -}}
{{- if eq $role "enricher" -}}
{{- $files = append $files (list "TURNSTONE_LLM_API_KEY_FILE" $v.extractor.apiKey.secret $v.extractor.apiKey.key "llm-api-key") -}}
{{- end -}}
{{- if has $role (list "api" "enricher") -}}
{{- $files = append $files (list "TURNSTONE_EMBEDDINGS_API_KEY_FILE" $v.embeddings.apiKey.secret $v.embeddings.apiKey.key "embeddings-api-key") -}}
{{- end -}}
{{- if eq $role "api" -}}
{{- $files = append $files (list "TURNSTONE_RERANK_API_KEY_FILE" $v.rerank.apiKey.secret $v.rerank.apiKey.key "rerank-api-key") -}}
{{- end -}}
{{- range $files }}
{{- if index . 1 }}
- variable: {{ index . 0 }}
  secret: {{ index . 1 | quote }}
  key: {{ index . 2 | quote }}
  path: {{ index . 3 }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* Of (root, role): the volume of these files. They are mounted whole, so that a changed Secret arrives. */}}
{{- define "turnstone.secrets" -}}
- name: secrets
  projected:
    # 0440: the group of the pod reads them.
    defaultMode: 288
    sources:
      {{- range fromYamlArray (include "turnstone.files" .) }}
      - secret:
          name: {{ .secret | quote }}
          items:
            - key: {{ .key | quote }}
              path: {{ .path }}
      {{- end }}
{{- end -}}
