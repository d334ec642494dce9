#!/bin/sh
# The entry point for tmux plugin managers (TPM): shows the sessions in this tmux and leaves your tmux.conf alone.
# In tmux.conf, before the line that runs TPM:  set -g @plugin '<this repository>'
dir=$(cd "$(dirname "$0")" && pwd)
if command -v drover >/dev/null 2>&1; then
  drover setup --tmux --load-only >/dev/null
elif [ -f "$dir/dist/main.js" ] && command -v node >/dev/null 2>&1; then
  node "$dir/dist/main.js" setup --tmux --load-only >/dev/null
else
  tmux display-message 'Drover is not installed: npm install -g drover'
fi
