/** Three computers with PostgreSQL, Patroni and etcd, with HAProxy in front, using the files in deploy/patroni. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import pg from 'pg';
import { parse, stringify } from 'yaml';
import { findProgram } from '../../testing/debian.ts';
import { repositoryRoot } from '../../testing/run-command.ts';
import { findPostgresBinaries, getUnprivilegedOwner } from '../../testing/start-postgres.ts';
import { createNetwork, type Computer } from './computers.ts';

type Owner = { readonly uid: number; readonly gid: number } | undefined;

export type Member = {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
  readonly timeline?: number;
};

export type Cluster = {
  readonly folder: string;
  readonly computers: readonly Computer[];
  /** Through HAProxy, with the role that owns the tables and with the portals' role. */
  readonly ownerUrl: string;
  readonly portalUrl: string;
  /** Reads the members from Patroni's REST API on any computer that responds, except a lost one. Empty if none do. */
  readMembers(lostComputer?: Computer): Promise<readonly Member[]>;
  findLeader(): Promise<Computer>;
  /** Returns the standby that must confirm every commit. */
  findSynchronous(): Promise<Computer>;
  /** Starts any processes that aren't running there (after SIGKILL). */
  startComputer(computer: Computer): void;
  /** Resolves once one node is the primary, another is its synchronous standby, and all are on its timeline without any lag. */
  waitUntilWhole(limitMs: number): Promise<void>;
  remove(): void;
};

const PACKAGES = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', ip: 'iproute2', setpriv: 'util-linux', openssl: 'openssl' };
const DATABASE_NAMES = ['database-1', 'database-2', 'database-3'] as const;
const START_LIMIT_MS = 180_000;

/** Returns a sentence saying what this machine lacks to run the campaign; undefined if it lacks nothing. */
export function describeMissingTools(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'primary-lost needs Linux and root: each node gets a network of its own, which can be cut off.';
  const missingPackages: string[] = Object.entries(PACKAGES).flatMap(([program, name]) =>
    findProgram([program, `/usr/sbin/${program}`]) === undefined ? [name] : [],
  );
  if (findPostgresBinaries() === undefined) missingPackages.push('postgresql');
  return missingPackages.length === 0
    ? undefined
    : `Install Debian's packages: apt-get install --no-install-recommends ${missingPackages.join(' ')}`;
}

