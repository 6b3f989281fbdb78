//! Does to its working folder what each line of its input says, answers `done` to each, and waits to be killed: the
//! subject of this crate's tests, which run on Linux only.

#[cfg(target_os = "linux")]
mod orders;

#[cfg(target_os = "linux")]
fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lines() {
        orders::obey(&line?)?;
        println!("done");
    }
    loop {
        std::thread::park();
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}
