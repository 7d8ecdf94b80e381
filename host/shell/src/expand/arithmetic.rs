//! Arithmetic: its value where it can be told, and the commands that evaluating it runs.

use shuck_ast::{ArithmeticAssignOp, ArithmeticBinaryOp as Op, ArithmeticExpr, ArithmeticExprNode, ArithmeticLvalue};
use shuck_ast::{ArithmeticPostfixOp, ArithmeticUnaryOp};

use crate::env::Value;
use crate::parse::{Refusal, Stack};
use crate::session::{Session, Text, Walk};
use crate::walk::Walker;

/// Source beyond which an expression may nest too deep for a small stack.
const SHORT: usize = 300;

impl Walker<'_> {
    /// The value of an expression. `source` is the whole expansion, brackets included.
    pub(crate) fn arithmetic(
        &mut self,
        source: &str,
        tree: Option<&ArithmeticExprNode>,
        word: Option<&shuck_ast::Word>,
    ) -> Walk<Option<i64>> {
        if self.session.stack == Stack::Callers && source.len() > SHORT {
            return Err(Refusal::NeedsStack);
        }
        let dollar = source.starts_with("$((");
        let inner = if dollar {
            source.get(3..source.len().saturating_sub(2)).unwrap_or("")
        } else {
            source
        };
        if !closes_last(inner) || (dollar && !source.ends_with("))")) {
            // `$((a) | (b))` is a substitution that begins with a subshell, as bash reads it.
            let script = match source.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')')) {
                Some(script) => script.to_owned(),
                None => format!("({source})"),
            };
            self.session
                .enter_substitution("$()", |session| session.script(&Text::known(script)))?;
            return Ok(None);
        }
        match (tree, word) {
            (Some(tree), _) => self.value(tree),
            (None, Some(word)) => {
                let word = self.single(word)?;
                self.session.evaluate(&word.text)?;
                Ok(word.known.then(|| number(&word.text)).flatten())
            }
            (None, None) => {
                self.session.incomplete();
                self.session.evaluate(source)?;
                Ok(None)
            }
        }
    }

    fn value(&mut self, node: &ArithmeticExprNode) -> Walk<Option<i64>> {
        Ok(match &node.kind {
            ArithmeticExpr::Number(text) => number(text.slice(self.source)),
            ArithmeticExpr::Variable(name) => self.variable_value(name)?,
            ArithmeticExpr::Indexed { name, index } => {
                self.value(index)?;
                self.variable_value(name)?;
                None
            }
            ArithmeticExpr::ShellWord(word) => {
                let word = self.single(word)?;
                self.session.evaluate(&word.text)?;
                word.known.then(|| number(&word.text)).flatten()
            }
            ArithmeticExpr::Parenthesized { expression } => self.value(expression)?,
            ArithmeticExpr::Unary { op, expr } => {
                let value = self.value(expr)?;
                let step = match op {
                    ArithmeticUnaryOp::PreIncrement => 1,
                    ArithmeticUnaryOp::PreDecrement => -1,
                    _ => 0,
                };
                let value = value.and_then(|value| match op {
                    ArithmeticUnaryOp::Minus => value.checked_neg(),
                    ArithmeticUnaryOp::LogicalNot => Some(i64::from(value == 0)),
                    ArithmeticUnaryOp::BitwiseNot => Some(!value),
                    _ => value.checked_add(step),
                });
                if step != 0 {
                    self.assign(expr, value);
                }
                value
            }
            ArithmeticExpr::Postfix { expr, op } => {
                let value = self.value(expr)?;
                let step = if matches!(op, ArithmeticPostfixOp::Increment) {
                    1
                } else {
                    -1
                };
                self.assign(expr, value.and_then(|value| value.checked_add(step)));
                value
            }
            ArithmeticExpr::Binary { left, op, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match (left, right) {
                    (_, right) if matches!(op, Op::Comma) => right,
                    (Some(left), Some(right)) => compute(left, *op, right),
                    _ => None,
                }
            }
            ArithmeticExpr::Conditional {
                condition,
                then_expr,
                else_expr,
            } => {
                let condition = self.value(condition)?;
                let (yes, no) = (self.value(then_expr)?, self.value(else_expr)?);
                condition.and_then(|condition| if condition != 0 { yes } else { no })
            }
            ArithmeticExpr::Assignment { target, op, value } => {
                let value = self.value(value)?;
                match target {
                    ArithmeticLvalue::Variable(name) => {
                        let value = value.filter(|_| matches!(op, ArithmeticAssignOp::Assign));
                        self.session.env.set(name, number_value(value));
                        value
                    }
                    ArithmeticLvalue::Indexed { name, index } => {
                        self.value(index)?;
                        self.session.env.set(name, Value::Unknown);
                        None
                    }
                }
            }
        })
    }

    fn assign(&mut self, target: &ArithmeticExprNode, value: Option<i64>) {
        if let ArithmeticExpr::Variable(name) = &target.kind {
            self.session.env.set(name, number_value(value));
        }
    }

    fn variable_value(&mut self, name: &str) -> Walk<Option<i64>> {
        match self.session.variable(name) {
            Value::Text(text) => {
                self.session.evaluate(&text)?;
                Ok(number(&text))
            }
            Value::Unset => Ok(Some(0)),
            _ => Ok(None),
        }
    }
}

