//! Kubernetes and its neighbours, Helm, Argo, Flux, Nomad, service meshes.

use hookbox_pack::Severity::{Ask, Block, Strict};
use hookbox_pack::{Rule, rule};

const CLUSTER: &str = "deletes a cluster with all that runs in it: let the user do it";
const OBJECT: &str = "deletes it in the cluster, and what depends on it: try --dry-run=client first, save `kubectl get … -o yaml`, and let the user confirm";
const NODE: &str = "moves or stops what runs on that node: let the user do it";
const RELEASE: &str =
    "removes what is deployed: `helm get all NAME` saves it, `helm diff` shows a change; let the user confirm";

pub(crate) const RULES: &[Rule] = &[
    rule(
        "kubectl-delete-namespace",
        Block,
        "kubectl|oc|k|kubecolor|microk8s.kubectl|k3s delete namespace|namespaces|ns|project|projects|namespace/*|ns/* !--dry-run; kubectl|oc|k delete ** namespace|ns --all !--dry-run; kubens -d|--delete",
        "deletes a namespace with everything in it: delete the objects that you made by name",
    ),
    rule(
        "kubectl-delete-all",
        Block,
        "kubectl|oc|k|kubecolor|microk8s.kubectl delete ** --all|-A|--all-namespaces !--dry-run; kubectl|oc|k|kubecolor delete all|all,* !--dry-run",
        "deletes every object of a kind: delete those you made by name, or with the label that you gave them (`-l`)",
    ),
    rule(
        "kubectl-delete-volume",
        Block,
        "kubectl|oc|k|kubecolor delete pv|pvc|persistentvolume|persistentvolumes|persistentvolumeclaim|persistentvolumeclaims|pv/*|pvc/*|persistentvolumeclaim/*|persistentvolume/*|crd|crds|customresourcedefinition|customresourcedefinitions|crd/*|storageclass|sc|volumesnapshot !--dry-run",
        "deletes data with it: take a snapshot of the volume first and let the user do it",
    ),
    rule(
        "kubectl-node",
        Ask,
        "kubectl|oc|k|kubecolor drain|cordon|taint !--dry-run; kubectl|oc|k delete node|nodes|no|node/* !--dry-run; oc adm drain|cordon|prune|taint",
        NODE,
    ),
    rule(
        "kubectl-delete",
        Ask,
        "kubectl|oc|k|kubecolor|microk8s.kubectl delete -f|--filename|-k|--kustomize|-l|--selector|--force|--grace-period !--dry-run; kubectl|oc|k|kubecolor delete deploy|deployment|deployments|deployment.apps|sts|statefulset|statefulsets|ds|daemonset|daemonsets|rs|replicaset|svc|service|services|ing|ingress|secret|secrets|cm|configmap|configmaps|sa|serviceaccount|role|rolebinding|clusterrole|clusterrolebinding|cronjob|cj|hpa|netpol|networkpolicy|route|routes|dc|bc|is|pdb|quota|resourcequota|validatingwebhookconfiguration|mutatingwebhookconfiguration|apiservice|certificate|issuer|deployment/*|deploy/*|statefulset/*|sts/*|daemonset/*|service/*|svc/*|secret/*|configmap/*|cm/*|ingress/*|replicaset/* !--dry-run",
        OBJECT,
    ),
    rule(
        "kubectl-delete",
        Ask,
        "kubectl|oc|k|kubecolor delete * !--dry-run",
        OBJECT,
    ),
    rule(
        "kubectl-replace",
        Ask,
        "kubectl|oc|k replace --force !--dry-run; kubectl|oc|k apply --prune|--force !--dry-run; kubectl|oc|k scale @--replicas=0; kubectl|oc|k scale --replicas @0; kubectl|oc|k rollout undo !--dry-run; kubectl config delete-cluster|delete-context|delete-user|unset; kubectl|oc|k patch ** @*finalizers*null*|*finalizers*[]*|*$patch*delete*|*remove*finalizers*; kubectl|oc|k set env ** @*-; kubectl certificate deny; kubectl auth reconcile --remove-extra-permissions",
        "takes down or replaces what runs: try --dry-run=server first, `kubectl diff` shows the change",
    ),
    rule(
        "helm-uninstall",
        Ask,
        "helm|helm3 uninstall|delete|del|un !--dry-run; helm rollback !--dry-run; helm upgrade --force|--reset-values !--dry-run; helm repo remove|rm; helmfile destroy|delete; helm plugin uninstall; helmsman --destroy",
        RELEASE,
    ),
    rule(
        "cluster-delete",
        Block,
        "eksctl delete cluster|nodegroup|fargateprofile|iamserviceaccount|addon; kops|kubespray delete cluster|instance|instancegroup --yes; kubeadm reset; rke remove; rke2-uninstall.sh|k3s-uninstall.sh|k3s-killall.sh|k3s-agent-uninstall.sh; talosctl reset|wipe|destroy; clusterctl delete; tanzu ** delete; rosa delete; openshift-install destroy; k0s reset; gardenctl delete; capi delete; microk8s reset|uninstall; etcdctl|etcdutl snapshot restore; ocm delete",
        CLUSTER,
    ),
    rule(
        "cluster-delete",
        Ask,
        "kind delete cluster|clusters; k3d cluster delete|rm; minikube delete; crc delete; k3d registry|node delete; ctlptl delete; vcluster delete|pause; tilt down; skaffold delete; okteto destroy|down; devspace purge|reset; garden delete; telepresence uninstall; odo delete; acorn rm; werf dismiss|cleanup|purge",
        CLUSTER,
    ),
    rule(
        "gitops-delete",
        Ask,
        "argocd app|appset|cluster|proj|repo|project delete|rm|terminate-op|delete-resource|rollback; argocd app sync --prune|--force|--replace; flux delete|uninstall|suspend; argo delete|terminate|stop; kubectl-argo-rollouts|kubectl argo rollouts abort|undo; istioctl uninstall|x @uninstall|purge; istioctl uninstall; linkerd uninstall; cilium uninstall|disable; tkn ** delete|rm; kn ** delete; velero uninstall; kubectl-kudo uninstall; knative delete; dapr uninstall; consul-k8s uninstall; operator-sdk cleanup; kubectl krew uninstall; cmctl @uninstall; kyverno @delete; crossplane xpkg @delete; fission ** delete; kubeless ** delete; openfaas|faas-cli remove|delete|rm; kubesphere delete; rancher ** rm|delete",
        RELEASE,
    ),
    rule(
        "nomad-stop",
        Ask,
        "nomad job|node|system|namespace|volume|alloc|deployment|operator stop|drain|purge|gc|delete|deregister|detach|fail|remove-peer; nomad stop *; nomad system gc; nomad job stop; nomad var purge; nomad acl ** delete",
        "takes down what runs: `nomad job status` shows it; let the user do it",
    ),
    rule(
        "store-delete",
        Block,
        "etcdctl|etcdctl3 del|rm --prefix|--from-key|-r|--recursive; etcdctl member remove; consul kv delete -recurse; zkcli.sh|zkcli ** deleteall|rmr; zookeeper-shell ** deleteall|rmr; consul leave|force-leave; consul operator raft @remove-peer; consul snapshot restore",
        "deletes what a whole cluster is configured by: take a snapshot first and let the user do it",
    ),
    rule(
        "store-delete",
        Ask,
        "etcdctl del|rmdir|rm; consul kv delete; consul acl ** delete; consul services deregister; consul intention delete; zkcli.sh|zkcli ** delete; serf leave|force-leave",
        "deletes shared configuration: read the key first and save it",
    ),
    rule(
        "kubectl-delete-pod",
        Strict,
        "kubectl|oc|k rollout restart",
        "restarts or deletes what runs: say what and why",
    ),
];
