{{/* Of (root, role): the seconds that a pod is given to end. */}}
{{- define "turnstone.grace" -}}
{{- /* The service closes within 9.5 s of its pause, which only the API has; the rest is for the last lines of its log. */ -}}
{{- $pause := eq (index . 1) "api" | ternary (int (index . 0).Values.api.shutdownPauseSeconds) 0 -}}
{{- add $pause 15 -}}
{{- end -}}

{{/* Of (root, role): the pods of a role should not share a zone or a node. */}}
{{- define "turnstone.spread" -}}
{{- $root := index . 0 -}}
{{- $spread := $root.Values.topologySpread -}}
{{- $selector := include "turnstone.selector" . -}}
{{- range $key, $when := dict "topology.kubernetes.io/zone" $spread.zones "kubernetes.io/hostname" $spread.nodes }}
{{- if $when }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: {{ $when }}
  labelSelector:
    matchLabels:
      {{- $selector | nindent 6 }}
  # Pods of the release that is replaced don't count.
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- end -}}

{{/* Of (root, role): a pod's template. */}}
{{- define "turnstone.pod" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $v := $root.Values -}}
{{- $its := index $v $role -}}
{{- $service := ne $role "migrate" -}}
metadata:
  labels:
    {{- include "turnstone.labels" . | nindent 4 }}
  {{- with $its.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with $v.serviceAccountName }}
  serviceAccountName: {{ . }}
  {{- end }}
  automountServiceAccountToken: false
  # A Service named turnstone-metrics in this namespace would else set TURNSTONE_METRICS_PORT.
  enableServiceLinks: false
  {{- if $service }}
  terminationGracePeriodSeconds: {{ include "turnstone.grace" . }}
  {{- else }}
  restartPolicy: Never
  {{- end }}
  securityContext:
    runAsNonRoot: true
    {{- if ne (toString $v.user) "" }}
    runAsUser: {{ int64 $v.user }}
    runAsGroup: {{ int64 $v.user }}
    fsGroup: {{ int64 $v.user }}
    {{- end }}
    seccompProfile:
      type: RuntimeDefault
  {{- with $v.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- with $its.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $its.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $its.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $its.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if and $service (or $v.topologySpread.zones $v.topologySpread.nodes) }}
  topologySpreadConstraints:
    {{- include "turnstone.spread" . | trim | nindent 4 }}
  {{- end }}
  containers:
    - name: turnstone
      image: {{ include "turnstone.image" . | quote }}
      imagePullPolicy: {{ $v.image.pullPolicy }}
      args: [{{ $service | ternary "serve" "migrate" }}]
      env:
        {{- include "turnstone.environment" . | trim | nindent 8 }}
      {{- if $service }}
      ports:
        - name: http
          containerPort: 8080
        - name: metrics
          containerPort: {{ $v.metrics.port }}
      # An engine that is away is no reason to restart: /healthz asks none, /readyz asks all that the role needs.
      startupProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 2
        timeoutSeconds: 10
        failureThreshold: 150
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 10
        timeoutSeconds: 10
        failureThreshold: 3
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 2
        timeoutSeconds: 4
        failureThreshold: 2
      {{- end }}
      {{- with $its.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: secrets
          mountPath: /secrets
          readOnly: true
        # Node keeps compiled code there.
        - name: tmp
          mountPath: /tmp
  volumes:
    {{- include "turnstone.secrets" . | nindent 4 }}
    - name: tmp
      emptyDir:
        sizeLimit: 256Mi
{{- end -}}

{{/* Of (root, role): pods that a drain of a node may take away. Those that aren't ready anyway never hold it up. */}}
{{- define "turnstone.disruptions" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "turnstone.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ (index . 0).Values.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "turnstone.selector" . | nindent 6 }}
{{- end -}}
