//! A design on a backend.

use std::collections::BTreeSet;
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_design::model::PerEntity;
use keyfold_dynamo::Backend;
use keyfold_environment::{Clock, Random, RandomError, SystemClock, SystemRandom, random_bytes};

use crate::attribute_dependencies::combined_attributes;
use crate::authorize::{Authorizer, DesignRules};
use crate::cursor::CursorCodec;
use crate::items::Items;
use crate::record::Columns;
use crate::retry::Retry;

/// The services and settings of a runtime besides the design and the backend.
pub struct Options {
    /// Decides about every call: [`DesignRules`], or an authorizer that adds policy files to them.
    pub authorizer: Arc<dyn Authorizer>,
    /// The source of stamps, ids and back-off.
    pub clock: Arc<dyn Clock>,
    /// The source of ids, cursor nonces and client request tokens.
    pub random: Arc<dyn Random>,
    /// Encrypts cursors: runtimes that serve the same clients share it.
    pub cursor_secret: Vec<u8>,
    /// The name of the table; the design's own if absent.
    pub table_name: Option<String>,
}

impl Options {
    /// The design's own rules, the system's clock and random source, and a cursor secret of this process. Fails if the
    /// system has no random bytes for the secret.
    pub fn standard(design: &Arc<Design>) -> Result<Self, RandomError> {
        let cursor_secret = random_bytes::<32>(&SystemRandom)?.to_vec();
        Ok(Self {
            authorizer: Arc::new(DesignRules::new(Arc::clone(design))),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
            cursor_secret,
            table_name: None,
        })
    }
}

/// Runs the verbs and access patterns of a design.
pub struct Runtime {
    pub(crate) design: Arc<Design>,
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) authorizer: Arc<dyn Authorizer>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) cursors: CursorCodec,
    pub(crate) table: String,
    /// The columns that a reader needs, in the order of the entities.
    columns: PerEntity<Columns>,
    /// The attributes of each entity that are combined with others, in the order of the entities.
    pub(crate) combined_attributes: PerEntity<BTreeSet<String>>,
}

impl Runtime {
    /// A runtime on a backend, whose table need not exist yet: see [`Runtime::create_table`].
    pub fn new(design: Arc<Design>, backend: Arc<dyn Backend>, options: Options) -> Self {
        let columns = PerEntity::new(&design, |entity| Columns::new(&design, entity));
        let combined_attributes = PerEntity::new(&design, |entity| combined_attributes(&design, entity));
        let table = options.table_name.unwrap_or_else(|| design.table.name.clone());
        Self {
            design,
            backend,
            authorizer: options.authorizer,
            clock: options.clock,
            random: options.random,
            cursors: CursorCodec::new(&options.cursor_secret),
            table,
            columns,
            combined_attributes,
        }
    }

    /// The design that this runtime runs.
    pub fn design(&self) -> &Arc<Design> {
        &self.design
    }

    /// The name of the table: the one of [`Options::table_name`], or the design's own.
    pub fn table_name(&self) -> &str {
        &self.table
    }

    /// Reads items of the table.
    pub(crate) fn items(&self) -> Items<'_> {
        Items {
            design: &self.design,
            table: &self.table,
            backend: self.backend.as_ref(),
            retry: Retry { clock: self.clock.as_ref(), random: self.random.as_ref() },
            columns: &self.columns,
        }
    }
}
