{{/* Of (root, role): who may connect to a role's pods, and where these may. The node's own probes always may. */}}
{{- define "turnstone.network" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $policy := $root.Values.networkPolicy -}}
{{- $api := eq $role "api" -}}
{{- $scraped := and (ne $role "migrate") $policy.scrapers -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "turnstone.metadata" . | nindent 2 }}
  {{- if eq $role "migrate" }}
  annotations:
    # Before the job.
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: "-1"
    helm.sh/hook-delete-policy: before-hook-creation
  {{- end }}
spec:
  podSelector:
    matchLabels:
      {{- include "turnstone.selector" . | nindent 6 }}
  policyTypes:
    - Ingress
    {{- if $policy.egress }}
    - Egress
    {{- end }}
  {{- if or $api $scraped }}
  ingress:
    {{- if $api }}
    - from:
        {{- toYaml $policy.callers | nindent 8 }}
      ports:
        - port: http
    {{- end }}
    {{- if $scraped }}
    - from:
        {{- toYaml $policy.scrapers | nindent 8 }}
      ports:
        - port: metrics
    {{- end }}
  {{- else }}
  ingress: []
  {{- end }}
  {{- with $policy.egress }}
  egress:
    # Name service.
    - ports:
        - port: 53
          protocol: UDP
        - port: 53
          protocol: TCP
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
