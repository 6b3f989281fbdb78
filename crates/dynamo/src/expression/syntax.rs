//! The grammar of operands, conditions and the right sides of SET: tokens to a tree of words.
//!
//! The parser keeps its own stack, so that no nesting in an expression can exhaust the thread's. It reports the first
//! token after which no valid expression could go on, which is the token DynamoDB reports.

use crate::limits;

use super::fault::Fault;
use super::lexer::{Token, TokenKind, tokenize};

/// A parsed but unchecked expression. Parentheses are not kept: the shape of the tree says what they said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node<'t> {
    Path(Vec<Step<'t>>),
    Value(&'t str),
    Call { name: &'t str, arguments: Vec<Node<'t>> },
    Compare { operator: Comparison, left: Box<Node<'t>>, right: Box<Node<'t>> },
    Between { operand: Box<Node<'t>>, low: Box<Node<'t>>, high: Box<Node<'t>> },
    In { operand: Box<Node<'t>>, candidates: Vec<Node<'t>> },
    Not(Box<Node<'t>>),
    And(Vec<Node<'t>>),
    Or(Vec<Node<'t>>),
    Arithmetic { operator: Arithmetic, left: Box<Node<'t>>, right: Box<Node<'t>> },
}

/// A step of a path as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step<'t> {
    Name(&'t str),
    Alias(&'t str),
    Index(&'t str),
}

/// How two operands are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// Whether it compares by order, not for equality.
    pub fn is_order(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }

    /// The operator as expressions spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// The comparison of an operator; `None` for other texts.
    pub fn parse(text: &str) -> Option<Self> {
        let all = [Self::Equal, Self::NotEqual, Self::Less, Self::LessOrEqual, Self::Greater, Self::GreaterOrEqual];
        all.into_iter().find(|comparison| comparison.as_str() == text)
    }

    fn from_token(kind: TokenKind) -> Option<Self> {
        Some(match kind {
            TokenKind::Equal => Self::Equal,
            TokenKind::NotEqual => Self::NotEqual,
            TokenKind::Less => Self::Less,
            TokenKind::LessOrEqual => Self::LessOrEqual,
            TokenKind::Greater => Self::Greater,
            TokenKind::GreaterOrEqual => Self::GreaterOrEqual,
            _ => return None,
        })
    }
}

/// The arithmetic of SET.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
}

impl Arithmetic {
    /// The operator as expressions spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
        }
    }
}

/// Which grammar holds between operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grammar {
    /// Comparisons and boolean operators; the whole is a condition.
    Condition,
    /// At most one `+` or `-`; the whole is a value.
    Value,
}

/// What has been read, seen from the next token.
struct Read<'t> {
    node: Node<'t>,
    shape: Shape,
    /// Its last token closed parentheses around all of it.
    parenthesized: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A path or a value: an operator may follow.
    Operand,
    /// A condition, or the result of arithmetic: no comparison or arithmetic may follow.
    Complete,
    /// A function call, which is either until the function is known.
    Call,
}

/// What is unfinished around the place where the parser stands.
enum Frame<'t> {
    Group { operand_only: bool },
    Not,
    And(Vec<Node<'t>>),
    Or(Vec<Node<'t>>),
    Compare { operator: Comparison, left: Node<'t> },
    BetweenLow { operand: Node<'t> },
    BetweenHigh { operand: Node<'t>, low: Node<'t> },
    Candidates { operand: Node<'t>, read: Vec<Node<'t>> },
    Arguments { name: &'t str, read: Vec<Node<'t>> },
    Arithmetic { operator: Arithmetic, left: Node<'t> },
}

/// Where reading goes on.
enum Next<'t> {
    Operand,
    After(Read<'t>),
    Done(Node<'t>),
}

/// Reads tokens from left to right.
pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    position: usize,
    /// Whether parentheses directly enclosed others, where that is not reported yet: the service reports it once it
    /// knows what the parentheses enclose, which may be after it finds that a token further on is wrong.
    redundant_parentheses: bool,
    /// The most that was ever unfinished at once.
    depth: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, tokens: tokenize(text), position: 0, redundant_parentheses: false, depth: 0 }
    }

    pub(super) fn peek(&self) -> TokenKind {
        self.token(self.position).kind
    }

    pub(super) fn advance(&mut self) {
        self.position += 1;
    }

    /// Steps over a token of `kind`, or fails at the token that is there instead.
    pub(super) fn expect(&mut self, kind: TokenKind) -> Result<(), Fault> {
        if self.peek() != kind {
            return Err(self.syntax_error());
        }
        self.advance();
        Ok(())
    }

    /// The fault at the next token, shown with its neighbours.
    pub(super) fn syntax_error(&self) -> Fault {
        let token = self.token(self.position);
        let start = self.position.checked_sub(1).map_or(0, |before| self.token(before).start);
        let end = self.token(self.position + 1).end;
        let shown = if token.kind == TokenKind::End { "<EOF>" } else { self.slice(token.start, token.end) };
        Fault::Syntax { token: shown.to_owned(), near: self.slice(start, end).to_owned() }
    }

    /// The token at `position`; past the end, the end.
    fn token(&self, position: usize) -> Token {
        let end = Token { kind: TokenKind::End, start: self.text.len(), end: self.text.len() };
        self.tokens.get(position).copied().unwrap_or(end)
    }

    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn take_text(&mut self) -> &'t str {
        let token = self.token(self.position);
        self.advance();
        self.slice(token.start, token.end)
    }

    /// A value alias, which ADD and DELETE take.
    pub(super) fn value_alias(&mut self) -> Result<&'t str, Fault> {
        if self.peek() != TokenKind::ValueAlias {
            return Err(self.syntax_error());
        }
        Ok(self.take_text())
    }

    /// A document path.
    pub(super) fn path(&mut self) -> Result<Vec<Step<'t>>, Fault> {
        let mut steps = vec![self.path_name()?];
        loop {
            match self.peek() {
                TokenKind::Dot => {
                    self.advance();
                    steps.push(self.path_name()?);
                }
                TokenKind::OpenBracket => {
                    self.advance();
                    if self.peek() != TokenKind::Number {
                        return Err(self.syntax_error());
                    }
                    steps.push(Step::Index(self.take_text()));
                    self.expect(TokenKind::CloseBracket)?;
                }
                _ => return Ok(steps),
            }
        }
    }

    fn path_name(&mut self) -> Result<Step<'t>, Fault> {
        match self.peek() {
            TokenKind::Name => Ok(Step::Name(self.take_text())),
            TokenKind::NameAlias => Ok(Step::Alias(self.take_text())),
            _ => Err(self.syntax_error()),
        }
    }

    fn report_redundant_parentheses(&self) -> Result<(), Fault> {
        if self.redundant_parentheses { Err(Fault::RedundantParentheses) } else { Ok(()) }
    }

    /// Whether what was read is nested so deep that it must have too many operators, one at least for every two levels
    /// since parentheses alone cannot be nested. Then no further step needs to follow its depth.
    pub(super) fn is_too_deep(&self) -> bool {
        self.depth > 2 * (limits::EXPRESSION_OPERATORS + 2)
    }

    /// Reads an expression up to a token that cannot belong to it.
    pub(super) fn expression(&mut self, grammar: Grammar) -> Result<Node<'t>, Fault> {
        let mut stack = Vec::new();
        loop {
            self.depth = self.depth.max(stack.len());
            let Some(mut read) = self.operand(&mut stack, grammar)? else { continue };
            loop {
                match self.continue_after(read, &mut stack, grammar)? {
                    Next::Operand => break,
                    Next::After(longer) => read = longer,
                    Next::Done(node) => {
                        self.report_redundant_parentheses()?;
                        return Ok(node);
                    }
                }
            }
        }
    }

    /// Reads what an operand begins with: all of it, or an opening that is put on the stack.
    fn operand(&mut self, stack: &mut Vec<Frame<'t>>, grammar: Grammar) -> Result<Option<Read<'t>>, Fault> {
        match self.peek() {
            TokenKind::Open => {
                self.advance();
                stack.push(Frame::Group { operand_only: wants_operand(stack) });
                Ok(None)
            }
            TokenKind::Not if grammar == Grammar::Condition && !wants_operand(stack) => {
                self.advance();
                stack.push(Frame::Not);
                Ok(None)
            }
            TokenKind::Name if self.token(self.position + 1).kind == TokenKind::Open => {
                let name = self.take_text();
                self.advance();
                stack.push(Frame::Arguments { name, read: Vec::new() });
                Ok(None)
            }
            TokenKind::ValueAlias => Ok(Some(Read::operand(Node::Value(self.take_text())))),
            _ => Ok(Some(Read::operand(Node::Path(self.path()?)))),
        }
    }

    /// Decides what the next token makes of what has been read.
    fn continue_after(
        &mut self,
        read: Read<'t>,
        stack: &mut Vec<Frame<'t>>,
        grammar: Grammar,
    ) -> Result<Next<'t>, Fault> {
        match stack.pop() {
            Some(Frame::Compare { operator, left }) => {
                let (left, right) = (Box::new(left), Box::new(read.node));
                Ok(Next::After(Read::complete(Node::Compare { operator, left, right })))
            }
            Some(Frame::Arithmetic { operator, left }) => {
                let (left, right) = (Box::new(left), Box::new(read.node));
                Ok(Next::After(Read::complete(Node::Arithmetic { operator, left, right })))
            }
            Some(Frame::BetweenLow { operand }) => {
                self.expect(TokenKind::And)?;
                stack.push(Frame::BetweenHigh { operand, low: read.node });
                Ok(Next::Operand)
            }
            Some(Frame::BetweenHigh { operand, low }) => {
                let (operand, low, high) = (Box::new(operand), Box::new(low), Box::new(read.node));
                Ok(Next::After(Read::complete(Node::Between { operand, low, high })))
            }
            Some(Frame::Candidates { operand, read: mut candidates }) => {
                candidates.push(read.node);
                if self.list_goes_on()? {
                    stack.push(Frame::Candidates { operand, read: candidates });
                    return Ok(Next::Operand);
                }
                Ok(Next::After(Read::complete(Node::In { operand: Box::new(operand), candidates })))
            }
            Some(Frame::Arguments { name, read: mut arguments }) => {
                arguments.push(read.node);
                if self.list_goes_on()? {
                    stack.push(Frame::Arguments { name, read: arguments });
                    return Ok(Next::Operand);
                }
                if !is_within_call(stack) {
                    self.report_redundant_parentheses()?;
                }
                let node = Node::Call { name, arguments };
                Ok(Next::After(Read { node, shape: Shape::Call, parenthesized: false }))
            }
            Some(Frame::Group { operand_only: true }) => self.close_group(read, is_within_call(stack)),
            around => match grammar {
                Grammar::Condition => self.continue_condition(read, around, stack),
                Grammar::Value => self.continue_value(read, around, stack),
            },
        }
    }

    /// Steps over a comma, or over the parenthesis that ends the list.
    fn list_goes_on(&mut self) -> Result<bool, Fault> {
        let goes_on = self.peek() == TokenKind::Comma;
        if !goes_on {
            self.expect(TokenKind::Close)?;
        } else {
            self.advance();
        }
        Ok(goes_on)
    }

    /// Closes parentheses around `read`. `is_undecided`: whether what they enclose is still open.
    fn close_group(&mut self, read: Read<'t>, is_undecided: bool) -> Result<Next<'t>, Fault> {
        self.expect(TokenKind::Close)?;
        self.redundant_parentheses |= read.parenthesized;
        if !is_undecided {
            self.report_redundant_parentheses()?;
        }
        Ok(Next::After(Read { parenthesized: true, ..read }))
    }

    /// Within a condition, with only groups and boolean operators around.
    fn continue_condition(
        &mut self,
        read: Read<'t>,
        around: Option<Frame<'t>>,
        stack: &mut Vec<Frame<'t>>,
    ) -> Result<Next<'t>, Fault> {
        let token = self.peek();
        if read.shape != Shape::Complete {
            let operator = Comparison::from_token(token);
            if operator.is_some() || matches!(token, TokenKind::Between | TokenKind::In) {
                self.report_redundant_parentheses()?;
                stack.extend(around);
                self.advance();
                stack.push(match (operator, token) {
                    (Some(operator), _) => Frame::Compare { operator, left: read.node },
                    (None, TokenKind::Between) => Frame::BetweenLow { operand: read.node },
                    (None, _) => {
                        self.expect(TokenKind::Open)?;
                        Frame::Candidates { operand: read.node, read: Vec::new() }
                    }
                });
                return Ok(Next::Operand);
            }
        }
        if read.shape == Shape::Operand && !matches!(around, Some(Frame::Group { .. })) {
            return Err(self.syntax_error());
        }
        match (around, token) {
            (Some(Frame::Not), _) => Ok(Next::After(Read::complete(Node::Not(Box::new(read.node))))),
            (Some(Frame::And(mut terms)), _) => {
                terms.push(read.node);
                if token == TokenKind::And {
                    self.advance();
                    stack.push(Frame::And(terms));
                    return Ok(Next::Operand);
                }
                Ok(Next::After(Read::complete(Node::And(terms))))
            }
            (around, TokenKind::And) if read.shape != Shape::Operand => {
                self.advance();
                stack.extend(around);
                stack.push(Frame::And(vec![read.node]));
                Ok(Next::Operand)
            }
            (Some(Frame::Or(mut terms)), _) => {
                terms.push(read.node);
                if token == TokenKind::Or {
                    self.advance();
                    stack.push(Frame::Or(terms));
                    return Ok(Next::Operand);
                }
                Ok(Next::After(Read::complete(Node::Or(terms))))
            }
            (around, TokenKind::Or) if read.shape != Shape::Operand => {
                self.advance();
                stack.extend(around);
                stack.push(Frame::Or(vec![read.node]));
                Ok(Next::Operand)
            }
            (Some(_), _) => {
                let is_undecided = read.shape == Shape::Operand;
                self.close_group(read, is_undecided)
            }
            (None, _) => Ok(Next::Done(read.node)),
        }
    }

    /// Within the right side of SET, with only groups around.
    fn continue_value(
        &mut self,
        read: Read<'t>,
        around: Option<Frame<'t>>,
        stack: &mut Vec<Frame<'t>>,
    ) -> Result<Next<'t>, Fault> {
        let operator = match self.peek() {
            TokenKind::Plus => Some(Arithmetic::Add),
            TokenKind::Minus => Some(Arithmetic::Subtract),
            _ => None,
        };
        match (operator, around) {
            (Some(operator), around) if read.shape != Shape::Complete => {
                self.advance();
                stack.extend(around);
                stack.push(Frame::Arithmetic { operator, left: read.node });
                Ok(Next::Operand)
            }
            (_, Some(_)) => self.close_group(read, false),
            (_, None) => Ok(Next::Done(read.node)),
        }
    }
}

/// Whether only an operand, no condition and no arithmetic, may stand inside what is unfinished.
fn wants_operand(stack: &[Frame<'_>]) -> bool {
    match stack.last() {
        None | Some(Frame::Not | Frame::And(_) | Frame::Or(_)) => false,
        Some(Frame::Group { operand_only }) => *operand_only,
        Some(_) => true,
    }
}

fn is_within_call(stack: &[Frame<'_>]) -> bool {
    stack.iter().any(|frame| matches!(frame, Frame::Arguments { .. }))
}

impl<'t> Read<'t> {
    fn operand(node: Node<'t>) -> Self {
        Self { node, shape: Shape::Operand, parenthesized: false }
    }

    fn complete(node: Node<'t>) -> Self {
        Self { node, shape: Shape::Complete, parenthesized: false }
    }
}
