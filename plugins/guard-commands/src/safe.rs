//! What may be deleted without asking: build output, caches, temporary files.

use crate::judge::Scene;
use hookbox_pack::Place;
use hookbox_pack::path::{normalise, under};
use hookbox_pack::words::wild;

/// Names of files and folders that a build, an install or a test run makes again. As a part of a path in the project.
const MADE_AGAIN: &[&str] = &[
    // dependencies
    "node_modules",
    "bower_components",
    "jspm_packages",
    ".pnpm-store",
    ".yarn",
    "vendor",
    "Pods",
    "Carthage",
    "deps",
    ".venv",
    "venv",
    "virtualenv",
    ".virtualenv",
    ".eggs",
    "*.egg-info",
    ".tox",
    ".nox",
    "elm-stuff",
    ".bundle",
    "Godeps",
    // build output
    "dist",
    "dist-*",
    "build",
    "build-*",
    "builds",
    "_build",
    ".build",
    "out",
    "output",
    "outputs",
    "target",
    "bin",
    "obj",
    "release",
    "debug",
    "Debug",
    "Release",
    "artifacts",
    "artifact",
    "generated",
    "gen",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".astro",
    ".docusaurus",
    ".vuepress",
    "_site",
    "site",
    "public/build",
    ".serverless",
    ".aws-sam",
    "cdk.out",
    "cdktf.out",
    ".vercel",
    ".netlify",
    ".expo",
    "DerivedData",
    "cmake-build-*",
    "CMakeFiles",
    "CMakeCache.txt",
    "dist-newstyle",
    ".stack-work",
    "zig-out",
    "zig-cache",
    ".zig-cache",
    "storybook-static",
    ".terraform",
    ".dart_tool",
    ".elixir_ls",
    "bazel-*",
    "buck-out",
    ".gradle",
    "classes",
    "lib64",
    "wheelhouse",
    "pkg",
    "result",
    "*.app",
    "*.dSYM",
    // caches
    ".cache",
    "cache",
    "caches",
    ".turbo",
    ".parcel-cache",
    ".vite",
    ".angular",
    ".eslintcache",
    ".stylelintcache",
    ".sass-cache",
    ".jekyll-cache",
    ".rpt2_cache",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".nx",
    ".swc",
    ".webpack",
    ".rollup.cache",
    "*_cache",
    "*-cache",
    "*.cache",
    // test runs
    "coverage",
    ".coverage",
    ".coverage.*",
    "htmlcov",
    ".nyc_output",
    "test-results",
    "test-output",
    "playwright-report",
    "cypress/videos",
    "cypress/screenshots",
    "lcov.info",
    "coverage.*",
    "reports",
    "allure-results",
    "junit.xml",
    // temporary
    "tmp",
    ".tmp",
    "temp",
    ".temp",
    "tmp-*",
    "tmp_*",
    "temp-*",
    "temp_*",
    "*.tmp",
    "*.temp",
    "*_tmp",
    "*-tmp",
    "scratch",
    "log",
    "logs",
    "*.log",
    "*.pid",
    "*.swp",
    "*.swo",
    "*~",
    "*.pyc",
    "*.pyo",
    "*.o",
    "*.obj",
    "*.class",
    "*.rej",
    "*.tsbuildinfo",
    "*.profraw",
    "*.gcda",
    "*.gcno",
    ".DS_Store",
    "Thumbs.db",
    "*.egg",
    "*.bak",
    "*.orig",
    // lock files that an install writes again
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lockb",
    "bun.lock",
    "npm-shrinkwrap.json",
    "Gemfile.lock",
    "Podfile.lock",
];

/// Caches in the home folder: what lies in them, not they themselves.
const HOME_CACHES: &[&str] = &[
    ".cache",
    ".npm",
    ".cargo/registry",
    ".cargo/git",
    ".gradle/caches",
    ".m2/repository",
    "Library/Caches",
    "Library/Developer/Xcode/DerivedData",
    ".pnpm-store",
    ".yarn/cache",
    ".yarn/berry/cache",
    ".bun/install/cache",
    "go/pkg/mod",
    ".ivy2/cache",
    ".nuget/packages",
    ".terraform.d/plugin-cache",
    ".local/share/pnpm/store",
    ".node-gyp",
    ".electron",
    ".sbt/boot",
];
/// What a container image's build clears.
const SYSTEM_CACHES: &[&str] = &[
    "/var/lib/apt/lists",
    "/var/cache/apt",
    "/var/cache/apk",
    "/var/cache/yum",
    "/var/cache/dnf",
    "/var/cache/debconf",
    "/var/cache/pacman/pkg",
];

/// Whether a path, or what a glob in it names, is made again by a build or is temporary.
pub(crate) fn made_again(scene: &Scene<'_>, place: Place, path: &str) -> bool {
    match place {
        Place::Temp | Place::Sink => true,
        Place::InProject => scene.places.in_project(path).is_some_and(is_made_again),
        Place::InHome => HOME_CACHES.iter().any(|cache| {
            let cache = normalise(&format!("{}/{cache}", scene.places.home));
            path != cache && under(path, &cache)
        }),
        Place::System => SYSTEM_CACHES.iter().any(|cache| under(path, cache)),
        _ => false,
    }
}

/// Whether some part of a relative path is build output, a cache or temporary.
pub(crate) fn is_made_again(path: &str) -> bool {
    let named = |part: &str| {
        MADE_AGAIN.iter().any(|name| {
            if name.contains('*') {
                wild(name, part)
            } else {
                *name == part
            }
        })
    };
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | "*"))
        .collect();
    if parts.contains(&".git") {
        return false;
    }
    // `{dist,build}` names each of them.
    let alternatives = |part: &str| match part.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(list) => list.split(',').all(named),
        None => named(part) || (part.ends_with('*') && part.len() > 3 && named(part.trim_end_matches('*'))),
    };
    parts.iter().any(|part| alternatives(part))
        || parts
            .windows(2)
            .any(|pair| MADE_AGAIN.contains(&format!("{}/{}", pair[0], pair[1]).as_str()))
}

/// Whether the settings call a path safe.
pub(crate) fn is_safe_by_settings(scene: &Scene<'_>, path: &str) -> bool {
    let given = &scene.guard.safe_paths;
    given.iter().any(|safe| {
        let folder = scene.places.absolute_text(safe, Some(scene.places.project));
        folder.is_some_and(|folder| under(path, &folder) && folder != "/")
    })
}

/// Whether the settings protect a path, or something in it.
pub(crate) fn is_protected(scene: &Scene<'_>, path: &str) -> bool {
    let given = &scene.guard.protected_paths;
    given.iter().any(|protected| {
        let folder = scene.places.absolute_text(protected, Some(scene.places.project));
        folder.is_some_and(|folder| under(path, &folder) || under(&folder, path))
    })
}
