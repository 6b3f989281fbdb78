//! `keyfold table apply`

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use keyfold_tables::apply::{ApplyEvent, Wait};
use keyfold_tables::{ApplyError, ApplyOptions, Loss, apply};

use super::{REFUSED, Subject, loss_line, say_obstacles};

/// The interval of progress lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// Confirm a data loss listed in the plan: `index:GSI1`, `ttl:expiresAt`; repeatable
    #[arg(long, value_name = "WHAT")]
    allow_loss: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = arguments.subject.open()?;
    let options =
        ApplyOptions { allowed_losses: arguments.allow_loss.iter().cloned().collect(), ..ApplyOptions::default() };
    let mut screen = ApplyScreen::new();
    let outcome = target.executor.block_on(async {
        let open = target.place.clone().open().await?;
        let backend = open.backend.as_ref();
        anyhow::Ok(apply(backend, &target.desired, &options, &mut |event| screen.show(event)).await)
    })?;
    screen.clear();
    let table = &target.desired.create.table_name;
    match outcome {
        Ok(applied) => {
            for note in &applied.notes {
                say!("note: {note}");
            }
            say!("table `{table}` matches the design `{}`", target.design.name);
            Ok(ExitCode::SUCCESS)
        }
        Err(ApplyError::Impossible { obstacles }) => {
            say_obstacles(table, &obstacles);
            Ok(ExitCode::from(REFUSED))
        }
        Err(ApplyError::WouldLose { losses }) => {
            say_losses(table, &losses);
            Ok(ExitCode::from(REFUSED))
        }
        Err(error) => Err(anyhow::Error::new(error).context(target.place.to_string())),
    }
}

fn say_losses(table: &str, losses: &[Loss]) {
    say!("table `{table}` was not changed, because data would be lost:");
    for loss in losses {
        say!("  {}", loss_line(loss));
    }
}

/// Progress output, for a terminal or a log.
struct ApplyScreen {
    bar: ProgressBar,
    terminal: bool,
    last_line: Instant,
}

impl ApplyScreen {
    fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("  {spinner} {msg}") {
            bar.set_style(style);
        }
        Self { bar, terminal, last_line: Instant::now() }
    }

    fn show(&mut self, event: ApplyEvent<'_>) {
        match event {
            ApplyEvent::Started(change) => {
                self.last_line = Instant::now();
                self.bar.suspend(|| say!("{}", change.text));
            }
            ApplyEvent::Waiting(wait) if self.terminal => {
                self.bar.set_message(wait_line(&wait));
                self.bar.tick();
            }
            ApplyEvent::Waiting(wait) => {
                if self.last_line.elapsed() >= BETWEEN_LINES {
                    self.last_line = Instant::now();
                    report!("  {}", wait_line(&wait));
                }
            }
            ApplyEvent::Done { took, .. } => {
                if took >= Duration::from_secs(1) {
                    self.bar.suspend(|| report!("  took {:.1} s", took.as_secs_f64()));
                }
            }
        }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn wait_line(wait: &Wait) -> String {
    let items = wait.items.map(|(filled, all)| format!(", {filled} items of a table of {all}"));
    format!("{} for {} s{}", wait.ongoing, wait.since.as_secs(), items.unwrap_or_default())
}
