{{/* Of (root, role): a consumer of the log. */}}
{{- define "turnstone.worker" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $its := index $root.Values $role -}}
{{- $usual := eq $role "projector" | ternary 2 1 -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "turnstone.metadata" . | nindent 2 }}
spec:
  {{- if not $root.Values.keda.enabled }}
  replicas: {{ eq (toString $its.replicas) "" | ternary $usual $its.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "turnstone.selector" . | nindent 6 }}
  template:
    {{- include "turnstone.pod" . | nindent 4 }}
{{- end -}}

{{/* Of (root, role): the names of the groups in which a role consumes the log, as a list. */}}
{{- define "turnstone.groups" -}}
{{- $v := (index . 0).Values -}}
- {{ $v.namespace }}.{{ index . 1 }}
{{- if and (eq (index . 1) "enricher") $v.embeddings.baseUrl }}
{{- /* A model's group is named by its hash: services/workers/embedder/embedder.ts. */}}
{{- range splitList "," $v.embeddings.model }}
- {{ $v.namespace }}.embedder-{{ trim . | sha256sum | trunc 16 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Not empty where KEDA needs more than an address to connect to Kafka. */}}
{{- define "turnstone.kafkaCredentials" -}}
{{- with .Values.kafka -}}
{{- if or (ne .sasl "none") .ca.secret .client.secret -}}yes{{- end -}}
{{- end -}}
{{- end -}}

{{/* Of (root, role): KEDA scales the role by what its groups have not committed. */}}
{{- define "turnstone.scaled" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $v := $root.Values -}}
{{- $scaling := (index $v $role).scaling -}}
{{- $sasl := dict "plain" "plaintext" "scram-sha-256" "scram_sha256" "scram-sha-512" "scram_sha512" "oauthbearer" "oauthbearer" -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  {{- include "turnstone.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    name: {{ include "turnstone.fullname" $root }}-{{ $role }}
  pollingInterval: {{ $v.keda.pollingSeconds }}
  # Never 0: a group without members loses its positions when Kafka's offsets.retention.minutes are over.
  minReplicaCount: {{ $scaling.minReplicas }}
  maxReplicaCount: {{ eq (toString $scaling.maxReplicas) "" | ternary $v.partitions $scaling.maxReplicas }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleUp:
          stabilizationWindowSeconds: 60
        scaleDown:
          stabilizationWindowSeconds: {{ $v.keda.calmSeconds }}
          policies:
            - type: Pods
              value: 1
              periodSeconds: 120
  triggers:
    {{- range fromYamlArray (include "turnstone.groups" .) }}
    - type: kafka
      metadata:
        bootstrapServers: {{ join "," $v.kafka.brokers | quote }}
        consumerGroup: {{ . }}
        lagThreshold: {{ printf "%d" (int64 $scaling.lagThreshold) | quote }}
        offsetResetPolicy: earliest
        {{- if ne $v.kafka.sasl "none" }}
        sasl: {{ index $sasl $v.kafka.sasl }}
        {{- end }}
        {{- if $v.kafka.tls }}
        tls: enable
        {{- end }}
      {{- if include "turnstone.kafkaCredentials" $root }}
      authenticationRef:
        name: {{ include "turnstone.fullname" $root }}-kafka
      {{- end }}
    {{- end }}
{{- end -}}
