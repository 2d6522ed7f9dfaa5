"""Pages through 1,000 todos with the tools that FastMCP makes, which return bodies only."""
import asyncio
import sys

import httpx2
from fastmcp import Client, FastMCP

url = sys.argv[1]


async def main():
    document = httpx2.get(f"{url}/openapi.json?lists=objects").json()
    service = httpx2.AsyncClient(base_url=url, limits=httpx2.Limits(max_connections=10), timeout=60)
    await asyncio.gather(*[service.post("/todos", json={"title": f"bridge {n}"}) for n in range(1000)])
    async with Client(FastMCP.from_openapi(openapi_spec=document, client=service)) as tools:
        found, following = [], {"limit": 90}
        while following:
            part = await tools.call_tool("listTodos", {"lists": "objects", **following})
            found += [todo["title"] for todo in part.structured_content["items"]]
            following = part.structured_content.get("next")
    if sorted(title for title in found if title.startswith("bridge")) != sorted(f"bridge {n}" for n in range(1000)):
        sys.exit(f"{len(found)} records")
    print("passed: pages with 1,000 records")


asyncio.run(main())
