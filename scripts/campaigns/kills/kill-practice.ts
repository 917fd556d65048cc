/** A practice repeatedly imports clients and refreshes their VAT and Self Assessment while the portal is killed. */
import { openPracticeTestBed } from '../../chaos/practice/practice-test-bed.ts';
import { runPracticeRound, type ChaosPartResult } from '../../chaos/practice/run-practice-round.ts';
import { readLogTail } from '../../chaos/processes.ts';
import { checkBooks } from '../../restore-drill/check-books.ts';
import { describeError, type KillContext, type KillResult } from './kill-result.ts';

/** A file that takes three import steps. Rebuilding the clients' positions takes longer than applying the rows, so kills also hit that. */
const CLIENT_COUNT = 1_200;
/** How often a job is retried after its process has died. One more death in the same job would stop the retries. */
const KILLS_OF_ONE_JOB = 5;
const REFRESHED_CLIENTS = 40;

export async function killPractice(context: KillContext, count: number, databaseUrl: string | undefined): Promise<KillResult> {
  const { random, seed, log, signal } = context;
  const testBed = await openPracticeTestBed(databaseUrl);
  const findings: string[] = [];
  let [kills, lostConnections] = [0, 0];
  const report = (part: ChaosPartResult): void => {
    kills += part.killCount;
    lostConnections += part.lostGrants;
    findings.push(...part.violations.map((violation) => `${part.name}: ${violation}`));
    const seconds = Math.round(part.elapsedMs / 1000);
    log(
      `import and refresh: ${part.name}, ${part.killCount} kills in ${seconds} s, ${part.violations.length} findings, ${part.throttled} x 429`,
    );
  };
  try {
    for (let round = 1; kills < count && !signal.aborted && findings.length === 0; round += 1) {
      const remaining = count - kills;
      const importKills = Math.min(KILLS_OF_ONE_JOB, remaining);
      const plan = {
        seed: seed + round + Math.floor(random() * 1_000_000),
        clients: CLIENT_COUNT,
        importKills,
        syncKills: Math.min(KILLS_OF_ONE_JOB, Math.ceil((remaining - importKills) / 2)),
        refreshedClients: REFRESHED_CLIENTS,
        taxes: ['vat', 'sa'] as const,
        shouldCancel: random() < 0.5,
        refreshesAgain: random() < 0.3,
        signal,
      };
      await runPracticeRound(testBed, random, plan, report);
      const { auditProblems, unbalanced } = await testBed.killAndQuery(({ db }) => checkBooks(db));
      if (auditProblems > 0 || unbalanced > 0)
        findings.push(`${auditProblems} problems of the audit trail, ${unbalanced} postings don’t balance`);
    }
  } catch (error) {
    findings.push(describeError(error));
  } finally {
    if (findings.length > 0) log(`Last lines of the portal’s log:\n${readLogTail(testBed.site)}`);
    for (const step of testBed.lastSteps) context.steps.add(step);
    await testBed.close();
  }
  return { kills, crashes: testBed.countCrashes(), lostConnections, findings };
}
