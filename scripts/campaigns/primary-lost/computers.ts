/**
 * Computers for a test on a single machine: Linux network namespaces on one bridge, whose processes can be killed, paused or cut off
 * together.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

export type Computer = {
  readonly name: string;
  readonly address: string;
  /** Starts a program there, with its output going to the file. */
  start(command: readonly string[], environment: Readonly<Record<string, string>>, logFile: string): ChildProcess;
  /** Sends a signal to all its processes, or to those whose command line matches. */
  signal(signal: NodeJS.Signals, pattern?: RegExp): void;
  cutOff(): void;
  reconnect(): void;
};

export type Network = { readonly computers: readonly Computer[]; remove(): void };

const runIp = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** This machine has the last address on the network. Names include the process id, so that two runs don't clash. */
export function createNetwork(names: readonly string[]): Network {
  const id = process.pid.toString(36);
  const bridgeName = `plb${id}`;
  // 198.18.0.0/15 is reserved for network tests (RFC 2544), so it is never a real network here.
  const prefix = `198.18.${process.pid % 250}`;
  runIp('link', 'add', bridgeName, 'type', 'bridge');
  runIp('address', 'add', `${prefix}.254/24`, 'dev', bridgeName);
  runIp('link', 'set', bridgeName, 'up');
  const namespaces = names.map((name) => `plb${id}-${name}`);
  const computers = names.map((name, index): Computer => {
    const [namespace, link, address] = [namespaces[index] ?? '', `plb${id}v${index}`, `${prefix}.${index + 1}`];
    runIp('netns', 'add', namespace);
    runIp('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    runIp('link', 'set', link, 'master', bridgeName, 'up');
    runIp('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) runIp('-n', namespace, 'link', 'set', device, 'up');
    return {
      name,
      address,
      start: (command, environment, logFile) => {
        const log = openSync(logFile, 'a');
        // Debian's PostgreSQL doesn't run as root.
        const runAsPostgresArgs = ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups'];
        const child = spawn('ip', ['netns', 'exec', namespace, ...runAsPostgresArgs, ...command], {
          env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', ...environment },
          stdio: ['ignore', log, log],
        });
        closeSync(log);
        return child;
      },
      signal: (signal, pattern) => signalAll(namespace, signal, pattern),
      cutOff: () => runIp('link', 'set', link, 'down'),
      reconnect: () => runIp('link', 'set', link, 'up'),
    };
  });
  return {
    computers,
    remove: () => {
      for (const namespace of namespaces) {
        signalAll(namespace, 'SIGKILL');
        runIp('netns', 'delete', namespace);
      }
      runIp('link', 'delete', bridgeName);
    },
  };
}

function signalAll(namespace: string, signal: NodeJS.Signals, pattern?: RegExp): void {
  for (const pid of runIp('netns', 'pids', namespace).split('\n').filter(Boolean)) {
    if (pattern && !pattern.test(readCommand(pid))) continue;
    try {
      process.kill(Number(pid), signal);
    } catch (error) {
      // The process has ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Returns a process's command line; empty if it has ended. */
function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
