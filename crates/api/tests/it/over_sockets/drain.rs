//! Being asked to stop.

use keyfold_api::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::over_sockets::world::World;

#[tokio::test]
async fn shutdown_completes_requests_in_flight_and_accepts_no_others() {
    let mut world = World::with(&["platform"], Limits::default(), false).await;
    let mut stream = TcpStream::connect(world.address).await.unwrap();
    let head = "POST /v1/platform/products HTTP/1.1\r\nhost: x\r\nauthorization: Test subject=olga;role=operator\r\n\
                content-type: application/json\r\ncontent-length: 16\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    world.ask_to_stop();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert!(TcpStream::connect(world.address).await.is_err());
    stream.write_all(b"{\"name\":\"Radar\"}").await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 201 Created"), "{response}");
}
