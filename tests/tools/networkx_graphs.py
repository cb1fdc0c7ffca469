"""The graphs of GraphML files as networkx reads them, for tests/src/graphs/networkx.rs.

The names of the files come on standard input, one a line; a line of JSON goes out for each: `nodes`
with terminals and roles, `edges`, and whether they are `directed`; or the `error`.
"""

import json
import sys
import warnings

import networkx


def value(data, default, name):
    """An attribute as text; empty where neither the node nor the default of its key has it."""
    return str(data.get(name, default.get(name, ""))).strip()


def graph(path):
    """The graph of a file."""
    read = networkx.read_graphml(path, edge_key_type=str, force_multigraph=True)
    default = read.graph.get("node_default", {})
    nodes = [
        [name, value(data, default, "terminals"), value(data, default, "role")]
        for name, data in read.nodes(data=True)
    ]
    edges = [[tail, head] for tail, head, _ in read.edges(keys=True)]
    return {"nodes": nodes, "edges": edges, "directed": read.is_directed()}


warnings.simplefilter("ignore")
for line in sys.stdin.read().splitlines():
    try:
        answer = graph(line)
    except Exception as error:  # Whatever it is, it is a file that networkx does not read.
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer))
