// Validates manifests of Kubernetes without a cluster: its own kinds are decoded strictly (a field that a type lacks or that
// is there twice is a fault), get their defaults and are validated by the code of its API server. KEDA's kinds are held to
// the schemas of its definitions, whose folder KEDA_DEFINITIONS names, closed to unknown fields.
//
//	KEDA_DEFINITIONS=.../config/crd/bases go run . FILE...
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	autoscalingvalidation "k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/networking"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	networkingvalidation "k8s.io/kubernetes/pkg/apis/networking/validation"
	"k8s.io/kubernetes/pkg/apis/policy"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	policyvalidation "k8s.io/kubernetes/pkg/apis/policy/validation"
	"sigs.k8s.io/yaml"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var strict = serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict).UniversalDecoder()

// kubernetes returns the faults of a manifest of Kubernetes' own kinds.
func kubernetes(document []byte) error {
	decoded, _, err := strict.Decode(document, nil, nil)
	if err != nil {
		return err
	}
	return faultsOf(decoded).ToAggregate()
}

func faultsOf(decoded runtime.Object) field.ErrorList {
	pods := corevalidation.PodValidationOptions{}
	switch object := decoded.(type) {
	case *apps.Deployment:
		return appsvalidation.ValidateDeployment(object, pods)
	case *batch.Job:
		// The rest of a job has no defaults before it is created.
		return corevalidation.ValidatePodTemplateSpec(&object.Spec.Template, field.NewPath("spec", "template"), pods)
	case *core.Service:
		return corevalidation.ValidateServiceCreate(object)
	case *autoscaling.HorizontalPodAutoscaler:
		options := autoscalingvalidation.HorizontalPodAutoscalerSpecValidationOptions{}
		return autoscalingvalidation.ValidateHorizontalPodAutoscaler(object, options)
	case *networking.NetworkPolicy:
		return networkingvalidation.ValidateNetworkPolicy(object, networkingvalidation.NetworkPolicyValidationOptions{})
	case *policy.PodDisruptionBudget:
		options := policyvalidation.PodDisruptionBudgetValidationOptions{}
		return policyvalidation.ValidatePodDisruptionBudget(object, options)
	}
	return field.ErrorList{field.InternalError(nil, errors.New("a kind that is not validated here"))}
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

// keda returns the faults of a manifest of KEDA's kinds.
func keda(kind string, content map[string]any) error {
	name := "keda.sh_" + strings.ToLower(kind) + "s.yaml"
	text, err := os.ReadFile(filepath.Join(os.Getenv("KEDA_DEFINITIONS"), name))
	must(err)
	var read definition
	must(yaml.Unmarshal(text, &read))
	schema := read.Spec.Versions[0].Schema.OpenAPIV3Schema
	closed(schema)
	// Its schema leaves the metadata to Kubernetes.
	schema["properties"].(map[string]any)["metadata"] = map[string]any{"type": "object"}
	compiler := jsonschema.NewCompiler()
	must(compiler.AddResource(name, schema))
	compiled, err := compiler.Compile(name)
	must(err)
	return compiled.Validate(content)
}

func main() {
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
				err = keda(kind, content)
			} else {
				err = kubernetes(document)
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
