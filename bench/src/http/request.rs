//! The bytes of one DynamoDB request, with the headers an SDK sends.

/// A whole HTTP/1.1 request for `operation` with a JSON body.
pub(crate) fn request_bytes(host: &str, operation: &str, body: &str) -> Vec<u8> {
    // Development endpoints accept any signature; its length and place are what a server has to read.
    let head = format!(
        "POST / HTTP/1.1\r\n\
         Host: {host}\r\n\
         X-Amz-Target: DynamoDB_20120810.{operation}\r\n\
         Content-Type: application/x-amz-json-1.0\r\n\
         User-Agent: keyfold-bench\r\n\
         Accept-Encoding: identity\r\n\
         X-Amz-Date: 20260101T000000Z\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential=bench/20260101/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=content-type;host;x-amz-date;x-amz-target, \
         Signature=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\r\n\
         Content-Length: {length}\r\n\r\n",
        length = body.len()
    );
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(body.as_bytes());
    bytes
}
