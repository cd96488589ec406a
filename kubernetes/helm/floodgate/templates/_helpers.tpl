{{- define "floodgate.name" -}}
{{- if contains "floodgate" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-floodgate{{ end }}
{{- end }}

{{- define "floodgate.selector" -}}
app.kubernetes.io/name: floodgate
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "floodgate.labels" -}}
{{ include "floodgate.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "floodgate.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "floodgate.pod" -}}
enableServiceLinks: false
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "floodgate.container" -}}
image: {{ include "floodgate.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- /* What all roles know of Kafka, and the settings of one. */ -}}
{{- define "floodgate.env" -}}
- name: FLOODGATE_BOOTSTRAP
  value: {{ required "kafka.bootstrap is missing: HOST:PORT,... of the Kafka cluster" .root.Values.kafka.bootstrap | quote }}
{{- with .root.Values.kafka.namespace }}
- name: FLOODGATE_NAMESPACE
  value: {{ . | quote }}
{{- end }}
- name: FLOODGATE_NODE
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
{{- range $property, $value := .root.Values.kafka.properties }}
- name: FLOODGATE_KAFKA_{{ $property | replace "." "_" | upper }}
  value: {{ $value | quote }}
{{- end }}
{{- if .settings.settingsSecret }}
- name: FLOODGATE_CONFIG
  value: /etc/floodgate/settings/floodgate.properties
{{- end }}
{{- range $name, $value := .settings.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "floodgate.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .settings.settingsSecret }}
- name: settings
  mountPath: /etc/floodgate/settings
  readOnly: true
{{- end }}
{{- if .root.Values.kafka.filesSecret }}
- name: kafka-files
  mountPath: /etc/floodgate/kafka
  readOnly: true
{{- end }}
{{- end }}

{{- define "floodgate.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with .settings.settingsSecret }}
- name: settings
  secret:
    secretName: {{ . }}
{{- end }}
{{- with .root.Values.kafka.filesSecret }}
- name: kafka-files
  secret:
    secretName: {{ . }}
{{- end }}
{{- end }}

{{- define "floodgate.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "floodgate.selector" . | nindent 8 }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "floodgate.selector" . | nindent 8 }}
{{- end }}
