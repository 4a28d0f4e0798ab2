"""A shop without a client: 500 products, 20 contacts, a template message, its outcome, and an answer to each customer
who writes. Needs RECADO_URL, RECADO_API_KEY, RECADO_WEBHOOK_SECRET, an endpoint at PORT, and recado_webhooks.py."""
import json, os, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from recado_webhooks import is_authentic  # clients/verify/python

URL, KEY, SECRET = (os.environ[name] for name in ("RECADO_URL", "RECADO_API_KEY", "RECADO_WEBHOOK_SECRET"))

def call(method, path, body=None, key=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    if key:
        headers["Idempotency-Key"] = key  # the same in every attempt, so nothing is sent twice
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(4):
        wait = 2 ** attempt
        try:
            request = urllib.request.Request(URL + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=300) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            refused = json.load(error)["error"]
            if error.code not in (408, 429, 500, 503) and refused["code"] != "concurrent_update" or attempt == 3:
                raise RuntimeError(f"{path}: {refused['code']}: {refused['message']} ({refused['request_id']})")
            wait = int(error.headers.get("Retry-After", wait))
        except OSError:
            if attempt == 3:
                raise
        time.sleep(wait)

products = [{"import_handle": f"mug-{n}", "name": f"Caneca {n}", "price": "39.90", "stock": 10} for n in range(500)]
batches = [call("POST", "/store/products/batch", {"products": products[at : at + 100]}) for at in range(0, 500, 100)]
total = {name: sum(batch["meta"][name] for batch in batches) for name in ("created", "unchanged", "failed")}
print("products:", ", ".join(f"{count} {name}" for name, count in total.items()), flush=True)
for n in range(20):
    contact = {"phone": f"+55119870011{n:02}", "name": f"Cliente {n}", "tags": ["shop"]}
    call("PUT", f"/contacts/external/customer-{n}", contact)
print("contacts: 20", flush=True)

content = {"name": "order_confirmation", "language": "pt_BR", "parameters": ["Ana", "1042"]}
message = {"recipient": {"phone": "+5511987001100"}, "type": "template", "content": content}
operation = call("POST", "/messages", message, key="order-1042-confirmed")["data"]
while operation["status"] not in ("succeeded", "failed"):
    time.sleep(0.5)
    operation = call("GET", f"/operations/{operation['uuid']}")["data"]
print("template:", operation["result"]["text"] if operation["result"] else operation["error"]["code"], flush=True)

class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = self.headers.get("Service-Timestamp"), self.headers.get("Service-Signature")
        authentic = is_authentic(body, *signed, SECRET)
        self.send_response(200 if authentic else 400)
        self.end_headers()
        event = json.loads(body) if authentic else {"type": None}
        if event["type"] == "message.received" and (phone := event["data"]["contact"]["phone"]):
            answer = {"recipient": {"phone": phone}, "type": "text", "content": {"text": "Obrigado! Já vamos responder."}}
            call("POST", "/messages", answer, key=event["id"])  # an event that arrives twice is answered once
            print(f"answered: {phone}", flush=True)

port = int(os.environ.get("PORT", "3000"))
server = ThreadingHTTPServer(("", port), Endpoint)
print(f"listening: {port}", flush=True)
server.serve_forever()
