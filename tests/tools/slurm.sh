#!/bin/sh
# A Slurm of one machine for tests: slurm.sh start FOLDER [PID], slurm.sh stop FOLDER.
#
# start makes FOLDER, starts munged, slurmctld and slurmd as the current user on free ports of
# localhost, and waits until the node takes jobs; SLURM_CONF=FOLDER/slurm.conf then leads the
# commands of Slurm there. Nothing of the system's own Slurm is read or changed. stop ends what
# start began, and so does the end of the process PID.
set -eu

fail() {
  echo "slurm.sh: $1" >&2
  for log in "$folder"/*.log; do
    if [ -s "$log" ]; then
      echo "--- the end of $log" >&2
      tail -n 20 "$log" >&2
    fi
  done
  exit 1
}

# The daemons stand in sbin, which is on the path of root alone.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
[ $# -ge 2 ] || { echo "usage: slurm.sh start FOLDER [PID] | stop FOLDER" >&2; exit 2; }
folder=$2
owner=${3:-}
# Seconds until the node must be there.
patience=240

ends() { # ends PID: waits until it has ended
  for _ in $(seq 100); do
    # In some containers nobody takes leave of the dead.
    case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
      '' | Z*) return 0 ;;
    esac
    sleep 0.1
  done
  return 1
}

stop() {
  folder=$(cd "$folder" 2>/dev/null && pwd) || return 0
  if [ -e "$folder/slurm.conf" ] && [ -s "$folder/slurmctld.pid" ]; then
    # Or they would outlive their slurmd.
    SLURM_CONF=$folder/slurm.conf timeout 20 scancel --full --signal=KILL --user="$(id -un)" \
      >/dev/null 2>&1 || true
  fi
  for daemon in slurmctld slurmd munged; do
    [ -s "$folder/$daemon.pid" ] || continue
    pid=$(cat "$folder/$daemon.pid")
    # Not another's, where the number was given anew.
    tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q "$daemon.*$folder" || continue
    kill "$pid" 2>/dev/null || continue
    ends "$pid" || kill -9 "$pid" 2>/dev/null || true
  done
}

# Two ports of localhost that nobody has.
ports() {
  python3 -c '
import socket
held = [socket.socket() for _ in range(2)]
for one in held:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held))'
}

start() {
  mkdir "$folder"
  folder=$(cd "$folder" && pwd)
  user=$(id -un)
  mkdir -m 755 "$folder/state" "$folder/spool" "$folder/munge"
  # slurmd runs the scripts of jobs there.
  printf '#!/bin/sh\n' >"$folder/spool/try"
  chmod 700 "$folder/spool/try"
  "$folder/spool/try" || fail "no script runs in $folder; set TMPDIR to a folder without noexec"
  head -c 128 /dev/urandom >"$folder/munge/key"
  chmod 600 "$folder/munge/key"
  # shellcheck disable=SC2046 # two words
  set -- $(ports)
  cat >"$folder/slurm.conf" <<CONF
ClusterName=turnpike
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$2
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
KillWait=5
MinJobAge=3600
SlurmctldTimeout=300
SlurmdTimeout=300
NodeName=localhost NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  # Newer ones ask for a cgroup to themselves, which a container may not have.
  release=$(slurmd -V | sed 's/.* \([0-9]*\)\..*/\1/')
  [ "$release" -lt 24 ] || echo CgroupPlugin=disabled >"$folder/cgroup.conf"
  munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" \
    --seed-file="$folder/munge/seed" --num-threads=2 --force >"$folder/munged.out.log" 2>&1 ||
    fail "munged does not start"
  export SLURM_CONF="$folder/slurm.conf"
  slurmctld -c -f "$SLURM_CONF" >"$folder/slurmctld.out.log" 2>&1 || fail "slurmctld does not start"
  slurmd -N localhost -f "$SLURM_CONF" >"$folder/slurmd.out.log" 2>&1 || fail "slurmd does not start"
  while true; do
    case $(timeout 10 sinfo --noheader --format=%t 2>/dev/null) in
      idle | mix | alloc) break ;;
    esac
    patience=$((patience - 1))
    [ "$patience" -gt 0 ] || fail "the node does not come up"
    sleep 1
  done
  if [ -n "$owner" ]; then
    # By exec: a redirected function keeps what was there, and whoever reads it would wait.
    (exec </dev/null >/dev/null 2>&1 && watch) &
  fi
}

born() { # born PID: when it was started, to tell it from another that gets its number
  sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
}

# Waits for the end of the owner, and stops.
watch() {
  begin=$(born "$owner")
  while [ -e "$folder/slurmctld.pid" ] && [ "$(born "$owner")" = "$begin" ]; do
    sleep 1
  done
  stop
}

case $1 in
  start)
    # What was begun ends, however this ends.
    trap 'status=$?; [ "$status" = 0 ] || stop; exit "$status"' EXIT
    start
    ;;
  stop) stop ;;
  *)
    echo "usage: slurm.sh start FOLDER [PID] | stop FOLDER" >&2
    exit 2
    ;;
esac
