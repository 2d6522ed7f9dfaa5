"""What the samples use of the package `requests`, for machines that do not have it."""

import json as _json
import urllib.error
import urllib.request


class _Response:
    def __init__(self, status_code, body):
        self.status_code = status_code
        self.text = body.decode()

    def json(self):
        return _json.loads(self.text)


def _sender(method):
    def send(url, headers={}, json=None, data=None):
        if json is not None:
            data, headers = _json.dumps(json), {**headers, "content-type": "application/json"}
        body = None if data is None else data.encode()
        request = urllib.request.Request(url, body, headers, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return _Response(response.status, response.read())
        except urllib.error.HTTPError as error:
            return _Response(error.code, error.read())

    return send


get, post, put, patch, delete = map(_sender, ["GET", "POST", "PUT", "PATCH", "DELETE"])
