"""What the samples use of the package `requests`, for machines that do not have it."""

import json as _json
import urllib.error
import urllib.request


class _Response:
    def __init__(self, response):
        self.status_code, self.text = response.status, response.read().decode()

    def json(self):
        return _json.loads(self.text)


def _sender(method):
    def send(url, headers={}, json=None, data=None):
        if json is not None:
            data, headers = _json.dumps(json), {**headers, "content-type": "application/json"}
        body = None if data is None else data.encode()
        request = urllib.request.Request(url, body, headers, method=method)
        try:
            return _Response(urllib.request.urlopen(request))
        except urllib.error.HTTPError as error:
            return _Response(error)

    return send


get, post, put, patch, delete = map(_sender, ["GET", "POST", "PUT", "PATCH", "DELETE"])
