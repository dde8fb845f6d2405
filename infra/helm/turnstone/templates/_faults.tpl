{{/* The faults between values, a sentence a line. What the service itself would refuse at its start is refused here first. */}}
{{- define "turnstone.faults" -}}
{{- include "turnstone.faultsOfEngines" . }}
{{ include "turnstone.faultsOfModels" . }}
{{ include "turnstone.faultsOfScaling" . }}
{{- $v := .Values }}
{{- if not $v.image.repository }}
image.repository is empty: build the image with the repository's Dockerfile, push it, and name where it is.
{{- end }}
{{- if and $v.image.digest (or $v.image.tag $v.api.imageTag $v.projector.imageTag $v.enricher.imageTag) }}
image.digest and a tag are set: give one of them.
{{- end }}
{{- if not $v.keys.secret }}
keys.secret is empty: run turnstone init-secrets once, and name the Secret that you make of its two files.
{{- end }}
{{- with $v.networkPolicy }}
{{- if and .enabled (not .callers) }}
networkPolicy.callers is empty while networkPolicy.enabled is true: nobody could call the API.
{{- end }}
{{- if and (not .enabled) (or .callers .scrapers .egress) }}
networkPolicy.callers, scrapers or egress are set while networkPolicy.enabled is false: nothing would be limited.
{{- end }}
{{- end }}
{{- end -}}

{{- define "turnstone.faultsOfEngines" -}}
{{- $v := .Values }}
{{- range $name := list "elasticsearch" "clickhouse" "redis" }}
{{- $engine := index $v $name }}
{{- if and (not $engine.url) (not $engine.urlFrom.secret) }}
{{ $name }}.url is empty: the chart brings no engines, so name yours.
{{- end }}
{{- if and $engine.url $engine.urlFrom.secret }}
{{ $name }}.url and {{ $name }}.urlFrom are set: give one of them.
{{- end }}
{{- if contains "@" $engine.url }}
{{ $name }}.url holds a user or a password: give them as {{ $name }}.user and {{ $name }}.password, or the URL by {{ $name }}.urlFrom.
{{- end }}
{{- $scheme := eq $name "redis" | ternary "rediss://" "https://" }}
{{- if and $engine.url (not (hasPrefix $scheme $engine.url)) (or $engine.ca.secret (dig "client" "secret" "" $engine)) }}
{{ $name }}.url is not encrypted, so its ca or client would not be used: begin it with {{ $scheme }}.
{{- end }}
{{- end }}
{{- with $v.kafka }}
{{- if not .brokers }}
kafka.brokers is empty: the chart brings no engines, so name yours.
{{- end }}
{{- if and (not .tls) (or .ca.secret .client.secret) }}
kafka.tls is false, so kafka.ca or kafka.client would not be used: set it to true.
{{- end }}
{{- if and (eq .sasl "none") (or .user .password.secret .tokenUrl .tokenScope) }}
kafka.sasl is none, so kafka.user, password, tokenUrl and tokenScope would not be used: name the mechanism.
{{- end }}
{{- if and (ne .sasl "none") (not (and .user .password.secret)) }}
kafka.sasl is {{ .sasl }}, which needs kafka.user and kafka.password.secret.
{{- end }}
{{- if and (eq .sasl "oauthbearer") (not .tokenUrl) }}
kafka.sasl is oauthbearer, which needs kafka.tokenUrl.
{{- end }}
{{- if and (has .sasl (list "plain" "scram-sha-256" "scram-sha-512")) (or .tokenUrl .tokenScope) }}
kafka.tokenUrl and tokenScope are for kafka.sasl oauthbearer, which is {{ .sasl }}.
{{- end }}
{{- end }}
{{- if and $v.elasticsearch.apiKey.secret $v.elasticsearch.user }}
elasticsearch.apiKey and elasticsearch.user are set: give one of them.
{{- end }}
{{- with $v.redis }}
{{- if and .cluster .primary }}
redis.cluster and redis.primary are set: servers of a Redis Cluster have no Sentinels.
{{- end }}
{{- if and (contains "," .url) (not .cluster) (not .primary) }}
redis.url names several servers, which is for Sentinels (redis.primary) or a Redis Cluster (redis.cluster).
{{- end }}
{{- if and (not .primary) (or .sentinelUser .sentinelPassword.secret) }}
redis.sentinelUser or redis.sentinelPassword is set without redis.primary, the Sentinels' name for the primary.
{{- end }}
{{- end }}
{{- end -}}

{{- define "turnstone.faultsOfModels" -}}
{{- $v := .Values }}
{{- with $v.extractor }}
{{- if and (eq .kind "llm") (not (and .baseUrl .model)) }}
extractor.kind is llm, which needs extractor.baseUrl and extractor.model.
{{- end }}
{{- if and (eq .kind "rules") (or .baseUrl .model .apiKey.secret) }}
extractor.kind is rules, so extractor.baseUrl, model and apiKey would not be used: set it to llm.
{{- end }}
{{- end }}
{{- if and $v.embeddings.baseUrl (not $v.embeddings.model) }}
embeddings.baseUrl is set without embeddings.model.
{{- end }}
{{- if and (not $v.embeddings.baseUrl) (or $v.embeddings.model $v.embeddings.apiKey.secret) }}
embeddings.model or embeddings.apiKey is set without embeddings.baseUrl.
{{- end }}
{{- if and (not $v.rerank.baseUrl) (or $v.rerank.model $v.rerank.apiKey.secret) }}
rerank.model or rerank.apiKey is set without rerank.baseUrl.
{{- end }}
{{- end -}}

{{- define "turnstone.faultsOfScaling" -}}
{{- $v := .Values }}
{{- $partitions := int $v.partitions }}
{{- with $v.api }}
{{- if and .autoscaling.enabled (ne (toString .replicas) "") }}
api.replicas is set while api.autoscaling.enabled is true: set one of them.
{{- end }}
{{- if and .autoscaling.enabled (gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas)) }}
api.autoscaling.minReplicas is above api.autoscaling.maxReplicas.
{{- end }}
{{- if and .autoscaling.enabled (not (dig "requests" "cpu" "" .resources)) }}
api.resources.requests.cpu is not set, and api.autoscaling goes by its percentage.
{{- end }}
{{- end }}
{{- range $role := list "projector" "enricher" }}
{{- $its := index $v $role }}
{{- $most := eq (toString $its.scaling.maxReplicas) "" | ternary $partitions (int $its.scaling.maxReplicas) }}
{{- if and $v.keda.enabled (ne (toString $its.replicas) "") }}
{{ $role }}.replicas is set while keda.enabled is true: set one of them.
{{- end }}
{{- if gt (int $its.replicas) $partitions }}
{{ $role }}.replicas is above partitions ({{ $partitions }}): the others would have nothing to do.
{{- end }}
{{- if gt $most $partitions }}
{{ $role }}.scaling.maxReplicas is above partitions ({{ $partitions }}): the others would have nothing to do.
{{- end }}
{{- if gt (int $its.scaling.minReplicas) $most }}
{{ $role }}.scaling.minReplicas is above what {{ $role }}.scaling.maxReplicas or partitions allow ({{ $most }}).
{{- end }}
{{- end }}
{{- if and (not $v.keda.enabled) (eq (toString $v.projector.replicas) "0") }}
projector.replicas is 0: without one nothing that is written is ever found in the index, and no key is made or revoked.
{{- end }}
{{- end -}}