export async function openCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-patroni-'));
  const owner = getUnprivilegedOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const network = createNetwork(DATABASE_NAMES);
  const { computers } = network;
  const passwords = createPasswords();
  const runningProcesses = new Map<string, ChildProcess>();
  createCertificate(folder, owner);
  const port = await findFreePort();
  const proxy = startProxy(folder, port, computers);
  const startOnce = (key: string, start: () => ChildProcess): void => {
    const runningServer = runningProcesses.get(key);
    if (runningServer && runningServer.exitCode === null && runningServer.signalCode === null) return;
    runningProcesses.set(key, start());
  };
  const startComputer = (computer: Computer): void => {
    const { name } = computer;
    startOnce(`etcd ${name}`, () => startEtcd(folder, computer, computers));
    startOnce(`patroni ${name}`, () => startPatroni(folder, computer, computers, passwords));
  };
  const readMembers: Cluster['readMembers'] = (lostComputer) => queryAnyMember(computers.filter((computer) => computer !== lostComputer));
  const find = async (roles: readonly string[]): Promise<Computer> => {
    const member = (await readMembers()).find(({ role }) => roles.includes(role));
    const computer = computers.find(({ name }) => name === member?.name);
    if (!computer) throw new Error(`no member is ${roles.join(' or ')}`);
    return computer;
  };
  const toUrl = (user: string): string =>
    `postgres://${user}:${passwords[user]}@localhost:${port}/portal?sslmode=verify-full&sslrootcert=${encodeURIComponent(join(folder, 'server.crt'))}`;
  const cluster: Cluster = {
    folder,
    computers,
    ownerUrl: toUrl('portal_owner'),
    portalUrl: toUrl('portal_app'),
    readMembers,
    findLeader: () => find(['leader']),
    findSynchronous: () => find(['sync_standby']),
    startComputer,
    waitUntilWhole: (limitMs) => waitUntilWhole(cluster, limitMs),
    remove: () => {
      proxy.kill('SIGKILL');
      network.remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
  try {
    for (const computer of computers) startComputer(computer);
    await cluster.waitUntilWhole(START_LIMIT_MS);
    await createRoles(toUrl('postgres').replace('/portal?', '/postgres?'), passwords);
    return cluster;
  } catch (error) {
    const logs = DATABASE_NAMES.map((name) => readFileSync(join(folder, `patroni-${name}.log`), 'utf8').slice(-1500)).join('\n');
    cluster.remove();
    throw new Error(`The cluster did not start:\n${logs}`, { cause: error });
  }
}

function createPasswords(): Readonly<Record<string, string>> {
  const users = ['postgres', 'replicator', 'rewinder', 'patroni', 'portal_owner', 'portal_app'];
  return Object.fromEntries(users.map((user) => [user, randomBytes(16).toString('hex')]));
}

function createCertificate(folder: string, owner: Owner): void {
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
  ];
  execFileSync('openssl', [...request, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  if (owner) for (const path of [certificate, key]) chownSync(path, owner.uid, owner.gid);
}

/** Writes deploy/patroni/patroni.yml with different paths. */
function writeConfig(folder: string, data: string): string {
  const config = parse(readFileSync(join(repositoryRoot, 'deploy/patroni/patroni.yml'), 'utf8')) as {
    postgresql: { parameters: Record<string, string> };
  };
  const paths = { unix_socket_directories: data, ssl_cert_file: join(folder, 'server.crt'), ssl_key_file: join(folder, 'server.key') };
  Object.assign(config.postgresql.parameters, paths);
  const file = join(data, 'patroni.yml');
  writeFileSync(file, stringify(config));
  return file;
}

function startEtcd(folder: string, { name, address, start }: Computer, computers: readonly Computer[]): ChildProcess {
  const client = `http://${address}:2379`;
  const peerUrl = `http://${address}:2380`;
  const command = ['etcd', '--name', name, '--data-dir', join(folder, `etcd-${name}`), '--log-level', 'warn', '--enable-v2'];
  command.push('--listen-client-urls', client, '--advertise-client-urls', client);
  command.push('--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl);
  command.push('--initial-cluster', computers.map((computer) => `${computer.name}=http://${computer.address}:2380`).join(','));
  return start(command, {}, join(folder, `etcd-${name}.log`));
}

function startPatroni(
  folder: string,
  { name, address, start }: Computer,
  computers: readonly Computer[],
  passwords: Readonly<Record<string, string>>,
): ChildProcess {
  const data = join(folder, name);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const owner = getUnprivilegedOwner();
  if (owner) chownSync(data, owner.uid, owner.gid);
  const environment = {
    PATRONI_NAME: name,
    PATRONI_ETCD_HOSTS: computers.map((computer) => `${computer.address}:2379`).join(','),
    PATRONI_RESTAPI_LISTEN: `${address}:8008`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
    PATRONI_RESTAPI_USERNAME: 'patroni',
    PATRONI_RESTAPI_PASSWORD: passwords['patroni'] ?? '',
    PATRONI_POSTGRESQL_LISTEN: `${address}:5432`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
    PATRONI_POSTGRESQL_DATA_DIR: join(data, 'data'),
    PATRONI_POSTGRESQL_BIN_DIR: findBinaries(),
    PATRONI_POSTGRESQL_PGPASS: join(data, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: passwords['postgres'] ?? '',
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: passwords['replicator'] ?? '',
    PATRONI_REWIND_USERNAME: 'rewinder',
    PATRONI_REWIND_PASSWORD: passwords['rewinder'] ?? '',
  };
  return start(['patroni', writeConfig(folder, data)], environment, join(folder, `patroni-${name}.log`));
}

/** Returns the folder that also contains pg_rewind and pg_controldata: the target of a link on the PATH. */
function findBinaries(): string {
  return dirname(realpathSync(join(findPostgresBinaries() ?? '', 'postgres')));
}

function startProxy(folder: string, port: number, computers: readonly Computer[]): ChildProcess {
  const [first, second, third] = computers.map(({ address }) => `${address}:5432`);
  const log = openSync(join(folder, 'haproxy.log'), 'a');
  const child = spawn(
    findProgram(['haproxy', '/usr/sbin/haproxy']) ?? 'haproxy',
    ['-f', join(repositoryRoot, 'deploy/patroni/haproxy.cfg')],
    {
      env: {
        DATABASE_LISTEN: `127.0.0.1:${port},[::1]:${port}`,
        DATABASE_1: first,
        DATABASE_2: second,
        DATABASE_3: third,
        PATRONI_PORT: '8008',
      },
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  return child;
}

async function queryAnyMember(computers: readonly Computer[]): Promise<readonly Member[]> {
  for (const { address } of computers) {
    const members = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1_500) }).then(
      async (response) => ((await response.json()) as { members?: Member[] }).members,
      () => undefined,
    );
    if (members?.some(({ role }) => role === 'leader')) return members;
  }
  return [];
}

async function waitUntilWhole({ readMembers, computers }: Cluster, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  let members: readonly Member[] = [];
  while (performance.now() < deadline) {
    members = await readMembers();
    const leader = members.find(({ role }) => role === 'leader');
    const isWhole =
      members.length === computers.length &&
      members.filter(({ role }) => role === 'sync_standby').length === 1 &&
      members.every(({ state, timeline, lag }) => /running|streaming/.test(state) && timeline === leader?.timeline && (lag ?? 0) === 0);
    if (isWhole) return;
    await pause(500);
  }
  throw new Error(`The cluster isn't whole after ${limitMs / 1000} s: ${JSON.stringify(members)}`);
}

/** Creates the roles described in docs/operations.md, "The database's users". */
async function createRoles(url: string, passwords: Readonly<Record<string, string>>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create role portal_owner login createrole password '${passwords['portal_owner']}'`);
    await client.query(`create role portal_app login noinherit password '${passwords['portal_app']}'`);
    await client.query('create database portal owner portal_owner');
  } finally {
    await client.end();
  }
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exitPromise = once(child, 'exit');
  child.kill(signal);
  await exitPromise;
}
