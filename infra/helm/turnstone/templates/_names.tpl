{{- define "turnstone.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The longest suffix is `-projector`, with that of a pod behind it. */}}
{{- define "turnstone.fullname" -}}
{{- $name := include "turnstone.name" . -}}
{{- $own := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- .Values.fullnameOverride | default $own | trunc 42 | trimSuffix "-" -}}
{{- end -}}

{{/* Of (root, role): what a role's pods are selected by; never changed after an installation. */}}
{{- define "turnstone.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "turnstone.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Of (root, role). */}}
{{- define "turnstone.labels" -}}
{{- $root := index . 0 -}}
{{ include "turnstone.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Of (root, role): name, namespace and labels of a resource that belongs to a role. */}}
{{- define "turnstone.metadata" -}}
{{- $root := index . 0 -}}
name: {{ include "turnstone.fullname" $root }}-{{ index . 1 }}
namespace: {{ $root.Release.Namespace }}
labels:
  {{- include "turnstone.labels" . | nindent 2 }}
{{- end -}}

{{/* Of (root, role). */}}
{{- define "turnstone.image" -}}
{{- $root := index . 0 -}}
{{- $image := $root.Values.image -}}
{{- $own := (index $root.Values (index . 1)).imageTag -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $own | default $image.tag | default $root.Chart.AppVersion }}
{{- end -}}
{{- end -}}
