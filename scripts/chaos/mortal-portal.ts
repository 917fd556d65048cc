/** One portal process at a time on one site: killed as often as anybody likes, started again where it is dead. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Arming } from './kill-plan.ts';
import { EndedEarly, forgetSite, startPortal, startSandbox, type PortalProcess, type Site } from './processes.ts';

export type MortalPortal = {
  readonly site: Site;
  arm(arming: Arming): Promise<void>;
  readTrace(): string;
  /** A query of the living portal's embedded database. */
  askInside(query: string): Promise<readonly unknown[]>;
  /** SIGKILL to the portal as it is: serving, or still starting. */
  kill(): Promise<void>;
  isAlive(): boolean;
  /** Starts the portal again where it is dead; how often that was so is counted. */
  revive(): Promise<void>;
  countDeaths(): number;
  /** Ends portal and doubles, and removes the folder. */
  close(): Promise<void>;
};

/** Starts the doubles, which stay up, and the portal. */
export async function openMortalPortal(site: Site): Promise<MortalPortal> {
  const sandbox = await startSandbox(site);
  let portal: PortalProcess = await startPortal(site).catch(async (error: unknown) => {
    // What runs would keep us from ending.
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
          // Killed while it was starting: the next one starts. Anything else is a portal that cannot come back.
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
