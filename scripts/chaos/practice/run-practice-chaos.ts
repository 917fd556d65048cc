/** Runs rounds of practice tests until the requested number of kills is reached, and prints a line for each import and refresh. */
import { readLogTail } from '../processes.ts';
import { createRandom } from '../random.ts';
import { openPracticeTestBed } from './practice-test-bed.ts';
import { runPracticeRound, type ChaosPartResult } from './run-practice-round.ts';

export type PracticeChaosOptions = { readonly kills: number; readonly seed: number; readonly databaseUrl: string | undefined };

/** A file of five import steps. Rebuilding the clients' positions takes longer than applying the rows, so kills hit it too. */
const CLIENTS = 2_400;
/** The number of times that a job is retried after its process died. One more death in the same job would stop the retries. */
const IMPORT_KILLS = 5;
const SYNC_KILLS = 30;
const REFRESHED_CLIENTS = 40;

/** Resolves to true when no part had a violation. */
export async function runPracticeChaos(
  { kills, seed, databaseUrl }: PracticeChaosOptions,
  print: (line: string) => void,
): Promise<boolean> {
  print(`\nA practice on ${databaseUrl === undefined ? 'the embedded database' : 'PostgreSQL'}, seed ${seed}, at least ${kills} kills\n`);
  const testBed = await openPracticeTestBed(databaseUrl);
  const random = createRandom(seed);
  let [killCount, lostGrants, hasPassed] = [0, 0, true];
  const reportPart = (part: ChaosPartResult): void => {
    killCount += part.killCount;
    lostGrants += part.lostGrants;
    hasPassed &&= part.violations.length === 0;
    print(line(part));
  };
  try {
    for (let round = 1; killCount < kills; round += 1) {
      const remaining = kills - killCount;
      await runPracticeRound(
        testBed,
        random,
        {
          seed: seed + round,
          clients: CLIENTS,
          importKills: Math.min(IMPORT_KILLS, remaining),
          syncKills: Math.min(SYNC_KILLS, remaining),
          refreshedClients: REFRESHED_CLIENTS,
          taxes: ['vat', 'sa'],
          shouldCancel: round % 2 === 0,
          refreshesAgain: round % 3 === 1,
        },
        reportPart,
      );
    }
    if (!hasPassed) print(`\nLast lines of the portal’s log:\n${readLogTail(testBed.site)}`);
    print(`\n${killCount} deaths; the HMRC connection was lost and made again ${lostGrants} times.`);
    print(
      hasPassed ? 'No client was lost or duplicated, and every figure matches a rebuild from its observations.' : 'Violations were found.',
    );
    return hasPassed;
  } catch (error) {
    print(`\nAfter ${killCount} kills, the last lines of the portal’s log:\n${readLogTail(testBed.site)}`);
    throw error;
  } finally {
    await testBed.close();
  }
}

function line({ name, killCount, lostGrants, throttled, elapsedMs, violations }: ChaosPartResult): string {
  const lostGrantsText = `${lostGrants > 0 ? `, ${lostGrants} grants lost` : ''}${throttled > 0 ? `, ${throttled} x 429` : ''}`;
  const verdict = violations.length > 0 ? `VIOLATED: ${violations.join('; ')}` : 'ok';
  return `${name.padEnd(18)} ${`${killCount} deaths${lostGrantsText}`.padEnd(36)} ${`${(elapsedMs / 1000).toFixed(0)} s`.padEnd(7)} ${verdict}`;
}
