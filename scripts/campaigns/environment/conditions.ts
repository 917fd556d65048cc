/** Failures of one machine: full disks, clock jumps, no connections or files left, a database that can't be written to. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Machine } from './machine.ts';
import { CALENDAR_CONDITIONS } from './calendar.ts';
import { BOTH_ENGINES, type Condition } from './condition.ts';

const HOUR_SECONDS = 3_600;
const DAY = 24 * HOUR_SECONDS;

const DISK_CONDITIONS: readonly Condition[] = [
  {
    name: 'the disk of the database is full',
    engines: BOTH_ENGINES,
    rounds: 4,
    mustRefuse: true,
    begin: async ({ dataDisk }) => {
      dataDisk.fill();
      return async () => dataDisk.free();
    },
  },
  {
    name: 'the disk of uploads and the log is full',
    engines: BOTH_ENGINES,
    mustRefuse: true,
    begin: async ({ spoolDisk }) => {
      spoolDisk.fill();
      return async () => spoolDisk.free();
    },
  },
  {
    name: 'both disks are full',
    engines: BOTH_ENGINES,
    mustRefuse: true,
    begin: async ({ dataDisk, spoolDisk }) => {
      dataDisk.fill();
      spoolDisk.fill();
      return async () => {
        dataDisk.free();
        spoolDisk.free();
      };
    },
  },
];

/** Shorter than a week, because sessions expire after that anyway. Each jump is also reversed, to test the clock going backwards. */
const CLOCK_JUMP_SECONDS: readonly (readonly [string, number])[] = [
  ['an hour', HOUR_SECONDS],
  ['a day', DAY],
  ['six days', 6 * DAY],
];

const CLOCK_JUMPS: readonly Condition[] = CLOCK_JUMP_SECONDS.flatMap(([text, seconds]) =>
  [1, -1].map((sign): Condition => ({
    name: `the system clock jumps ${text} ${sign > 0 ? 'forwards, then back' : 'backwards, then forwards again'}`,
    engines: BOTH_ENGINES,
    begin: async ({ clock }) => {
      await clock?.setOffset(sign * seconds);
      return async () => clock?.setOffset(0);
    },
  })),
);

async function runAsAdministrator<Result>(machine: Machine, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: machine.postgres?.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const PORTAL_SESSIONS_SQL = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'campaign'`;

/** Opens sessions until the server rejects one. */
async function openAllConnections(machine: Machine): Promise<pg.Client[]> {
  const openClients: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: machine.postgres?.url, application_name: 'campaign' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      openClients.push(client);
    } catch {
      await client.end().catch(() => undefined);
      return openClients;
    }
  }
}

const DATABASE_CONDITIONS: readonly Condition[] = [
  {
    name: 'PostgreSQL has no connection left for the portal',
    engines: ['postgres'],
    mustRefuse: true,
    begin: async ({ machine }) => {
      const openClients = await openAllConnections(machine);
      // One of the sessions ends the portal's sessions, and the rest take their slots.
      await openClients[0]?.query(`select pg_terminate_backend(pid) ${PORTAL_SESSIONS_SQL}`);
      for (let round = 0; round < 5; round += 1) openClients.push(...(await openAllConnections(machine)));
      return async () => void (await Promise.all(openClients.map((client) => client.end())));
    },
  },
  {
    name: 'every connection of the portal waits for a lock',
    engines: ['postgres'],
    people: 4,
    mustRefuse: true,
    begin: async ({ machine }) => {
      const client = new pg.Client({ connectionString: machine.postgres?.url, application_name: 'campaign' });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('begin; lock table users in access exclusive mode');
      // This is longer than the portal waits for a connection.
      void pause(25_000).then(() => client.end());
      return () => client.end().catch(() => undefined);
    },
  },
  {
    name: 'PostgreSQL is set to read only',
    engines: ['postgres'],
    mustRefuse: true,
    begin: async ({ machine }) => {
      const set = (value: 'on' | 'off') =>
        runAsAdministrator(machine, async (client) => {
          await client.query(`alter system set default_transaction_read_only to ${value}`);
          await client.query('select pg_reload_conf()');
          await pause(500);
        });
      await set('on');
      return () => set('off');
    },
  },
  {
    name: 'PostgreSQL ends every session',
    engines: ['postgres'],
    begin: async ({ machine }) => {
      const endConnections = () =>
        runAsAdministrator(machine, (client) => client.query(`select pg_terminate_backend(pid) ${PORTAL_SESSIONS_SQL}`));
      await endConnections();
      return async () => void (await endConnections());
    },
  },
];

const countOpenFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

const FILES: readonly Condition[] = [
  {
    name: 'the portal may open no further file or connection',
    engines: BOTH_ENGINES,
    people: 4,
    mustRefuse: true,
    mayDropConnections: true,
    begin: async ({ machine }) => {
      const hardLimit = execFileSync('prlimit', ['--pid', String(machine.pid()), '--nofile', '--noheadings', '--output', 'HARD'], {
        encoding: 'utf8',
      }).trim();
      const setSoftLimit = (softLimit: string): void =>
        void execFileSync('prlimit', ['--pid', String(machine.pid()), `--nofile=${softLimit}:${hardLimit}`]);
      // Leaves room for two more, so that some calls still arrive but can't open anything further.
      setSoftLimit(String(countOpenFiles(machine.pid()) + 2));
      return async () => {
        if (machine.isAlive()) setSoftLimit(hardLimit);
      };
    },
  },
];

export const CONDITIONS: readonly Condition[] = [
  ...DISK_CONDITIONS,
  ...CLOCK_JUMPS,
  ...CALENDAR_CONDITIONS,
  ...DATABASE_CONDITIONS,
  ...FILES,
];
