"""Checks the signature of a Recado webhook. Copy this file; it needs Python 3.8 or newer and nothing else.

Give it the body as the bytes that arrived, before any JSON parser touched them:
Flask: request.get_data()    Django: request.body    FastAPI: await request.body()
"""
import hashlib
import hmac
import re
import time
from typing import Optional

TOLERANCE_SECONDS = 300


def is_authentic(
    raw_body: bytes,
    timestamp: Optional[str],
    signature: Optional[str],
    secret: str,
    now: Optional[float] = None,
) -> bool:
    """Tells whether Recado signed this delivery with the secret, at most five minutes ago.

    timestamp, signature: the headers Service-Timestamp and Service-Signature; None if absent.
    secret: the integration's webhook secret as shown, with its whsec_ prefix. An empty one accepts nothing.
    now: unix seconds, for tests.
    """
    if not secret or timestamp is None or signature is None:
        return False
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    expected = ("v1=" + digest).encode()
    # One entry, or two while the secret is rotated. compare_digest takes the same time wherever they differ.
    return any(hmac.compare_digest(entry.encode(), expected) for entry in signature.split(","))
