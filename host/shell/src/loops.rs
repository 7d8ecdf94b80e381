//! Commands that are walked more than once, or not for certain: branches, loops and `case`.

use shuck_ast::{CaseCommand, ForCommand, IfCommand, StmtSeq};

use crate::env::Value;
use crate::session::Walk;
use crate::walk::{Walker, value_of};

/// Rounds of a `for` loop that are looked at one by one.
const MAX_ROUNDS: usize = 16;

impl Walker<'_> {
    pub(crate) fn branches(&mut self, command: &IfCommand) -> Walk {
        self.sequence(&command.condition)?;
        let conditional = std::mem::replace(&mut self.session.place.conditional, true);
        let mut skipped = self.session.env.branch();
        self.sequence(&command.then_branch)?;
        let mut taken = vec![self.session.env.branch()];
        for (condition, body) in &command.elif_branches {
            self.session.env.restore(skipped);
            self.sequence(condition)?;
            skipped = self.session.env.branch();
            self.sequence(body)?;
            taken.push(self.session.env.branch());
        }
        self.session.env.restore(skipped);
        if let Some(body) = &command.else_branch {
            self.sequence(body)?;
        }
        for branch in taken {
            self.session.env.join(&branch);
        }
        self.session.place.conditional = conditional;
        Ok(())
    }

    /// A loop's parts, walked twice so that the second round sees what the first one set.
    pub(crate) fn rounds(&mut self, parts: &[&StmtSeq]) -> Walk {
        let conditional = std::mem::replace(&mut self.session.place.conditional, true);
        let before = self.session.env.branch();
        let first = self.session.out.commands.len();
        parts.iter().try_for_each(|part| self.sequence(part))?;
        self.session.env.join(&before);
        if self.session.env.changed_since(&before) {
            parts.iter().try_for_each(|part| self.sequence(part))?;
            self.session.env.join(&before);
            self.drop_repeated(first);
        }
        self.session.place.conditional = conditional;
        Ok(())
    }

    pub(crate) fn for_loop(&mut self, command: &ForCommand) -> Walk {
        let words = match &command.words {
            Some(words) => self.words(words)?,
            None => self.session.env.args.as_deref().unwrap_or(&[]).to_vec(),
        };
        let Some(name) = command.targets.first().and_then(|target| target.name.as_ref()) else {
            self.session.incomplete();
            return self.rounds(&[&command.body]);
        };
        let first = self.session.out.commands.len();
        let before = self.session.env.branch();
        let conditional = self.session.place.conditional;
        let unknown = command.words.is_none() && self.session.env.args.is_none();
        if unknown || words.is_empty() || words.len() > MAX_ROUNDS {
            self.session.env.set(name, Value::Unknown);
            self.rounds(&[&command.body])?;
        } else {
            for word in &words {
                self.session.step()?;
                self.session.env.set(name, value_of(word));
                self.sequence(&command.body)?;
            }
        }
        // Later rounds see what earlier ones set; a loop over few words is unrolled, so this holds already.
        self.session.env.join(&before);
        self.session.place.conditional = conditional;
        if words.len() > 1 {
            self.drop_repeated(first);
        }
        Ok(())
    }

    pub(crate) fn case(&mut self, command: &CaseCommand) -> Walk {
        self.single(&command.word)?;
        let conditional = std::mem::replace(&mut self.session.place.conditional, true);
        let before = self.session.env.branch();
        let mut after = Vec::new();
        for item in &command.cases {
            self.session.env.restore(before.clone());
            for pattern in &item.patterns {
                self.pattern(pattern)?;
            }
            self.sequence(&item.body)?;
            after.push(self.session.env.branch());
        }
        self.session.env.restore(before);
        for branch in after {
            self.session.env.join(&branch);
        }
        self.session.place.conditional = conditional;
        Ok(())
    }
}
