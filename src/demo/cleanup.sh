# Remove a demo, however its process ends: the pipe on standard input closes even when that process is killed.
# $1 is the tmux socket, $2 the folder.
trap '' HUP INT TERM QUIT
cat >/dev/null
panes=$(tmux -S "$1" list-panes -a -F '#{pane_pid}' 2>/dev/null)
tmux -S "$1" kill-server 2>/dev/null
# Wait for the programs in the panes: they must not write into a folder that is being removed.
for pid in $panes; do
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    case $(ps -o stat= -p "$pid" 2>/dev/null) in '' | Z*) break ;; esac
    sleep 0.05
  done
done
for _ in 1 2 3 4 5; do
  rm -rf "$2" 2>/dev/null
  sleep 0.05
  [ -e "$2" ] || exit 0
done
