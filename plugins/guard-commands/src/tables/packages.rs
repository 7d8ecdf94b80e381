//! Package registries: what is published cannot be taken back quietly, what is taken back breaks others.

use hookbox_pack::Severity::{Ask, Block, Strict};
use hookbox_pack::{Rule, rule};

const UNPUBLISH: &str = "takes a published version away from everybody who uses it: publish a fixed version and deprecate the old one; let the user do it";
const PUBLISH: &str = "publishes for everybody, for good: try --dry-run first and let the user publish";

pub(crate) const RULES: &[Rule] = &[
    rule(
        "unpublish",
        Block,
        "npm|pnpm|yarn|bun unpublish !--dry-run; yarn npm @unpublish; cargo yank !--undo; gem yank; pod trunk delete|deprecate; nuget delete; dotnet nuget delete; mix hex.retire|hex.publish --revert; mix hex.publish @--revert*; pub|dart ** @retract; vsce unpublish; ovsx unpublish; jsr ** @unpublish; crane|skopeo|oras|regctl|reg delete|tag @*delete*|delete|*; skopeo delete; crane delete; oras manifest|blob delete; regctl ** delete|rm; reg rm; jf|jfrog rt|artifactory del|delete|dl|* @del|delete; jf rt del|delete|clean; anaconda remove; npm access|owner|team|org|dist-tag|token rm|remove|revoke|destroy|delete; npm|pnpm|yarn owner|team|org|token|dist-tag rm|remove|revoke|destroy; cargo owner --remove|-r; gem owner -r|--remove; luarocks remove @--server*",
        UNPUBLISH,
    ),
    rule(
        "publish",
        Ask,
        "npm|pnpm|bun publish !--dry-run; yarn publish !--dry-run; yarn npm publish; npm deprecate; npm hook add|rm|update; lerna|nx publish|release !--dry-run|--skip-publish|--no-push; changeset|semantic-release publish !--dry-run|--dry-run=true; semantic-release !--dry-run|-d; cargo publish !--dry-run|-n; cargo release --execute|-x; twine|hatch|flit|poetry|uv|pdm|rye|maturin upload|publish !--dry-run; python|python3 -m @twine @upload; gem push; dotnet nuget push; nuget push; mvn|mvnw ** deploy|release:perform|nexus-staging:release; gradle|gradlew|./gradlew ** publish|publishToSonatype|publishToMavenCentral|closeAndReleaseRepository|publishPlugins|uploadArchives !--dry-run|-m; sbt ** publish|publishSigned|sonatypeRelease; mix hex.publish; dart|flutter|pub pub publish !--dry-run|-n; dart|flutter|pub publish !--dry-run|-n; pod trunk push; vsce|ovsx publish; jsr|deno publish !--dry-run; goreleaser release !--snapshot|--skip=publish|--skip-publish; anaconda upload; luarocks upload; stack|cabal upload --publish; elm publish; opam publish; snapcraft upload|push|release; charmcraft upload|release; fastlane deliver|supply|pilot|release|deploy; eas submit; xcrun altool @--upload-app; asc @*submit*; web-ext sign; release-it !--dry-run; np; helm push; crane push; oras push",
        PUBLISH,
    ),
    rule(
        "packages-risky",
        Ask,
        "pip|pip3 install --break-system-packages; pip|pip3 uninstall @*freeze*|-r*|--requirement*|…; npm uninstall|remove|rm|un -g|--global @npm; npm config set registry; npm set registry; npm audit fix --force; gem uninstall -a|--all|-aIx|-x|-I; conda|mamba|micromamba remove --all|--force; conda|mamba|micromamba env remove; rustup self uninstall; rustup toolchain uninstall|remove; nvm uninstall|deactivate; pyenv uninstall; rbenv uninstall; asdf|mise uninstall|implode; sdk uninstall; ghcup nuke|rm; brew bundle cleanup --force|-f; brew cleanup --prune=all|-s",
        "removes tools or changes many packages at once: name the one package, without --force",
    ),
    rule(
        "packages-remove-own",
        Strict,
        "npm|pnpm|yarn|bun uninstall|remove|rm|un; pip|pip3 uninstall; poetry|uv|pdm remove; cargo remove|uninstall; gem uninstall; composer remove; go get @*@none; brew uninstall|remove|rm; docker push",
        "removes a dependency: say why",
    ),
];
