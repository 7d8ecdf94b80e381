//! Code hosting and CI, secrets, backups, queues, DNS, monitoring, feature flags, gateways.

use hookbox_pack::Severity::{Ask, Block, Strict};
use hookbox_pack::{Rule, rule};

const HOSTING: &str = "deletes something that others see and use: let the user confirm; `gh … list` or `view` shows it";
const SECRET: &str =
    "takes a secret, or the way to it, from what uses it: read who uses it first and let the user do it";
const BACKUP: &str =
    "deletes backups, the last way back: run it with --dry-run, show the list, and let the user confirm";
const SYNC: &str =
    "makes the target equal to the source and deletes the rest: run it with --dry-run first and show the list";
const QUEUE: &str = "deletes messages, or what holds them: describe it first and let the user confirm";
const OPERATIONS: &str = "removes what a running service needs: let the user confirm";

pub(crate) const RULES: &[Rule] = &[
    // code hosting and CI
    rule(
        "repository-delete",
        Block,
        "gh repo delete; glab repo|project delete; hub delete; tea repo|repos delete; bb repo delete; az repos delete; aws codecommit delete-repository; gh api ** -X|--method @DELETE|delete @/repos/*|repos/*; gcloud source repos delete",
        "deletes a repository with its issues and history, for everybody: `gh repo archive` keeps it; let the user do it",
    ),
    rule(
        "hosting-delete",
        Ask,
        "gh repo archive|rename|edit --visibility|-y|--yes|--default-branch; gh repo archive; gh repo sync --force; gh repo deploy-key delete; gh release delete|delete-asset; gh issue|discussion delete|transfer|lock; gh gist|ssh-key|gpg-key|label|codespace|cs|project|cache|ruleset|milestone|extension delete|remove|item-delete|field-delete; gh secret|variable delete|remove|rm; gh workflow disable; gh run delete|cancel; gh auth logout; gh pr merge --admin; gh pr close --delete-branch|-d; gh api ** -X|--method @*/protection; gh codespace delete; gh alias delete|import; gh org @delete; gh attestation @delete; gh project close; gh api @DELETE|-XDELETE|--method=DELETE|--method=delete; gh api -X|--method @DELETE|delete; gh api graphql @*delete*; glab ** delete|rm|remove|unapprove|revoke; glab ci cancel; glab api @DELETE|-XDELETE; glab api -X|--method @DELETE|delete; glab variable|release|issue|mr|label|snippet|schedule|token|deploy-key|ssh-key delete|rm; tea ** delete|rm|d; bkt ** delete; hub release|gist delete; gitea admin ** delete; gitlab-ctl stop; svn delete|rm|del @http*|svn*; jira ** delete; linear ** delete; acli ** delete",
        HOSTING,
    ),
    // other version control, and tools that rewrite history
    rule(
        "vcs-discard",
        Ask,
        "hg strip|purge|rollback; hg update|up|checkout|co -C|--clean; hg revert -a|--all|-C|--no-backup; hg push -f|--force; svn revert -R|--recursive; svn cleanup --remove-unversioned|--remove-ignored; jj abandon; jj op|operation restore|abandon|undo; jj restore; p4 obliterate; p4 revert *; fossil purge|revert; darcs obliterate|revert|unrecord; bzr|brz revert|uncommit; sl purge|hide; bfg @--*; java @*bfg*.jar",
        "throws away changes or history that nothing brings back: list what it means first (`hg status`, `svn diff`, `jj diff`), and save it",
    ),
    rule(
        "ci-delete",
        Ask,
        "gitlab-runner unregister|uninstall|stop; gitlab-rails runner|console; gitlab-rake @*drop*|*restore*|*cleanup*|*delete*|*reset*; circleci context|namespace|orb|pipeline|policy|runner delete|remove-secret|unlist|unpublish|remove; circleci ** delete|remove-secret; java @*jenkins-cli*.jar @delete-*|shutdown|safe-shutdown|quiet-down|disable-job|disable-plugin|groovy|offline-node|disconnect-node|clear-queue|restart|safe-restart|cancel-quiet-down|remove-job-from-view; jenkins-cli|jenkins ** delete-*|shutdown|safe-shutdown|groovy|offline-node|disable-*; drone ** rm|remove|disable; buildkite-agent|bk ** delete|stop|cancel; travis ** disable|cancel|clear|delete|unset; travis disable|cancel|cache @--delete|*; buildah rm|rmi --all|-a; woodpecker-cli ** rm|purge; semaphore|sem delete|stop; teamcity ** delete; fly ** destroy-pipeline|destroy-team|prune-worker|clear-task-cache|clear-resource-cache; spin ** delete; azdo ** delete; octopus ** delete; bitrise ** delete; appcenter ** delete; fastlane ** nuke|@nuke; fastlane match nuke; sonar ** delete; codecov ** delete; dagger ** @prune",
        HOSTING,
    ),
    rule(
        "repository-server",
        Block,
        "gitlab-ctl cleanse|uninstall|remove-accounts; gitlab-backup restore; gitea @doctor @--fix; gitlab-rake gitlab:backup:restore|gitlab:setup|db:drop",
        HOSTING,
    ),
    // secrets
    rule(
        "secrets-delete",
        Ask,
        "vault delete; vault kv metadata @delete; vault kv delete|destroy|rollback|undelete; vault secrets|auth|audit disable|move; vault policy|namespace|plugin delete|deregister; vault lease|token revoke; vault token revoke; vault operator seal|rekey|step-down|generate-root|migrate; vault operator raft remove-peer; vault operator raft snapshot restore; vault write @*/rotate*|*revoke*|*tidy*; op item|document|group|user|vault|connect|account|service-account delete|suspend|forget|remove; doppler ** delete|revoke|unset|reset|rollback; doppler secrets|configs|projects|environments|service-tokens|tokens delete|revoke; infisical ** delete|revoke|reset; bw|bws delete ** *; bw delete|purge; bws ** delete; pass rm|remove|delete|del; gopass rm|delete|remove|unset; chamber delete; credstash delete|deleteall|putall; akeyless delete-*|delete; conjur ** delete|revoke; keybase ** delete; lpass rm|rmdir; dashlane|dcli ** delete; sops @--rm-*; berglas delete|revoke; teller delete; keeper ** rm|delete|rmdir; secret-tool clear; az keyvault secret|key|certificate delete|purge; gcloud secrets delete; gcloud secrets versions destroy|disable; step ca revoke; certbot revoke|delete|unregister; acme.sh @--revoke|--remove|--deactivate; teleport|tctl rm|users|nodes @*rm*|delete|reset; boundary ** delete; kubeseal @--re-encrypt",
        SECRET,
    ),
    // backups and copies
    rule(
        "backup-delete",
        Ask,
        "restic forget|prune|rewrite !--dry-run|-n; restic key remove; restic unlock --remove-all; borg|borg2 delete|prune|compact|rdelete|repo-delete|break-lock|recreate|rename|undelete !--dry-run|-n; borgmatic prune|compact|delete|repo-delete; velero ** delete; velero backup|restore|schedule|snapshot|backup-location|snapshot-location delete; duplicity remove-*|cleanup|collection-status --force; duplicity remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full; duplicacy prune|delete; kopia ** delete|expire|drop|disconnect|unset|clear|gc; kopia snapshot|policy|repository|cache|content|blob|maintenance delete|expire|clear|gc|disconnect; rdiff-backup @--remove-older-than|--remove-older-than=*; tarsnap -d; tarsnap @--nuke|--fsck-prune; timeshift @--delete|--delete-all|--restore; tmutil delete|deletelocalsnapshots|disable|thinlocalsnapshots|deleteinprogress; snapper ** delete|remove|cleanup|undochange|rollback|delete-config; pgbackrest stanza-delete|expire|restore; pgbackrest ** stanza-delete|expire; wal-g delete; wal-e delete; barman delete|delete-backup|switch-wal; bup rm|gc|prune-older; zbackup gc; bacula|bconsole @*delete*|*purge*|*prune*; proxmox-backup-client|proxmox-backup-manager ** forget|prune|remove|delete; vzdump @--prune-backups*|--remove*; vssadmin delete|resize; wbadmin delete|disable; wmic shadowcopy delete; attic delete|prune; zrepl zfs-abstraction release-all|release-stale; sanoid @--prune-snapshots|--force-prune; rsnapshot @*delete*; backupninja @--now; etckeeper uninit; k8up delete; longhornctl ** delete; autorestic forget|exec @*forget*|*prune*|*; rustic forget|prune|key !--dry-run|-n",
        BACKUP,
    ),
    rule(
        "rclone-delete",
        Ask,
        "rclone delete|deletefile|purge|rmdir|rmdirs|cleanup|dedupe|move|moveto|sync|bisync|settier !--dry-run|-n|-i|--interactive; rclone config delete|disconnect; lftp ** @*mirror*--delete*|*mrm*; unison @-force|-batch @-force; syncthing cli @*remove*; robocopy @/MIR|/mir|/PURGE|/purge|/MOVE|/MOV; dropbox @delete; gdrive ** delete|trash|empty; gam ** delete|purge|wipe|remove|empty|clear|suspend; osync @--delete*; csync2 -R; drbdadm wipe-md|create-md|invalidate|down|disconnect; hdfs dfs|fs|dfsadmin|namenode|haadmin @-rm*|-expunge|-rmr|-format|-deleteSnapshot|-truncate; hadoop fs|dfs @-rm*|-expunge|-rmr; gluster volume|peer|snapshot delete|stop|detach|remove-brick|reset; ceph osd|mds|mon|fs|auth|pool|mgr|config|orch rm|purge|destroy|out|down|remove|del|zap|delete|fail|lost|crush; ceph osd pool delete|rm; rbd rm|remove|snap|trash|pool @rm|purge|remove|*; rados rm|purge|rmpool|rollback; rbd rm|remove; ceph-volume lvm zap; radosgw-admin ** rm|purge|remove|delete; ipfs ** rm; ipfs repo gc; git-annex drop|dropunused|dead|uninit --force|-f; dvc gc|destroy|remove -f|--force|-w|-c|--cloud; dvc gc|destroy; git-lfs prune|uninstall --force",
        SYNC,
    ),
    // queues
    rule(
        "queue-delete",
        Ask,
        "kafka-topics|kafka-topics.sh --delete; kafka-consumer-groups|kafka-consumer-groups.sh --delete|--delete-offsets; kafka-consumer-groups|kafka-consumer-groups.sh --reset-offsets !--dry-run; kafka-configs|kafka-configs.sh --delete-config; kafka-acls|kafka-acls.sh --remove; kafka-delete-records|kafka-delete-records.sh; kafka-streams-application-reset|kafka-streams-application-reset.sh !--dry-run; kafka-leader-election|kafka-reassign-partitions|kafka-leader-election.sh|kafka-reassign-partitions.sh --execute|--cancel|--election-type; kafka-server-stop|kafka-server-stop.sh|zookeeper-server-stop|zookeeper-server-stop.sh; kafka-storage|kafka-storage.sh format; kafkactl ** delete|reset; rpk ** delete|trim-prefix|decommission|seek|remove|prune|purge; rabbitmqctl reset|force_reset|force_boot|stop|stop_app|shutdown|close_connection|close_all_connections|delete_*|clear_*|remove_*|purge_queue|forget_cluster_node|eval|change_password|hard_kill; rabbitmqadmin ** delete|purge|close; rabbitmqadmin delete|purge|close; rabbitmq-plugins disable; nats stream|str|consumer|con|kv|object|obj|bucket|context rm|delete|del|purge|seal|compact; nsc delete|revocations; pulsar-admin ** delete|delete-*|clear-backlog|unload|terminate|skip*|reset-cursor|expire-messages*|remove-*|force-delete|truncate; celery ** purge|queue.purge|queue.delete; celery ** control shutdown; rq empty; rqscheduler delete; mosquitto_ctrl ** delete*|remove*; activemq purge; activemq ** purge|delete; artemis ** delete|purge; emqx ctl @*delete*|*ban*; emqx_ctl ** delete|del|kick|ban; temporal ** delete|terminate|reset|cancel; tctl workflow|namespace|wf delete|terminate|reset|cancel|term; beanstalk-cli delete; aws sqs purge-queue; faktory ** flush; bull ** clean|obliterate; sidekiqctl quiet|stop; gcloud pubsub ** delete|seek; zbctl cancel|delete",
        QUEUE,
    ),
    // DNS, web servers, gateways, monitoring, flags
    rule(
        "operations-delete",
        Ask,
        "splunk clean|remove|delete|stop|disable|offline; datadog-ci ** delete; dog ** delete|mute; pd|pd-cli ** delete|rm|*:delete|*:remove; pd *:delete|*:remove|*:disable; amtool silence expire; grafana-cli plugins|admin uninstall|remove|reset-admin-password; grafana cli @*reset-admin*|*remove*|*uninstall*; newrelic ** delete|deleteTag; honeymarker rm; icinga2 ** remove; ldcli ** delete|archive|toggle-off; launchdarkly|flipt|unleash|splitio|splitctl|flagsmith ** delete|archive|disable|toggle-off|kill; deck reset|sync; deck gateway reset|sync; apigeecli ** delete|undeploy; apigeecli delete; tyk ** delete; gravitee delete; rndc delzone|flush|flushname|stop|halt|freeze; pdnsutil|pdns_control delete-*|purge|delete-zone|delete-rrset|clear-zone|secure-all-zones; knotc zone-purge|zone-unset|conf-unset|stop; unbound-control flush_zone|local_zone_remove|stop|flush*; octodns-sync --doit|--force; dnscontrol push; lexicon ** delete; flarectl dns delete; cli53 delete|rrdelete|rrpurge; varnishadm @*ban*|stop|vcl.discard|*; caddy stop; ha-cluster-remove; crm ** delete|stop|standby|remove; pcs ** delete|stop|destroy|remove|disable|standby; elasticsearch-node repurpose|unsafe-bootstrap|detach-cluster|override-version|remove-settings|remove-customs; elasticsearch-users|elasticsearch-keystore|elasticsearch-plugin userdel|remove|delete; curator_cli|curator ** delete_indices|delete_snapshots|close; elasticsearch-reset-password; kong config @db_import; kong migrations @reset; solr delete|stop -c|-all|-p; solr delete; opensearch-plugin remove; logstash-plugin remove; ipa *-del|*-disable; ldapdelete|ldapmodrdn; samba-tool ** delete|remove; kadmin|kadmin.local -q @*delprinc*|*delpol*; postsuper -d|-h; postqueue -f; exim -Mrm|-Mg; mailman rmlist; doveadm expunge; asterisk -rx @*stop*|*; wp db|site|post|user|plugin|option|comment|media|term|cache|theme reset|drop|clean|empty|delete|destroy|import|uninstall; drush sql-drop|sql:drop|site-install|si|sqlq|sql-query|entity:delete|pm:uninstall|user:cancel; magento ** uninstall|setup:uninstall|setup:rollback; moosh *-delete|*-purge; occ ** delete|remove|*:delete|*:remove|files:cleanup; discourse remap|destroy|rebuild|cleanup",
        OPERATIONS,
    ),
    rule(
        "hosting-change",
        Strict,
        "gh pr|issue close|merge|edit|lock|comment; gh release create|upload|edit; gh repo edit|create|rename; gh secret|variable set; glab mr|issue close|merge",
        "changes what others see: say what and why",
    ),
];
