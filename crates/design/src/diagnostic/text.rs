//! Diagnostics as compilers print them.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

use super::{Code, Diagnostic, Severity};

/// Renders diagnostics of one file for people.
pub fn to_text(file_name: &str, source: &str, diagnostics: &[Diagnostic], colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&renderer.render(&[group(file_name, source, diagnostic)]));
        text.push_str("\n\n");
    }
    text
}

fn group<'a>(file_name: &'a str, source: &'a str, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut primary = AnnotationKind::Primary.span(within(source, diagnostic.span));
    if let Some(label) = &diagnostic.label {
        primary = primary.label(label.as_str());
    }
    let mut snippet = Snippet::source(source).path(file_name).annotation(primary);
    for label in &diagnostic.labels {
        snippet =
            snippet.annotation(AnnotationKind::Context.span(within(source, label.span)).label(label.text.as_str()));
    }
    let mut group = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

/// The range of a span, cut to the source and to whole characters, which the renderer requires.
fn within(source: &str, span: crate::span::Span) -> std::ops::Range<usize> {
    let mut start = span.start.min(source.len());
    while !source.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, source.len());
    while !source.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// The long text about a code.
pub fn explain(code: &Code) -> String {
    format!(
        "{} ({}): {}\n\n{}\n\nHow to fix it\n\n{}\n",
        code.id,
        code.severity.as_str(),
        code.title,
        code.explanation,
        code.fix
    )
}
