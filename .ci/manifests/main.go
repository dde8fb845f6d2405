// Reads manifests of Kubernetes as strictly as can be without a cluster. Of Kubernetes' own kinds an unknown one, a field
// that its type lacks, that is there twice or of another type is a fault; what a field requires or may hold is not checked.
// KEDA's kinds are held to the schemas of its definitions, whose folder KEDA_DEFINITIONS names, closed to unknown fields.
//
//	KEDA_DEFINITIONS=.../config/crd/bases go run . FILE...
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"sigs.k8s.io/yaml"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ours returns what decodes the kinds of Kubernetes itself.
func ours() func(document []byte) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme,
		networkingv1.AddToScheme, policyv1.AddToScheme,
	} {
		must(add(scheme))
	}
	options := serializer.SerializerOptions{Yaml: true, Strict: true}
	strict := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, options)
	return func(document []byte) error {
		_, _, err := strict.Decode(document, nil, nil)
		return err
	}
}

// closed returns the schema with every object that lists its fields refusing others.
func closed(part any) any {
	switch part := part.(type) {
	case map[string]any:
		for name, inner := range part {
			part[name] = closed(inner)
		}
		_, lists := part["properties"].(map[string]any)
		if _, open := part["x-kubernetes-preserve-unknown-fields"]; lists && !open {
			part["additionalProperties"] = false
		}
	case []any:
		for i, inner := range part {
			part[i] = closed(inner)
		}
	}
	return part
}

type definition struct {
	Spec struct {
		Versions []struct {
			Schema struct {
				OpenAPIV3Schema map[string]any `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
}

// keda returns the schema of a kind of KEDA's.
func keda(kind string) *jsonschema.Schema {
	name := "keda.sh_" + strings.ToLower(kind) + "s.yaml"
	text, err := os.ReadFile(filepath.Join(os.Getenv("KEDA_DEFINITIONS"), name))
	must(err)
	var read definition
	must(yaml.Unmarshal(text, &read))
	schema := read.Spec.Versions[0].Schema.OpenAPIV3Schema
	properties := schema["properties"].(map[string]any)
	closed(schema)
	// Its schema leaves the metadata to Kubernetes.
	properties["metadata"] = map[string]any{"type": "object"}
	compiler := jsonschema.NewCompiler()
	must(compiler.AddResource(name, schema))
	compiled, err := compiler.Compile(name)
	must(err)
	return compiled
}

func main() {
	decode := ours()
	read, faults := 0, 0
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		must(err)
		for i, document := range bytes.Split(append([]byte("\n"), text...), []byte("\n---\n")) {
			var content map[string]any
			must(yaml.UnmarshalStrict(document, &content))
			if len(content) == 0 {
				continue
			}
			read++
			if kind := fmt.Sprint(content["kind"]); content["apiVersion"] == "keda.sh/v1alpha1" {
				err = keda(kind).Validate(content)
			} else {
				err = decode(document)
			}
			if err != nil {
				faults++
				fmt.Fprintf(os.Stderr, "%s, document %d (%v): %v\n", path, i, content["kind"], err)
			}
		}
	}
	fmt.Printf("%d manifests of %d files, %d faults\n", read, len(os.Args)-1, faults)
	if faults > 0 || read == 0 {
		os.Exit(1)
	}
}
