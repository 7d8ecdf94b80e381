//! The commands that a call amounts to.

use super::Language;
use super::arguments::Argument;
use super::calls::{Reader, report};
use super::effects::Effect;
use super::tokens::tokens;
use crate::run::Call;
use crate::session::{Text, Walk};
use crate::{Redirect, Word};

impl Reader<'_, '_> {
    pub(super) fn act(&mut self, effect: Effect, arguments: Vec<Argument>, recursive: bool) -> Walk {
        let first = match arguments.first() {
            Some(Argument::One(text)) => text.clone(),
            Some(Argument::List(items)) => items.first().cloned().unwrap_or_else(Text::unknown),
            None => Text::unknown(),
        };
        let flat: Vec<Text> = arguments
            .iter()
            .flat_map(|argument| match argument {
                Argument::One(text) => std::slice::from_ref(text),
                Argument::List(items) => items,
            })
            .cloned()
            .collect();
        let mut words: Vec<Word> = flat.iter().map(word).collect();
        match effect {
            Effect::Shell => match arguments.as_slice() {
                [] => {
                    self.session.incomplete();
                    Ok(())
                }
                // `system("rm", "-rf", "x")` in Ruby and Perl.
                [Argument::One(_), Argument::One(_), ..]
                    if matches!(self.language, Language::Ruby | Language::Perl) =>
                {
                    self.program(words)
                }
                [Argument::List(_), ..] => {
                    let Some(Argument::List(items)) = arguments.first() else {
                        return Ok(());
                    };
                    self.program(items.iter().map(word).collect())
                }
                _ => self.session.script(&first),
            },
            Effect::Program => self.program(words),
            Effect::ProgramAfter(count) => {
                // The path, then the vector with a name of the program's own choosing in front.
                let at = count.min(words.len());
                let program = words.get(at.wrapping_sub(1)).cloned();
                let mut argv = words.split_off(at);
                if let (Some(program), Some(name)) = (program, argv.first_mut()) {
                    *name = program;
                }
                self.program(argv)
            }
            Effect::DeleteAll => self.command(&["rm", "-rf"], words),
            Effect::Delete => self.command(if recursive { &["rm", "-rf"] } else { &["rm"] }, words),
            Effect::RemoveFolder => self.command(&["rmdir"], words),
            Effect::Read => self.command(&["cat"], words.into_iter().take(1).collect()),
            Effect::Write => self.write(word(&first)),
            Effect::Open => {
                let mode = flat.get(1).map_or("r", |mode| mode.text.as_str());
                // Perl opens commands: `open(F, "rm x|")`, `open(F, "-|", "rm x")`.
                if mode.contains('|') && self.language == Language::Perl {
                    let command = flat.get(2).cloned().unwrap_or_else(|| Text {
                        text: mode.trim_matches(['|', '-', ' ']).into(),
                        known: true,
                    });
                    return self.session.script(&command);
                }
                let file = if self.language == Language::Perl && flat.len() > 2 {
                    &flat[2]
                } else {
                    &first
                };
                let file = if self.language == Language::Perl && flat.len() == 2 {
                    &flat[1]
                } else {
                    file
                };
                let bare = Text {
                    text: file.text.trim_start_matches(['<', '>', '+', ' ']).into(),
                    known: file.known,
                };
                if mode.contains(['w', 'a', 'x', '+', '>']) && !mode.starts_with('<') {
                    self.write(word(&bare))
                } else {
                    self.command(&["cat"], vec![word(&bare)])
                }
            }
            Effect::Move => self.command(&["mv"], words),
            Effect::Duplicate => self.command(&["cp", "-r"], words),
            Effect::Mode => self.command(&["chmod"], words.into_iter().rev().collect()),
            Effect::Truncate => self.write(word(&first)),
            Effect::Fetch => self.command(&["curl"], words.into_iter().take(1).collect()),
            Effect::Code => {
                if !first.known || arguments.is_empty() {
                    self.session.incomplete();
                }
                self.session.count(first.text.len())?;
                let (inner, whole) = tokens(self.language, &first.text);
                if !whole {
                    self.session.incomplete();
                }
                let language = self.language;
                self.session.deeper(|session| report(session, language, &inner))
            }
            Effect::Dynamic => {
                self.session.incomplete();
                Ok(())
            }
        }
    }

    fn program(&mut self, argv: Vec<Word>) -> Walk {
        if argv.is_empty() {
            self.session.incomplete();
            return Ok(());
        }
        // A single string may be a whole command line, with a shell or without.
        if let [only] = argv.as_slice()
            && only.text.contains(' ')
        {
            return self.session.script(&Text {
                text: only.text.clone(),
                known: only.known,
            });
        }
        self.session.run(Call {
            argv,
            assignments: Vec::new(),
            redirects: Vec::new(),
            in_shell: false,
        })
    }

    fn command(&mut self, name: &[&str], words: Vec<Word>) -> Walk {
        if words.is_empty() {
            return Ok(());
        }
        let argv = name.iter().map(|name| Word::literal(*name)).chain(words).collect();
        self.session.emit(argv, Vec::new(), Vec::new())
    }

    fn write(&mut self, target: Word) -> Walk {
        let redirect = Redirect {
            operator: ">".into(),
            target,
        };
        self.session.emit(vec![Word::literal(":")], Vec::new(), vec![redirect])
    }
}

fn word(text: &Text) -> Word {
    Word {
        text: text.text.clone(),
        known: text.known,
        glob: false,
    }
}