impl Session {
    /// Text that the shell evaluates as an expression or as a variable's name: the substitutions in it run, and those
    /// in the values of the variables that it names (`x='a[$(cmd)]'; echo $((x))`).
    pub(crate) fn evaluate(&mut self, text: &str) -> Walk {
        let runs = |text: &str| text.contains("$(") || text.contains('`');
        let mut hidden: Vec<String> = Vec::new();
        if runs(text) {
            hidden.push(text.into());
        }
        for name in text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_') {
            for value in self.env.values(name) {
                if let Value::Text(value) = value
                    && runs(value)
                    && value != text
                {
                    hidden.push(value.clone());
                }
            }
        }
        for text in hidden {
            self.step()?;
            self.reread(&text)?;
        }
        Ok(())
    }
}

/// Whether no bracket closes before it opens: then the first bracket of `((…))` is closed by the last.
fn closes_last(inner: &str) -> bool {
    let mut depth = 0usize;
    let mut bytes = inner.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    true
}

fn number_value(value: Option<i64>) -> Value {
    value.map_or(Value::Unknown, |value| Value::Text(value.to_string()))
}

fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16).ok()?
    } else if let Some((base, digits)) = digits.split_once('#') {
        let base = base.parse::<u32>().ok().filter(|base| (2..=36).contains(base))?;
        i64::from_str_radix(digits, base).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        i64::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(if negative { -value } else { value })
}

fn compute(left: i64, op: Op, right: i64) -> Option<i64> {
    let truth = |value: bool| Some(i64::from(value));
    match op {
        Op::Comma => Some(right),
        Op::Power => u32::try_from(right).ok().and_then(|right| left.checked_pow(right)),
        Op::Multiply => left.checked_mul(right),
        Op::Divide => left.checked_div(right),
        Op::Modulo => left.checked_rem(right),
        Op::Add => left.checked_add(right),
        Op::Subtract => left.checked_sub(right),
        Op::ShiftLeft => u32::try_from(right).ok().and_then(|right| left.checked_shl(right)),
        Op::ShiftRight => u32::try_from(right).ok().and_then(|right| left.checked_shr(right)),
        Op::LessThan => truth(left < right),
        Op::LessThanOrEqual => truth(left <= right),
        Op::GreaterThan => truth(left > right),
        Op::GreaterThanOrEqual => truth(left >= right),
        Op::Equal => truth(left == right),
        Op::NotEqual => truth(left != right),
        Op::BitwiseAnd => Some(left & right),
        Op::BitwiseXor => Some(left ^ right),
        Op::BitwiseOr => Some(left | right),
        Op::LogicalAnd => truth(left != 0 && right != 0),
        Op::LogicalOr => truth(left != 0 || right != 0),
    }
}
