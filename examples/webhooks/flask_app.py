"""A receiver with Flask, as one process: `flask --app flask_app run --port 3000`. Needs RECADO_WEBHOOK_SECRET and
recado_webhooks.py of clients/verify/python; its path is /hook."""
import json, os, sqlite3, threading
from flask import Flask, request
from recado_webhooks import is_authentic

SECRET = os.environ["RECADO_WEBHOOK_SECRET"]
FILE = os.environ.get("INBOX", "inbox") + ".db"
app = Flask(__name__)
wake = threading.Event()

def database():
    return sqlite3.connect(FILE, isolation_level=None, timeout=30)

with database() as db:
    db.execute("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, event TEXT, handled INTEGER DEFAULT 0)")

@app.post("/hook")
def hook():
    body = request.get_data()  # the bytes as they arrived: a signature does not cover JSON that was parsed
    signed = request.headers.get("Service-Timestamp"), request.headers.get("Service-Signature")
    if not is_authentic(body, *signed, SECRET):
        return "not signed by Recado", 400
    # By its id: an event that arrives twice is kept once. It is on the disk before 200 is answered.
    with database() as db:
        db.execute("INSERT OR IGNORE INTO events (id, event) VALUES (?, ?)", (json.loads(body)["id"], body.decode()))
    wake.set()  # the answer goes at once: what is slow is done by the thread below
    return "", 200

def handle(event):  # your own work goes here
    data = event["data"]
    if event["type"] == "message.received":
        message, phone = data["message"], (data["contact"] or {}).get("phone")
        print(f"{event['id']}: {phone} wrote: {message['content'].get('text', message['type'])}", flush=True)
    elif event["type"] == "order.created":
        print(f"{event['id']}: order {data['order']['number']}: {data['order']['total']}", flush=True)
    else:  # a later release may have more types
        print(f"{event['id']}: {event['type']}", flush=True)

def work():
    while True:
        wake.clear()
        with database() as db:
            for id, event in db.execute("SELECT id, event FROM events WHERE handled = 0").fetchall():
                try:
                    handle(json.loads(event))
                    # If the process ends before this line, the event is handled again: give what you send its id as key.
                    db.execute("UPDATE events SET handled = 1 WHERE id = ?", (id,))
                except Exception as error:
                    print(f"{id}: it is tried again: {error}", flush=True)
        wake.wait(60)

threading.Thread(target=work, daemon=True).start()
