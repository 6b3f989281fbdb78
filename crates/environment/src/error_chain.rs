//! An error with its causes.

use std::error::Error;

/// The text of an error and of its sources, in one line. Outer errors often end with the text of inner ones, which is
/// then not repeated.
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

/// The first of an error and its sources that has a type.
pub fn find_in_chain<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    std::iter::successors(Some(error), |error| (*error).source()).find_map(|error| error.downcast_ref())
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

    #[derive(Debug, thiserror::Error)]
    #[error("the upload failed")]
    struct Upload(#[source] Layer);

    #[test]
    fn a_cause_is_found_by_its_type() {
        let upload = Upload(Layer::Connect(Box::new(Layer::Refused)));
        assert!(find_in_chain::<Upload>(&upload).is_some());
        assert!(matches!(find_in_chain::<Layer>(&upload), Some(Layer::Connect(_))));
        assert!(find_in_chain::<std::io::Error>(&upload).is_none());
    }

    #[test]
    fn each_cause_is_named_once() {
        assert_eq!(error_chain(&Layer::Refused), "connection refused");
        let send = Layer::Send(Box::new(Layer::Refused));
        assert_eq!(error_chain(&send), "cannot send: connection refused");
        assert_eq!(error_chain(&Layer::Connect(Box::new(send))), "cannot connect: cannot send: connection refused");
    }
}
