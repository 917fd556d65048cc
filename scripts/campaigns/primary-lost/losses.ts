/** Ways to lose a database computer, or part of one, and to restore it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Computer } from './computers.ts';

export type Loss = {
  readonly name: string;
  /** Whether another node becomes the primary. If only PostgreSQL is lost, its Patroni restarts it. */
  readonly movesPrimary: boolean;
  find(cluster: Cluster): Promise<Computer>;
  begin(computer: Computer): void;
  end(cluster: Cluster, computer: Computer): void;
};

const findPrimary = (cluster: Cluster): Promise<Computer> => cluster.findLeader();
const findStandby = (cluster: Cluster): Promise<Computer> => cluster.findSynchronous();
const start = (cluster: Cluster, computer: Computer): void => cluster.startComputer(computer);
const kill = (computer: Computer): void => computer.signal('SIGKILL');
const suspendProcesses = (computer: Computer): void => computer.signal('SIGSTOP');
const resumeProcesses = (_: Cluster, computer: Computer): void => computer.signal('SIGCONT');
const disconnect = (computer: Computer): void => computer.cutOff();
const reconnect = (_: Cluster, computer: Computer): void => computer.reconnect();

/** Each computer also runs an etcd member, as docs/operations.md recommends. */
export const LOSSES: readonly Loss[] = [
  { name: 'primary killed', movesPrimary: true, find: findPrimary, begin: kill, end: start },
  { name: 'primary without network', movesPrimary: true, find: findPrimary, begin: disconnect, end: reconnect },
  { name: 'primary frozen', movesPrimary: true, find: findPrimary, begin: suspendProcesses, end: resumeProcesses },
  { name: 'standby without network', movesPrimary: false, find: findStandby, begin: disconnect, end: reconnect },
  {
    name: 'Patroni of the primary frozen',
    movesPrimary: true,
    find: findPrimary,
    begin: (computer) => computer.signal('SIGSTOP', /patroni\.yml$/),
    end: resumeProcesses,
  },
  {
    name: 'PostgreSQL of the primary killed',
    movesPrimary: false,
    find: findPrimary,
    // Patroni restarts it.
    begin: (computer) => computer.signal('SIGKILL', /^\S*postgres\b/),
    end: () => undefined,
  },
  { name: 'standby killed', movesPrimary: false, find: findStandby, begin: kill, end: start },
];

/** Resolves once Patroni reports another leader. */
export async function waitForOtherLeader(cluster: Cluster, lostComputer: Computer, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    const leader = (await cluster.readMembers(lostComputer)).find(({ role }) => role === 'leader');
    if (leader && leader.name !== lostComputer.name) return;
    await pause(500);
  }
  throw new Error(`no other node became the primary in ${limitMs / 1000} s`);
}
