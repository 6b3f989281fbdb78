//! An error with its causes, in one line.

use std::error::Error;

/// The text of an error and of its sources. Outer errors often end with the text of inner ones, which is then not repeated.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Layer {
        #[error("cannot connect")]
        Connect(#[source] Box<Layer>),
        #[error("cannot send: {0}")]
        Send(#[source] Box<Layer>),
        #[error("connection refused")]
        Refused,
    }

    #[test]
    fn each_cause_is_named_once() {
        assert_eq!(error_chain(&Layer::Refused), "connection refused");
        let send = Layer::Send(Box::new(Layer::Refused));
        assert_eq!(error_chain(&send), "cannot send: connection refused");
        assert_eq!(error_chain(&Layer::Connect(Box::new(send))), "cannot connect: cannot send: connection refused");
    }
}
