/** Runs one portal process at a time on a site. It can be killed at any time and started again. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Arming } from './kill-plan.ts';
import { EndedEarly, forgetSite, startPortal, startSandbox, type PortalProcess, type Site } from './processes.ts';

export type MortalPortal = {
  readonly site: Site;
  arm(arming: Arming): Promise<void>;
  readTrace(): string;
  /** Queries the embedded database of the running portal. */
  askInside(query: string): Promise<readonly unknown[]>;
  /** Sends SIGKILL to the portal, even while it is starting. */
  kill(): Promise<void>;
  isAlive(): boolean;
  /** Starts the portal if it is not running, and counts each such restart. */
  revive(): Promise<void>;
  countDeaths(): number;
  /** Stops the portal and the simulators, and removes the folder. */
  close(): Promise<void>;
};

/** Starts the simulators, which keep running, and then the portal. */
export async function openMortalPortal(site: Site): Promise<MortalPortal> {
  const sandbox = await startSandbox(site);
  let portal: PortalProcess = await startPortal(site).catch(async (error: unknown) => {
    // A running child process would keep this process alive.
    await sandbox.stop();
    forgetSite(site);
    throw error;
  });
  let starting: ChildProcess | undefined;
  let deaths = 0;
  return {
    site,
    arm: (arming) => portal.arm(arming),
    askInside: (query) => portal.ask(query),
    readTrace: () => readFileSync(site.traceFile, 'utf8'),
    kill: async () => {
      if (starting) starting.kill('SIGKILL');
      else await portal.kill();
    },
    isAlive: () => portal.isAlive(),
    revive: async () => {
      while (!portal.isAlive()) {
        deaths += 1;
        const started = await startPortal(site, (child) => (starting = child)).catch((error: unknown) => {
          // Killed while starting: try again. Any other early exit means that the portal cannot start.
          if (starting?.signalCode !== 'SIGKILL' || !(error instanceof EndedEarly)) throw error;
        });
        starting = undefined;
        if (started) portal = started;
      }
    },
    countDeaths: () => deaths,
    close: async () => {
      await portal.kill();
      await sandbox.stop();
      forgetSite(site);
    },
  };
}
