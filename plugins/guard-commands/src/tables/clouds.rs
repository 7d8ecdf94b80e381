//! The clouds' own command lines: AWS, Google Cloud, Azure and the smaller ones, hosting platforms.

use hookbox_pack::Severity::{Ask, Block, Strict};
use hookbox_pack::{Rule, rule};

const CLOUD: &str = "deletes a resource in the cloud, its data with it: describe it first, take a backup or snapshot, and let the user confirm";
const HEAVY: &str = "deletes a whole service with its data, which nothing brings back: let the user do it";
const OBJECTS: &str = "deletes many stored objects at once: list them first (`--dryrun`), and let the user confirm";
const ACCESS: &str = "takes access or protection away: show the policy first and let the user confirm";
const PLATFORM: &str = "deletes what is deployed, or what it needs: let the user confirm";

pub(crate) const RULES: &[Rule] = &[
    // AWS
    rule(
        "aws-heavy",
        Block,
        "aws s3 rb --force; aws rds delete-db-*|delete-global-cluster !--dry-run; aws ec2 terminate-instances|delete-volume|delete-snapshot|delete-vpc !--dry-run; aws eks|ecs|redshift|elasticache|docdb|neptune|emr|memorydb|kafka|dax delete-cluster|delete-cache-cluster|delete-replication-group|terminate-job-flows|delete-db-*; aws dynamodb delete-table|delete-backup; aws cloudformation delete-stack|delete-stack-set; aws kms schedule-key-deletion|disable-key|delete-*; aws organizations delete-*|leave-organization|remove-account-from-organization|close-account; aws backup delete-*; aws efs|fsx delete-file-system; aws secretsmanager delete-secret --force-delete-without-recovery; aws route53 delete-hosted-zone; aws glacier|s3control delete-*; aws iam delete-account-*; aws cloudtrail delete-trail|stop-logging; aws es|opensearch delete-*-domain|delete-domain",
        HEAVY,
    ),
    rule(
        "aws-objects",
        Ask,
        "aws s3 rm --recursive !--dryrun; aws s3 rm !--dryrun; aws s3 rb !--dryrun; aws s3 sync --delete !--dryrun; aws s3 mv --recursive !--dryrun; aws s3api delete-*|put-bucket-lifecycle*|put-bucket-policy|put-public-access-block|delete-objects; s5cmd rm|rb; aws s3api put-bucket-acl|put-object-acl @public*; aws s3api put-bucket-versioning @*Suspended*; aws cloudfront create-invalidation",
        OBJECTS,
    ),
    rule(
        "aws-delete",
        Ask,
        "aws * delete-*|terminate-*|purge-*|deregister-*|remove-*|batch-delete-*|destroy-*|disable-*|schedule-key-deletion|stop-*|cancel-*|release-*|detach-*|disassociate-*|revoke-*|deactivate-*|reset-*|unsubscribe|drop-*|force-*|reject-*|reboot-*|abort-*|untag-*|unassign-*|wipe-*|forget-* !--dry-run|--dryrun|--generate-cli-skeleton",
        CLOUD,
    ),
    rule(
        "aws-secret",
        Ask,
        "aws secretsmanager put-secret-value|update-secret|rotate-secret|restore-secret|update-secret-version-stage|cancel-rotate-secret; aws ssm put-parameter --overwrite; aws kms put-key-policy",
        "replaces a secret that running services use: let the user do it",
    ),
    rule(
        "aws-zero",
        Ask,
        "aws ecs update-service @--desired-count=0; aws ecs update-service --desired-count @0; aws autoscaling ** --desired-capacity|--max-size @0; aws autoscaling ** @--desired-capacity=0|--max-size=0; aws lambda put-function-concurrency @0; aws route53 change-resource-record-sets @*DELETE*; aws rds modify-db-* --no-deletion-protection|--backup-retention-period; aws ec2 modify-instance-attribute --no-disable-api-termination; aws iam attach-*|put-*-policy @*AdministratorAccess*; aws ec2 authorize-security-group-ingress @0.0.0.0/0; aws rds restore-*|failover-*|promote-*; aws rds stop-*",
        CLOUD,
    ),
    // Google Cloud
    rule(
        "gcloud-heavy",
        Block,
        "gcloud projects delete; gcloud ** sql instances delete; gcloud ** container clusters delete; gcloud ** spanner|bigtable|filestore|redis|alloydb instances|databases|clusters delete; gcloud ** kms keys versions destroy; gcloud ** compute instances|disks|snapshots delete; gcloud ** firestore databases delete; gcloud ** organizations|folders delete; gcloud ** storage buckets delete; gsutil rb; gsutil ** rb; bq rm -r|-f|--recursive|--force|-d",
        HEAVY,
    ),
    rule(
        "gcloud-delete",
        Ask,
        "gcloud ** delete|bulk-delete|destroy|undeploy|remove-*|purge|reset|disable|revoke|detach-disk|stop|suspend|abandon|undelete-*|restore-backup|cancel|clear-*|unset-*|delete-* !--help|--dry-run|@help; gcloud auth revoke; bq rm|truncate; bq update --expiration; gcloud ** set-iam-policy; gcloud ** services disable; gcloud sql instances restart|promote-replica|failover|restore-backup; gcloud sql instances patch --no-backup; gcloud ** add-iam-policy-binding @*roles/owner*|*allUsers*",
        CLOUD,
    ),
    rule(
        "gcloud-objects",
        Ask,
        "gsutil ** rm; gsutil ** rsync -d !-n; gsutil ** acl|iam|defacl ch|set @*AllUsers*|*allUsers*; gcloud ** storage rm|rsync --recursive|-r|--delete-unmatched-destination-objects|-R|--all-versions !--dry-run; gcloud ** storage rm; gsutil ** lifecycle|versioning|retention set|off|clear; gsutil ** mv",
        OBJECTS,
    ),
    // Azure
    rule(
        "az-heavy",
        Block,
        "az group delete; az aks delete; az sql server|db|mi|elastic-pool delete; az storage account|container|share delete; az cosmosdb delete; az keyvault delete|purge; az vm delete; az postgres|mysql|mariadb ** delete; az redis delete; az account @cancel; az ad user|app|sp|group delete; az disk|snapshot delete; az backup ** delete|disable; az cosmosdb ** delete; az synapse ** delete; az deployment ** @--mode=Complete|Complete",
        HEAVY,
    ),
    rule(
        "az-delete",
        Ask,
        "az ** delete|purge|delete-batch|remove|deallocate|stop|reset|clear|revoke|revoke-access|disable|regenerate-key|renew-key|detach|undelete|delete-* !--help|-h|--dryrun|--dry-run; az deployment ** -c|--mode @Complete; azcopy remove|rm; azcopy sync|copy @--delete-destination=true|--delete-destination; azcopy jobs remove|clean; az acr run @*purge*; az rest @delete|DELETE",
        CLOUD,
    ),
    // other clouds
    rule(
        "cloud-delete",
        Ask,
        "doctl ** delete|destroy|d|rm|remove|undeploy|rebuild|power-off|shutdown; linode-cli ** delete|rebuild|rb|rm|shutdown; hcloud ** delete|rebuild|poweroff|shutdown|reset|detach|remove-*|disable-*; vultr-cli|vultr ** delete|destroy|reinstall|halt; scw ** delete|terminate|reset|rm; oci ** delete|terminate|bulk-delete|purge|schedule-deletion|empty !--help; ibmcloud ** delete|rm|*-delete|*-rm|*-remove|delete-*|unset; exo|exoscale ** delete|reset|stop; upctl ** delete|stop; civo ** delete|remove|rm|destroy; aliyun ** Delete*|Release*|Stop*|Remove*; tccli ** Delete*|Terminate*|Destroy*|Isolate*; ovhcloud ** delete|terminate; gandi ** delete; openstack ** delete|remove|unset|purge|rebuild; nova|cinder|glance|neutron|heat *delete*|stack-delete|*-delete; swift delete; packet|metal ** delete|deprovision; kamatera ** terminate; brev delete; runpodctl ** remove|stop; lambda ** terminate; vastai destroy|delete; modal ** delete|stop; huggingface-cli|hf ** delete|delete-cache|rm; wandb ** delete|purge|rm; mc rb|rm|mirror --force|--remove|-r|--recursive|--dangerous; mc rb|rm|undo; mc ** rm|rb --force|--all; minio-mc|mcli rb|rm; s3cmd del|rb|rm|sync|expire --recursive|-r|--force|-f|--delete-removed|--delete-after; s3cmd del|rb|rm|expire; b2 ** delete-bucket|delete-file-version|rm|cancel-*|hide-file; b2 sync --delete; mc admin ** remove|rm|disable|stop|decommission|delete; minio-client rm|rb; coscli|ossutil|ossutil64|obsutil|bcecmd rm|rb|delete|abort; databricks ** delete|rm|permanent-delete|*-delete|delete-*; snow ** drop|delete; dbt run-operation @*drop*|*delete*|*clean*; dbt ** --full-refresh; prefect ** delete; dagster run wipe; dagster ** wipe|delete; airflow ** delete|reset|clean|clear; airflow db reset|clean|downgrade; confluent ** delete; ccloud ** delete; aiven|avn ** delete|terminate|power-off|remove; elastic|ecctl|ec ** delete|shutdown|stop|reset; astra ** delete|destroy|remove; atlas ** delete|terminate|pause; neonctl|neon ** delete|reset|rm; pscale ** delete; turso ** destroy|invalidate|wipe; upstash ** delete|reset; xata ** delete; convex ** @*--replace*|clear; fauna ** delete; tiup ** destroy|clean|uninstall; mongocli ** delete|terminate; couchbase-cli *delete*|*-delete|bucket-flush|*remove*|failover; cbq @*DELETE*; redis-trib ** del-node; tencent ** Delete*",
        CLOUD,
    ),
    // hosting platforms
    rule(
        "platform-destroy",
        Ask,
        "heroku apps:destroy|destroy|apps:delete|pg:reset|pg:promote|pg:credentials:destroy|addons:destroy|addons:detach|config:unset|domains:remove|domains:clear|pipelines:destroy|releases:rollback|rollback|maintenance:on|ps:stop|ps:kill|access:remove|members:remove|keys:remove|keys:clear|certs:remove|drains:remove|redis:reset|spaces:destroy|teams:destroy|repo:reset|repo:purge_cache|pg:killall|pg:kill|webhooks:remove|container:rm|pg:backups:delete|authorizations:revoke|authorizations:destroy; heroku ps:scale @*=0; flyctl|fly ** drop|destroy|delete|remove|rm|unset|suspend|detach|stop|kill|revoke; fly|flyctl scale count 0; vercel|vc remove|rm|rollback; vercel|vc ** rm|remove|delete|purge; netlify|ntl *:delete|env:unset|unlink; netlify|ntl api @delete*; railway down|delete|unlink; railway ** delete|remove|rm|down; render ** delete|suspend|cancel; supabase projects|branches|functions|secrets|storage|domains|vanity-subdomains|sso|orgs|ssl-enforcement delete|rm|unset|remove|disable; supabase stop --no-backup; supabase db push --include-all|--force; supabase db reset; supabase migration repair|squash|down; firebase *:delete|*:remove|*:disable|hosting:disable|*:unset|*:destroy|*:reset|*:clear|apphosting:*:destroy|database:remove|auth:import|firestore:delete|firestore:databases:delete|functions:delete|hosting:channel:delete|hosting:sites:delete|remoteconfig:rollback|extensions:uninstall|projects:delete; wrangler|wrangler2 delete|rollback; wrangler ** delete|*:delete|remove|purge|bulk-delete|purge-*|clear|unpublish|cancel; wrangler kv:*|r2|d1|queues|pages|secret|kv|vectorize|hyperdrive|dispatch-namespace|mtls-certificate|deployments delete|* @delete|bulk|purge|remove; flarectl ** delete|d|purge|block; cloudflared tunnel|access delete|cleanup; fastly ** delete|purge|deactivate|unset; fastly purge; akamai ** delete|purge|deactivate|invalidate|remove; bunny|bunnycdn ** delete|purge; surge teardown; kamal ** remove; kamal remove; azd down; appwrite ** delete|delete-*; cap ** *:rollback|*:destroy|*:stop; planetscale ** delete; dokku ** destroy|*:destroy|*:unset|*:remove|*:clear|*:stop|*:purge-cache|apps:destroy|*:delete; dokku *:destroy|*:unset|*:stop; caprover ** delete|remove; cf|cf7|cf8 delete|delete-*|unbind-*|purge-*|unset-*|stop|remove-*|unmap-route|terminate; platform|upsun ** *:delete|delete|*:deactivate; platform|upsun *:delete|*:deactivate|*:clear-*; now rm|remove; clever delete|unlink; scalingo destroy|*-remove|*-delete|env-unset|stop; koyeb ** delete|pause; northflank delete; porter ** delete; cyclic|deta ** delete; gh-pages-clean; pm2 delete|flush|cleardump; deployctl ** delete|redeploy; expo|eas ** delete|*:delete; eas *:delete|*:rollback|*:cancel; ngrok ** delete; sentry-cli ** delete|remove|archive; sentry-cli releases delete; backstage ** delete; tailscale ** delete|remove|reset; auth0 ** delete|rm; okta ** delete; twilio ** remove|*:remove|delete; twilio *:remove|*:delete; shopify ** delete|*:delete|unpublish; shopify theme push --allow-live|--live|-a|-l; stripe ** delete|cancel|remove|deactivate|detach|void|void_invoice|expire|revoke|archive; stripe refunds|payouts|transfers|charges create @--live|*; stripe delete; square|braintree ** delete; contentful ** delete; sanity ** delete|unset|remove; hygraph delete; algolia ** delete|clear|purge; meilisearch delete",
        PLATFORM,
    ),
    rule(
        "cloud-access",
        Ask,
        "aws iam delete-*|detach-*|remove-*|deactivate-*|update-access-key|create-user|create-access-key|create-login-profile|update-login-profile|update-assume-role-policy|put-user-policy|put-role-policy|put-group-policy|attach-user-policy|add-user-to-group|set-default-policy-version|create-policy-version|upload-ssh-public-key; gcloud iam service-accounts keys create; az role assignment create @Owner|Contributor|*Administrator*; az ad sp create-for-rbac --role; az ad app|sp credential reset; gcloud iam ** delete|disable|remove-*; az role ** delete; gcloud ** firewall-rules delete",
        ACCESS,
    ),
    rule(
        "cloud-change",
        Strict,
        "aws * create-*|update-*|modify-*|put-*|run-*|start-*|attach-*|associate-*|register-*|enable-*|set-*|restore-* !--dry-run; gcloud ** create|deploy|update|set|patch|enable|resize|import; az ** create|update|set|start|restart|import; fly|flyctl deploy; vercel --prod; netlify deploy --prod; wrangler deploy|publish; firebase deploy; heroku restart|config:set; supabase db push; doctl ** create|update",
        "changes something in the cloud: say what and why",
    ),
];
