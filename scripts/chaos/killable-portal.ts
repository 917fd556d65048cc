/** Runs one portal process at a time on a site. The process can be killed and restarted at any time. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { formatPoint, readKillPoints, type KillPlan } from './kill-plan.ts';
import { ProcessExitedError, removeSite, startPortal, startSandbox, type PortalProcess, type Site } from './processes.ts';

export type KillablePortal = {
  readonly site: Site;
  setKillPlan(killPlan: KillPlan): Promise<void>;
  readTrace(): string;
  /** Queries the embedded database of the running portal. */
  queryEmbedded(query: string): Promise<readonly unknown[]>;
  /** Sends SIGKILL to the portal, even while it is starting. */
  kill(): Promise<void>;
  isAlive(): boolean;
  /** Starts the portal if it isn't running, and counts each such restart. Any number of callers may wait for the same start. */
  revive(): Promise<void>;
  countKills(): number;
  /** Returns how often it ended without being killed. */
  countCrashes(): number;
  /** The last step before each kill, without its occurrence number. */
  readonly lastSteps: ReadonlySet<string>;
  /** Stops the portal and the simulators, and removes the folder. */
  close(): Promise<void>;
};

/** Starts the simulators, which keep running, and then the portal. */
export async function openKillablePortal(site: Site): Promise<KillablePortal> {
  const sandbox = await startSandbox(site);
  let portal: PortalProcess = await startPortal(site).catch(async (error: unknown) => {
    // A running child process would keep this process alive.
    await sandbox.stop();
    removeSite(site);
    throw error;
  });
  let startingChild: ChildProcess | undefined;
  let [killCount, crashCount] = [0, 0];
  const lastSteps = new Set<string>();
  const restart = async (): Promise<void> => {
    while (!portal.isAlive()) {
      killCount += 1;
      if (portal.hasCrashed()) crashCount += 1;
      const last = existsSync(site.traceFile) ? readKillPoints(readFileSync(site.traceFile, 'utf8')).at(-1) : undefined;
      if (last) lastSteps.add(formatPoint({ ...last, nth: 1 }));
      const startedPortal = await startPortal(site, (child) => (startingChild = child)).catch((error: unknown) => {
        // If the portal was killed while starting, tries again. Any other early exit means that it can't start.
        if (startingChild?.signalCode !== 'SIGKILL' || !(error instanceof ProcessExitedError)) throw error;
      });
      startingChild = undefined;
      if (startedPortal) portal = startedPortal;
    }
  };
  let pendingRestart: Promise<void> | undefined;
  return {
    site,
    setKillPlan: (killPlan) => portal.setKillPlan(killPlan),
    queryEmbedded: (query) => portal.query(query),
    readTrace: () => readFileSync(site.traceFile, 'utf8'),
    kill: async () => {
      if (startingChild) startingChild.kill('SIGKILL');
      else await portal.kill();
    },
    isAlive: () => portal.isAlive(),
    revive: () => {
      pendingRestart ??= restart().finally(() => (pendingRestart = undefined));
      return pendingRestart;
    },
    countKills: () => killCount,
    countCrashes: () => crashCount,
    lastSteps,
    close: async () => {
      await portal.kill();
      await sandbox.stop();
      removeSite(site);
    },
  };
}
