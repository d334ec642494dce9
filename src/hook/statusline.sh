# Drover's status line, sourced by the registered command, which has set `own` to the user's own status-line command or to
# nothing. Passes the JSON on to Drover when something in it has changed, at most once a second, then runs the user's command
# with the same input, or prints its own line. Starts no process of its own: all is done by shell builtins.
set +eufC
home=${DROVER_STATUSLINE%/*}
newline=
json=
if IFS= read -r json; then
  newline='
'
  # The JSON has one line. Should it have more, they belong to it.
  while IFS= read -r more || [ -n "$more" ]; do
    json=$json$newline$more
  done
fi

# Picks the values that matter. `now` is short, because a shell reads it byte by byte the next time. The JSON is split at its
# commas: taking pieces out of it by patterns would be many times slower.
session= model= percent= now=
pick() {
  set -f
  IFS=,
  set -- $json
  unset IFS
  set +f
  for field; do
    case $field in
    *'"session_id":"'*) [ -z "$session" ] && session=${field##*:} ;;
    *'"display_name":"'*) [ -z "$model" ] && model=${field##*:} ;;
    *'"used_percentage":'*)
      now="$now ${field##*:}"
      [ -z "$percent" ] && percent=${field##*:}
      ;;
    *'"total_cost_usd":'* | *'"total_input_tokens":'* | *'"model":'* | *'"effort":'* | *'"resets_at":'*)
      now="$now ${field##*:}"
      ;;
    esac
  done
  session=${session#'"'}
  session=${session%%'"'*}
  model=${model#'"'}
  model=${model%%'"'*}
  percent=${percent%%'}'*}
}
pick

# Writes the JSON as a file of the spool, in the form of emit.sh.
send() {
  [ -d "$home/spool" ] && [ ! -e "$home/spool.full" ] || return 0
  # A session sends once a second at most, so the name is unique.
  file=$home/spool/$$.$session-$time
  {
    printf '%s\0' drover1 StatusLine '' "$TMUX" "$TMUX_PANE" "$CLAUDE_PID" "$PPID" "$session" '' '' "$CLAUDE_CONFIG_DIR" '' '' &&
      printf '\n%s\0end\n' "$json"
  } >"$file" || rm -f "$file"
}

tell() {
  case $session in
  '' | *[!0-9a-zA-Z-]*) return ;;
  esac
  seen=$home/statusline/$session
  last= before=
  { read -r last && IFS= read -r before; } <"$seen"
  [ "$before" = "$now" ] && return
  time=
  read -r time rest </proc/uptime || time=$(date +%s).00
  # In hundredths of a second; a restart of the machine sets it back.
  time=${time%.*}${time#*.}
  # The user's own command has the umask that Claude Code gave it.
  if [ -n "$own" ]; then (write); else write; fi
}

write() {
  umask 077
  if [ -n "$last" ] && [ "$time" -ge "$last" ] && [ $((time - last)) -lt 100 ]; then
    # The daemon reads it a second after the previous one.
    printf %s "$json" >"$seen.late"
    return
  fi
  [ -d "$home/statusline" ] || mkdir "$home/statusline" || return
  printf '%s\n%s\n' "$time" "$now" >"$seen"
  send
}

# Drover on another machine gets hooks only.
[ -z "$DROVER_URL$CLAUDE_HUB_COLLECTOR_URL" ] && { tell; } 2>/dev/null

# In the shell that Claude Code has started for it: another one would cost more than all of the above. It finds none of our names.
if [ -n "$own" ]; then
  unset -f pick tell write send
  unset -v home more session model percent now field seen last before time rest file DROVER_STATUSLINE
  # dash and busybox pass a here-document on by a pipe, without a process. Other shells may need a file for it.
  if [ -n "$newline" ] && [ -z "$BASH_VERSION$ZSH_VERSION$KSH_VERSION" ]; then
    unset -v newline
    eval "$own" <<EOF
$json
EOF
  else
    printf '%s%s' "$json" "$newline" 2>/dev/null | {
      unset -v json newline
      eval "$own"
    }
  fi
  exit
fi

line=$model
case $percent in
'' | null) ;;
*) line="$line · $percent% context" ;;
esac
today= waiting=
{ IFS= read -r today && IFS= read -r waiting; } 2>/dev/null <"$home/statusline.facts"
[ -n "$today" ] && line="$line · $today today"
[ -n "$waiting" ] && line="$line · $waiting"
printf '%s\n' "$line"
exit 0
