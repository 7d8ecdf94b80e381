//! The book's pages of the pack know every plugin and every setting.

use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn every_setting_of_every_plugin_is_in_the_book() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pack = fs::read_to_string(root.join("docs/plugins.md")).unwrap();
    let mut plugins = 0;
    for folder in fs::read_dir(root.join("plugins")).unwrap() {
        let Ok(manifest) = fs::read_to_string(folder.unwrap().path().join("plugin.json")) else {
            continue;
        };
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        let name = manifest["name"].as_str().unwrap();
        let own = fs::read_to_string(root.join(format!("docs/{name}.md"))).unwrap_or_default();
        assert!(
            pack.contains(&format!("## {name}\n")),
            "docs/plugins.md: {name} is missing"
        );
        for setting in manifest["settings"]["properties"].as_object().unwrap().keys() {
            let told = pack.contains(&format!("`{setting}`")) || own.contains(&format!("`{setting}`"));
            assert!(
                told || own.contains(&format!("\"{setting}\"")),
                "{name}: `{setting}` is in no page"
            );
        }
        plugins += 1;
    }
    assert!(plugins >= 8);
}

#[test]
fn every_condition_of_a_rule_is_in_the_book() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/rules.md")).unwrap();
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(root.join("plugins/rules/rules.schema.json")).unwrap()).unwrap();
    for key in schema["$defs"]["rule"]["properties"].as_object().unwrap().keys() {
        assert!(page.contains(&format!("`{key}`")), "docs/rules.md: `{key}` is missing");
    }
}
