#!/bin/sh
# The plugin's MCP server: `drover mcp`. Where Drover is not set up it is a server without tools, because Claude Code shows a
# server that does not start as an error.
script="${DROVER_HOME:-$HOME/.drover}/mcp.sh"
[ -r "$script" ] && exec sh "$script" --plugin

while IFS= read -r line; do
  id=$(printf '%s\n' "$line" | sed -n 's/.*"id": *\("[^"]*"\).*/\1/p; t
s/.*"id": *\([0-9][0-9]*\).*/\1/p')
  [ -n "$id" ] || continue
  version=$(printf '%s\n' "$line" | sed -n 's/.*"protocolVersion": *"\([0-9-]*\)".*/\1/p')
  case $line in
    *'"initialize"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"%s","capabilities":{},"serverInfo":{"name":"drover","version":"0"}}}\n' "$id" "$version"
      ;;
    *'"ping"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
    *) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Drover is not set up."}}\n' "$id" ;;
  esac
done
