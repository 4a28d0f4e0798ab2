"""Confirms an order to its customer by a template, and waits for the outcome:
    python3 confirm.py 1042 +5511987654321 "Ana"
Needs RECADO_URL (https://.../api/v1) and RECADO_API_KEY, with the scopes messages:send and operations:read."""
import json, os, sys, time, urllib.error, urllib.request

class Refused(Exception):
    pass

def call(method, path, body=None, key=None):
    headers = {"Authorization": f"Bearer {os.environ['RECADO_API_KEY']}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(4):
        wait = 2 ** attempt
        try:
            request = urllib.request.Request(os.environ["RECADO_URL"] + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            code = json.load(error)["error"]["code"]
            # These come again with the same key; every other refusal stays as it is.
            if error.code not in (408, 429, 500, 503) and code != "concurrent_update" or attempt == 3:
                raise Refused(code)
            wait = int(error.headers.get("Retry-After", wait))
        except OSError:  # no answer: it may have been accepted, and the key makes the repetition harmless
            if attempt == 3:
                raise
        time.sleep(wait)

if len(sys.argv) != 4:
    sys.exit("usage: python3 confirm.py ORDER PHONE NAME")
order, phone, name = sys.argv[1:]
message = {
    "recipient": {"phone": phone},
    "type": "template",  # reaches the customer at any time; a text only within 24 hours of their last message
    "content": {"name": "order_confirmation", "language": "pt_BR", "parameters": [name, order]},
    "metadata": {"order_id": order},  # `recado messages list --metadata order_id=1042` finds it
}
try:
    # Made of the order: however often this runs for it, the customer gets one message.
    operation = call("POST", "/messages", message, key=f"order-{order}-confirmed")
    wait = 0.5
    while operation["status"] not in ("succeeded", "failed"):
        time.sleep(wait)
        wait = min(wait * 2, 10)
        operation = call("GET", f"/operations/{operation['uuid']}")
    if operation["status"] == "failed":
        raise Refused(operation["error"]["code"])
    print(f"order {order}: {operation['result']['text']}")
except Refused as refused:  # not accepted, or accepted and not sent: docs/errors.md has what to do about each code
    print(f"order {order}: not sent: {refused}")
    sys.exit(1)
