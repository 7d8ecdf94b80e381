//! Containers, images, volumes; virtual machines.

use hookbox_pack::Severity::{Ask, Block, Strict};
use hookbox_pack::{Rule, rule};

const VOLUME: &str = "deletes a volume with its data: copy it first (`docker run --rm -v NAME:/v -v $PWD:/b alpine tar czf /b/v.tgz /v`)";
const PRUNE: &str = "deletes what others of this machine may need: `docker system df` shows what takes room; remove by name what you made";
const VM: &str = "deletes a virtual machine with its disk: take a snapshot first and let the user do it";

pub(crate) const RULES: &[Rule] = &[
    rule(
        "docker-prune",
        Ask,
        "docker|podman|nerdctl|finch|buildah system prune -f|--force; docker|podman|nerdctl|finch system prune --volumes|-af|-fa; docker|podman|nerdctl system reset; docker|podman|nerdctl image|container|network|pod prune -f|--force; docker|podman|nerdctl image prune -a|--all; docker|podman|nerdctl builder|buildx prune -f|--force",
        PRUNE,
    ),
    rule(
        "docker-volume",
        Ask,
        "docker|podman|nerdctl|finch volume prune|rm|remove !--dry-run",
        VOLUME,
    ),
    rule(
        "docker-compose-volumes",
        Ask,
        "docker|podman|nerdctl compose ** down -v|--volumes|--rmi; docker-compose|podman-compose ** down -v|--volumes|--rmi; docker|podman|nerdctl compose ** rm -v|-fsv|-svf|-sfv; docker-compose|podman-compose ** rm -v|-fsv|-svf; docker|podman|nerdctl compose ** rm -f|--force; docker-compose|podman-compose ** rm -f|--force; docker|podman|nerdctl compose ** kill; docker-compose ** kill",
        "deletes the volumes of the project, databases with them: leave -v out; the containers can be made again without it",
    ),
    rule(
        "docker-rm-force",
        Ask,
        "docker|podman|nerdctl|finch rm -f|--force|-v|--volumes; docker|podman|nerdctl|finch container rm -f|--force|-v; podman pod rm -f|--force|-a|--all; podman rm -a|--all",
        "removes a running container and what it holds: `docker stop` it, then `docker rm` it",
    ),
    rule(
        "docker-rmi",
        Ask,
        "docker|podman|nerdctl|finch rmi -f|--force|-a|--all; docker|podman|nerdctl|finch image rm|remove -f|--force; docker|podman|nerdctl rmi @*$(*|*`*; docker|podman|nerdctl image rm @*$(*|*`*; crictl rmi|rm|rmp|rmi -a|--all|--prune|-f|--force; ctr ** delete|rm|remove|kill",
        "removes images that others may use: name the one that you built, without -f",
    ),
    rule(
        "docker-all",
        Ask,
        "docker|podman|nerdctl kill; docker|podman|nerdctl stop|kill|rm|restart|pause|rmi @*$(*|*`*|… !@*filter*name=*; docker|podman stop|kill -a|--all; docker|podman|nerdctl container stop|kill|rm|restart|pause @*$(*|*`*|… !@*filter*name=*",
        "stops containers that you may not have started: name the one you mean",
    ),
    rule(
        "docker-swarm",
        Ask,
        "docker swarm leave; docker stack|service|secret|config|node|context|plugin rm|remove|down|demote; docker service scale @*=0; docker node update @drain; docker trust revoke; docker plugin disable; docker manifest rm; docker checkpoint rm; docker|podman|nerdctl network rm|remove; docker|podman|nerdctl network disconnect -f|--force; docker buildx rm",
        "takes part of the swarm down: let the user do it",
    ),
    rule(
        "docker-host-root",
        Ask,
        "docker|podman|nerdctl run|create @/:/*|-v/:/*|*source=/,*|*src=/,*; docker|podman|nerdctl run|create|exec --privileged; docker|podman|nerdctl run|create @*docker.sock*|*containerd.sock*|--pid=host; docker|podman|nerdctl run|create @/etc:*|/root:*|/boot:*|/dev:*|*source=/etc,*",
        "gives a container the whole machine: mount the one folder that it needs",
    ),
    rule(
        "vm-delete",
        Block,
        "virsh undefine|vol-delete|pool-delete|pool-destroy|snapshot-delete|net-destroy|net-undefine|managedsave-remove; vboxmanage|vboxmanage unregistervm|closemedium --delete; vboxmanage closemedium; qm|pct destroy; vmrun deleteVM|deleteSnapshot; prlctl delete|unregister; multipass purge; limactl|colima delete|rm|prune|factory-reset; utmctl delete; xe vm-destroy|vm-uninstall|vdi-destroy|sr-destroy|sr-forget; govc vm.destroy|datastore.rm|snapshot.remove|object.destroy; tart delete; orb|orbctl delete; podman machine rm|reset; wsl @--unregister",
        VM,
    ),
    rule(
        "vm-delete",
        Ask,
        "vagrant destroy; vagrant box|snapshot remove|delete|prune; virsh destroy|shutdown; multipass delete|stop --all|-p|--purge; multipass delete; lxc|incus|lxd delete|rm|image|storage @*delete*|delete|rm; lxc|incus delete|rm; lxc-destroy; colima|minikube|kind|k3d|k0s|k3s|microk8s|crc stop --all; docker desktop @*uninstall*; vmrun stop|reset; wsl --shutdown",
        VM,
    ),
    rule(
        "docker-rm",
        Strict,
        "docker|podman|nerdctl rm|rmi *; docker|podman|nerdctl container|image rm *; docker|podman compose ** down; docker-compose ** down; docker|podman|nerdctl kill; docker|podman|nerdctl network rm; docker buildx rm",
        "removes containers or images: say which and why",
    ),
];
