//! Databases from outside SQL: whole databases dropped, migrations undone, dumps played over what is there.

use hookbox_pack::Severity::{Ask, Block, Strict};
use hookbox_pack::{Rule, rule};

const DROP: &str = "deletes a whole database: dump it first, and let the user do it";
const MIGRATION: &str = "deletes the data of the database that the project is connected to: make sure that it is a throw-away one, dump it, and let the user confirm; a new migration changes the schema without a loss";
const RESTORE: &str = "writes over what the database holds: dump it first and restore into a new one";

pub(crate) const RULES: &[Rule] = &[
    rule(
        "db-drop",
        Block,
        "dropdb; dropuser; mysqladmin|mariadb-admin ** drop|flush-hosts|shutdown|password; mysqladmin ** -f|--force @drop; pg_dropcluster; pg_resetwal|pg_resetxlog; rethinkdb @*drop*; influx delete; influx bucket|org|user|auth|v1 delete; influxd inspect @delete*; cockroach node decommission|drain; arangorestore @--overwrite*|--server.database @--overwrite*; neo4j-admin ** load|delete|unbind @--force|--overwrite*|*; dse|nodetool drain|decommission|removenode|assassinate|clearsnapshot|truncatehints|disable*|stopdaemon; clickhouse-backup delete|clean; firebird gfix -shut; mysql_install_db @--force; mongod @--repair|--shutdown; repmgr ** unregister|switchover; patronictl remove|reinit|failover|switchover|pause; gbak @-rep*|-r*; dolt reset|clean|branch --hard|-D|-f; surreal import; edgedb|gel ** drop|wipe|restore; edgedb|gel database|branch|instance drop|wipe|destroy; manticore @*drop*",
        DROP,
    ),
    rule(
        "db-restore",
        Ask,
        "pg_restore -c|--clean|-C|--create; mongorestore --drop; mysqlimport --delete|--replace|-d|-r; impdp @*table_exists_action=replace*|*TRUNCATE*; sqlpackage @*DropObjects*; redis-cli @--rdb; mongoimport --drop; cypher-shell @*detach*delete*|*drop*; etcdutl snapshot restore; influxd restore; pg_dump|pg_dumpall @-c|--clean; mysqldump|mariadb-dump --add-drop-database; psql|pgcli|mysql|mariadb|sqlite3 @*drop*.sql|*reset*.sql|*wipe*.sql|*truncate*.sql|*nuke*.sql|*destroy*.sql; clickhouse-backup restore; myloader -o|--overwrite-tables",
        RESTORE,
    ),
    rule(
        "migration-reset",
        Ask,
        "rails|rake|spring ** db:drop*|db:reset*|db:purge*|db:migrate:reset*|db:schema:load*|db:structure:load*|db:truncate_all*|db:seed:replant*; rails|rake ** runner|r @*delete_all*|*destroy_all*|*drop_table*|*truncate*; prisma migrate reset; prisma db push --force-reset|--accept-data-loss; prisma ** migrate reset; drizzle-kit drop; drizzle-kit push --force; sequelize|sequelize-cli db:drop|db:migrate:undo:all|db:seed:undo:all; typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm schema:drop; typeorm ** schema:sync; knex migrate:rollback --all; knex ** migrate:rollback --all; mikro-orm schema:drop|schema:fresh|migration:fresh; artisan|sail ** migrate:fresh|migrate:reset|migrate:refresh|db:wipe|schema:drop|tenants:migrate-fresh; php @artisan|*/artisan ** @migrate:fresh|migrate:reset|migrate:refresh|db:wipe; sail artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe; console ** doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load|doctrine:mongodb:schema:drop|d:d:d|d:s:d; php|symfony ** doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load; console|php|symfony ** doctrine:schema:update --force; php|symfony @bin/console|*/console|console @doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load; symfony console doctrine:*:drop; alembic ** downgrade base|-*|*; flask db downgrade base; manage.py|django-admin|django ** flush|reset_db|sqlflush|reset_schema|drop_test_database|delete_stale_contenttypes; python|python3|py|uv|poetry|pipenv ** manage.py|*/manage.py flush|reset_db|reset_schema; python|python3|py @*manage.py @migrate @zero; manage.py|django-admin migrate * zero; mix ecto.drop|ecto.reset|ash.reset|ash_postgres.drop; mix ecto.rollback --all; mix ** ecto.drop|ecto.reset|do @*ecto.drop*; dotnet ef database drop; dotnet-ef database drop; dotnet ef database update 0; dotnet-ef database update 0; flyway ** clean|undo|repair; flyway clean; mvn|mvnw|gradle|gradlew ** flyway:clean|flywayClean|liquibase:dropAll|liquibaseDropAll|dropAll; liquibase ** drop-all|dropAll|rollback*|clear-checksums; goose ** reset|down-to; goose ** reset; migrate ** drop; migrate -path|-database|-source ** down $; migrate ** down @-all|-all; migrate ** -path|-database|-source @drop; dbmate ** drop; dbmate drop; atlas schema clean; atlas ** clean|apply @--auto-approve; atlas schema apply --auto-approve; sqlx database|db drop|reset; cargo sqlx database|db drop|reset; diesel database|db reset|drop; diesel migration redo|revert --all|-a; diesel ** reset; sea-orm-cli migrate fresh|refresh|reset; cargo @loco|run db reset|drop|truncate; hasura metadata clear; supabase db reset; encore db reset; wasp db reset; blitz prisma migrate reset; redwood|rw|yarn ** rw prisma migrate reset; nx ** @*db:reset*|*db:drop*; npm|pnpm|yarn|bun run|run-script db:drop|db:reset|db:wipe|db:nuke|database:reset|database:drop|migrate:reset|migrate:fresh|prisma:reset|reset:db|drop:db|reset-db|drop-db|db:purge|destroy|db:destroy|infra:destroy; pnpm|yarn|bun db:drop|db:reset|db:wipe|migrate:reset|db:nuke; make|just|task|rake db-drop|drop-db|db-reset|reset-db|db-wipe|db-destroy|destroy|nuke|dropdb|resetdb|db_drop|db_reset|infra-destroy|tf-destroy|terraform-destroy|destroy-*|teardown|delete-cluster !-n|--dry-run|--just-print|--recon|--dry|--list|--summary; adonis|ace|node ** migration:fresh|migration:reset|db:wipe|migration:refresh; strapi ** @*reset*; keystone ** --reset-db; payload migrate:fresh|migrate:reset|migrate:refresh|migrate:down; medusa ** db:rollback|db:reset; phinx rollback -t|--target @0; yii ** migrate/fresh|migrate/down|cache/flush-all; yii migrate/fresh|migrate/redo; cake ** migrations @rollback; lando destroy|rebuild; ddev delete|remove -O|--omit-snapshot|-y|-a|--all; docksal|fin ** remove; meteor reset; rover ** delete; amplify ** purge; sqitch revert|rebase; pgroll rollback; fdbcli @*clear*|*configure*new*; manage.py sqlflush; python|python3 -m @django @flush|reset_db; graphile-migrate reset; db-migrate reset|drop|db:drop; db-migrate ** reset|db:drop",
        MIGRATION,
    ),
    rule(
        "migration-undo",
        Strict,
        "rails|rake ** db:rollback*|db:migrate:down; alembic ** downgrade; flask db downgrade; sequelize|sequelize-cli db:migrate:undo; typeorm ** migration:revert; knex migrate:rollback|migrate:down; artisan ** migrate:rollback; mix ecto.rollback; goose ** down; migrate ** down; dbmate rollback|down; sqlx migrate revert; diesel migration revert; prisma db push; drizzle-kit push",
        "undoes a change of the database's schema, its data with it: dump it first",
    ),
];
