//! Infrastructure as code and configuration management.

use hookbox_pack::Severity::{Ask, Block, Strict};
use hookbox_pack::{Rule, rule};

const DESTROY: &str =
    "deletes real infrastructure: `terraform plan -destroy` (or the tool's preview) shows what; let the user run it";
const UNSEEN: &str =
    "changes real infrastructure without anybody having seen the plan: make a plan, show it, and let the user apply it";
const STATE: &str = "changes what the tool believes to exist: save the state first (`terraform state pull > saved.tfstate`) and let the user do it";

pub(crate) const RULES: &[Rule] = &[
    rule(
        "iac-destroy",
        Block,
        "terraform|tofu|terragrunt|opentofu|tf destroy !-help; terraform|tofu|terragrunt|tf apply -destroy; terragrunt run-all|run destroy; terragrunt destroy-all; terramate run ** destroy; pulumi destroy|down|dn !--preview-only; pulumi stack rm|remove; cdk|aws-cdk|cdktf destroy; sst remove; sam delete; serverless|sls remove; amplify delete; copilot app|env|svc delete; eb terminate; nixops destroy|delete; bosh delete-deployment|delete-env|clean-up|cleanup; nixops destroy; spacectl ** delete|destroy; waypoint destroy; garden delete; chalice delete; zappa undeploy; up stack @delete; architect|arc destroy; claudia destroy; ros destroy; winglang destroy",
        DESTROY,
    ),
    rule(
        "iac-unseen",
        Ask,
        "terraform|tofu|terragrunt|tf apply -auto-approve; terragrunt run-all|run apply; terragrunt apply-all; terraform|tofu apply ** -replace|-refresh-only @-auto-approve; pulumi up|update|refresh -y|--yes|-f|--skip-preview|--non-interactive; cdk deploy --require-approval=never; cdk deploy @never; cdktf deploy --auto-approve; sam deploy @--no-confirm-changeset; terraform|tofu|tf apply @*$(*",
        UNSEEN,
    ),
    rule(
        "iac-state",
        Ask,
        "terraform|tofu|terragrunt|tf state rm|push|mv|replace-provider !-dry-run; terraform|tofu|terragrunt|tf taint|force-unlock; terraform|tofu|tf workspace delete; pulumi state delete|unprotect|rename|move; pulumi cancel; pulumi stack import; terraform|tofu|tf init -force-copy; cdk gc; pulumi config rm|rm-all; terraform|tofu|tf import -allow-missing-config; terraform|tofu refresh",
        STATE,
    ),
    rule(
        "ansible-destroys",
        Ask,
        "ansible|ansible-playbook ** @*state=absent*|*state=stopped* !--check|-C; ansible ** @*rm*-rf*|*rm*-r*|*state=absent*|*mkfs*|*dd*if=*|*shutdown*|*reboot*|*wipefs*|*userdel*; ansible-galaxy ** remove|delete; ansible * -m|--module-name @reboot|*.reboot; ansible-playbook @*destroy*|*delete*|*teardown*|*wipe*|*uninstall*|*reset*|*decommission* !--check|-C|--syntax-check|--list-tasks|--list-hosts|--list-tags; salt ** @*rm*-rf*|*state.purge*|system.reboot|system.shutdown|system.halt|*pkg.purge*|*file.remove*; salt-key -d|-D|--delete|--delete-all; knife ** delete|purge|remove; chef-client @*destroy*; puppet ** destroy|purge|clean; fab|pyinfra ** @*rm*-rf*; ansible-vault rekey",
        "changes many machines at once: run it with --check first, limit it (`--limit`), and let the user confirm",
    ),
    rule(
        "ansible-unseen",
        Strict,
        "ansible-playbook !--check|-C|--syntax-check|--list-tasks|--list-hosts|--list-tags|--version; puppet apply|agent !--noop; salt * state.apply|state.highstate !@test=True; terraform|tofu|tf apply; pulumi up; cdk deploy; serverless|sls deploy; helm install|upgrade !--dry-run; kubectl apply|create|replace|patch|edit|scale|set|label|annotate !--dry-run",
        "changes real infrastructure: show the plan first",
    ),
];
