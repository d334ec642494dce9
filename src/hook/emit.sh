#!/bin/sh
# Drover's emitter: one hook event into the spool. It prints nothing and exits 0, whatever happens.
# Claude Code waits for it, so it starts one process (cat) and leaves all else to shell builtins. The registered
# command sources this file instead of running it: that spares a second sh, which would cost more than all that follows.
# A spool file is: "drover1", fields, NUL after each; newline; the payload as it came; NUL, "end", newline.
umask 077
set +eufC
: "${DROVER_EMIT:=$0}"
home=${DROVER_EMIT%/*}
# The name that claude-code-hub gave its sessions.
: "${DROVER_URL:=$CLAUDE_HUB_COLLECTOR_URL}"
# A person holds the requests of this session, or an agent decides on them: the answer becomes the output of this hook.
held=
case $1 in
PermissionRequest | Stop | PreCompact)
  [ "$1" = PermissionRequest ] && [ -f "$home/held/$CLAUDE_CODE_SESSION_ID" ] && held=1
  [ -f "$home/awaited/$CLAUDE_CODE_SESSION_ID" ] && held=1
  [ -n "$DROVER_URL" ] && held=
  [ -n "$held" ] && exec 4>&1
  ;;
esac
exec >/dev/null 2>&1
node=@NODE@
main=@MAIN@

# Whether the daemon runs. A process that has reused its pid has another start time.
running() {
  [ -n "$pid" ] || return
  case $born in
  *:*)
    # A time: the daemon reads processes by ps.
    set -- $(PATH=/bin:/usr/bin:$PATH LC_ALL=C TZ=UTC0 ps -o stat= -o lstart= -p "$pid")
    case $1 in
    Z*) return 1 ;;
    esac
    [ "$2 $3 $4 $5 $6" = "$born" ]
    ;;
  '')
    if [ -e /proc/self ]; then
      [ "/proc/$pid/exe" -ef "$node" ]
    else
      kill -0 "$pid"
    fi
    ;;
  *)
    read -r stat <"/proc/$pid/stat" || return
    # The fields after the name, which may hold anything: the state comes first, the start is the 20th. A zombie has both.
    set -f -- ${stat##*\) }
    set +f
    [ "$1" != Z ] && [ "${20}" = "$born" ]
    ;;
  esac
}

id= host= ns= pid= there= born= names_host=
read -r id </proc/sys/kernel/random/uuid || id=$(uuidgen || date +%s%N)
read -r host </proc/sys/kernel/hostname || host=$(hostname)
# A hook in the daemon's host and pid namespace need not name them; any other does, and a remote hub always gets them.
read -r pid there born <"$home/daemon.pid"
if [ -n "$DROVER_URL" ] || [ "$there" = - ]; then
  names_host=1
elif [ -e /proc/self ]; then
  [ "$host" = "$there" ] && [ /proc/self/ns/pid -ef "/proc/$pid/ns/pid" ] || names_host=1
else
  # Without /proc there are no pid namespaces: a daemon that runs under its pid is on this machine, even if the host
  # name has changed, as on a Mac that follows the network. A home may be shared with another machine, where something else
  # has this pid: its start time shows that.
  running || names_host=1
fi
if [ -z "$names_host" ]; then
  host=
elif [ -e /proc/self ]; then
  while read -r key value; do
    [ "$key" = ino: ] && ns=$value
  done 3</proc/self/ns/pid </proc/self/fdinfo/3
fi
name=$$.$id

fields() {
  printf '%s\0' drover1 "$1" "$2" "$TMUX" "$TMUX_PANE" "$CLAUDE_PID" "$PPID" "$CLAUDE_CODE_SESSION_ID" \
    "${DROVER_ENTRYPOINT:-$CLAUDE_CODE_ENTRYPOINT}" "$CLAUDE_PROJECT_DIR" "$CLAUDE_CONFIG_DIR" "$host" "$ns" && printf '\n'
}

# The event could not be written, most likely because the disk is full. `lost` already has a disk
# block, so counting usually needs no space; if it does, removing the reserve frees some.
lose() {
  rm -f "$1" "$home/reserve"
  printf . >>"$home/lost"
}

# $1 and $2 of the script, then the file with the payload (none: standard input).
spool() {
  if [ -e "$home/spool.full" ]; then
    PATH=/bin:/usr/bin:$PATH cat ${3:+"$3"}
    printf . >>"$home/dropped"
    return
  fi
  [ -d "$home/spool" ] || mkdir -p "$home/spool"
  { fields "$1" "$2" && PATH=/bin:/usr/bin:$PATH LC_ALL=C cat ${3:+"$3"} && printf '\0end\n'; } >"$home/spool/$name" && return
  lose "$home/spool/$name"
}

# A value with a control character would end the header early: left out.
header() {
  case $2 in
  '' | *[[:cntrl:]]*) ;;
  *) printf 'header = "%s: %s"\n' "$1" "$(printf %s "$2" | LC_ALL=C sed 's/[\\"]/\\&/g')" ;;
  esac
}

# Writes the payload into its own file, where it is needed twice.
keep() {
  mkdir -p "$home/outgoing"
  kept=$home/outgoing/$name
  PATH=/bin:/usr/bin:$PATH LC_ALL=C cat >"$kept" && return
  lose "$kept"
  return 1
}

# The event goes into the spool as usual. Then this shell becomes the waiter, which reads the payload and prints the answer;
# the file is removed before it starts. It gets its own environment, because NODE_OPTIONS of a project could break it.
hold() {
  keep || return
  spool "$1" "$2" "$kept"
  waiter=${main%/*}/waiter.js
  if [ -x "$node" ] && [ -r "$waiter" ]; then
    {
      rm -f "$kept"
      PATH=/bin:/usr/bin:$PATH exec env -i DROVER_HOME="$home" DROVER_DELIVERY="$name" "$node" "$waiter" 4>&-
    } <"$kept" >&4
  fi
  rm -f "$kept"
}

# Whether DROVER_URL names this machine by a plain loopback address: anything that curl could read differently does not count.
is_loopback() {
  case $DROVER_URL in
  [Hh][Tt][Tt][Pp]://* | [Hh][Tt][Tt][Pp][Ss]://*) ;;
  *) return 1 ;;
  esac
  rest=${DROVER_URL#*://}
  rest=${rest%%[/?#]*}
  case $rest in
  *[@\\]*) return 1 ;;
  '[::1]'*) place='[::1]' ;;
  *) place=${rest%%:*} ;;
  esac
  case ${rest#"$place"} in
  '' | :) ;;
  :*[!0-9]*) return 1 ;;
  :*) ;;
  *) return 1 ;;
  esac
  case $place in
  '[::1]' | [Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]) ;;
  *[!0-9.]* | 127.*.*.*.*) return 1 ;;
  127.*.*.*) ;;
  *) return 1 ;;
  esac
}

# Sets `token` to the one for DROVER_URL. The token of this home is for this machine alone: another hub gets one of its own.
choose_token() {
  token=$DROVER_TOKEN
  file=$DROVER_TOKEN_FILE
  if [ -n "$direct" ]; then
    file=${file:-$home/token}
  elif [ "$file" -ef "$home/token" ]; then
    file=
  fi
  [ -z "$token" ] && [ -n "$file" ] && read -r token <"$file"
  [ -n "$token$direct" ]
}

# The event could not be posted: into the spool, with a count and the reason in the log.
unsent() {
  spool "$1" "$2" "$kept"
  printf . >>"$home/unsent"
  printf '%s, event %s went into the spool\n' "$3" "$name" >>"$home/log/emit.log"
  rm -f "$kept"
}

# To a hub elsewhere. The token goes through a pipe, never onto a command line.
post() {
  mkdir -p "$home/log"
  keep || return
  # A proxy of the environment must not see what is for this machine.
  direct=
  is_loopback && direct='--noproxy *'
  choose_token || {
    unsent "$1" "$2" 'Not posted: DROVER_URL is not a loopback address and DROVER_TOKEN or DROVER_TOKEN_FILE names no token for it'
    return
  }
  set -f
  {
    header Authorization "Bearer $token"
    header X-Drover-Event "$name"
    header X-Drover-Hook "$1"
    header X-Drover-Via "$2"
    header X-Drover-Host "$host"
    header X-Drover-Ns "$ns"
    header X-Tmux "$TMUX"
    header X-Tmux-Pane "$TMUX_PANE"
    header X-Claude-Pid "${CLAUDE_PID:-$PPID}"
    header X-Claude-Session-Id "$CLAUDE_CODE_SESSION_ID"
    header X-Claude-Entrypoint "${DROVER_ENTRYPOINT:-$CLAUDE_CODE_ENTRYPOINT}"
    header X-Claude-Project-Dir "$CLAUDE_PROJECT_DIR"
  } | curl -q -s -f -m 2 -o /dev/null $direct -K - -H 'Content-Type: application/json' -H 'Expect:' \
    --data-binary "@$kept" "${DROVER_URL%/}/events"
  code=$?
  set +f
  [ $code -ne 0 ] && unsent "$1" "$2" "POST to the hub failed (curl $code)"
  rm -f "$kept"
}

# Limits the spool while nobody reads it. Checked when a session starts, not at every event.
bound() {
  set -- "$home"/spool/*
  [ $# -gt @SPOOL_FILES@ ] && : >"$home/spool.full"
  [ "$(du -sk "$home/spool" | cut -f1)" -gt @SPOOL_KB@ ] && : >"$home/spool.full"
}

# Makes a folder as a mark, at most once a minute.
mark() {
  mkdir "$1" || {
    [ -n "$(find "$1" -prune -mmin +1)" ] && rmdir "$1" && mkdir "$1"
  }
}

# Starts the daemon where that is allowed, without waiting for it.
start() {
  # The daemon of this home runs in a container, where its own tools start it again.
  [ "$there" = - ] && return
  [ -e "$home/autostart" ] && [ -x "$node" ] && [ -r "$main" ] || return
  mark "$home/starting" || return
  # macOS has no setsid: there `up` starts the daemon apart from this terminal, whose end would end it too.
  apart= foreground=
  command -v setsid && apart=setsid foreground=--foreground
  (
    cd /
    # Unset instead of `env -i NAME=value`: every user of the machine can read a command line.
    for name in $(env | LC_ALL=C sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
      case $name in
      @PASSED@) ;;
      # Variables of this script, which somebody may have exported.
      home | node | main | apart | foreground | name) ;;
      *) command unset "$name" ;;
      esac
    done
    DROVER_HOME=$home
    export DROVER_HOME
    exec $apart "$node" "$main" up $foreground
  ) </dev/null &
}

if [ -n "$held" ]; then
  hold "$1" "$2"
elif [ -n "$DROVER_URL" ]; then
  post "$1" "$2"
else
  spool "$1" "$2"
fi
if [ "$1" = SessionStart ]; then
  running && exit 0
  bound
  [ -z "$DROVER_URL" ] && start
elif [ -n "$pid" ] && [ -n "$names_host" ] && [ -z "$DROVER_URL" ] && [ "$host" = "$there" ] && ! running; then
  # A daemon that was stopped has removed its pid: this one was killed.
  [ -e "$home/autostart" ] && mark "$home/revived" && start
fi
exit 0
