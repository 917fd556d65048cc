/** A practice's team and its clients' users work together while the portal is killed. */
import { killRandomly } from '../../chaos/practice/kill-randomly.ts';
import { openPracticeTestBed, type PracticeTestBed } from '../../chaos/practice/practice-test-bed.ts';
import { connectOffice, playTeamStory, type TeamStory } from '../../chaos/practice/team-story.ts';
import { verifyMailbox, verifyTeamStory, waitForEmails } from '../../chaos/practice/verify-team.ts';
import { readLogTail } from '../../chaos/processes.ts';
import { checkBooks } from '../../restore-drill/check-books.ts';
import { describeError, type KillContext, type KillResult } from './kill-result.ts';

/** Played at the same time. */
const STORIES = 3;
/** A story makes about twenty calls with one or two commits each. */
const KILL_LIMITS = { points: 30, ms: 1_500 } as const;

export async function killTeam(context: KillContext, count: number, databaseUrl: string | undefined): Promise<KillResult> {
  const { log, signal, steps } = context;
  const testBed = await openPracticeTestBed(databaseUrl);
  const findings: string[] = [];
  let kills = 0;
  try {
    const office = await connectOffice(testBed);
    while (kills < count && !signal.aborted && findings.length === 0) {
      // Stopping the portal to look into its database was no kill of the campaign.
      await testBed.revive();
      const killsBefore = testBed.countKills();
      const stories = await playStories(testBed, context, killsBefore + count - kills);
      if (!(await waitForEmails(testBed))) findings.push('emails were still waiting four minutes after the last kill');
      kills += testBed.countKills() - killsBefore;
      const { unknown, violations } = await testBed.killAndQuery(async ({ db }) => {
        const mailbox = await verifyMailbox(testBed, db, office);
        const { auditProblems, unbalanced } = await checkBooks(db);
        const books =
          auditProblems + unbalanced > 0 ? [`${auditProblems} problems of the audit trail, ${unbalanced} postings don’t balance`] : [];
        const facts: string[] = [];
        for (const story of stories) facts.push(...(await verifyTeamStory(db, testBed.admin, story)));
        return { unknown: mailbox.unknown, violations: [...mailbox.violations, ...facts, ...books] };
      });
      findings.push(...violations);
      log(`team: ${kills} kills, ${stories.length} stories, ${unknown} emails may have been sent, ${findings.length} findings`);
    }
  } catch (error) {
    findings.push(describeError(error));
  } finally {
    if (findings.length > 0) log(`Last lines of the portal’s log:\n${readLogTail(testBed.site)}`);
    for (const step of testBed.lastSteps) steps.add(step);
    await testBed.close();
  }
  return { kills, crashes: testBed.countCrashes(), lostConnections: 0, findings };
}

/** Plays stories at the same time and kills the portal until they end or enough kills are done. */
async function playStories(testBed: PracticeTestBed, { random, signal }: KillContext, maxKills: number): Promise<TeamStory[]> {
  let isPlaying = true;
  const playing = Promise.all(Array.from({ length: STORIES }, () => playTeamStory(testBed))).finally(() => (isPlaying = false));
  const killing = (async () => {
    while (isPlaying && testBed.countKills() < maxKills && !signal.aborted) await killRandomly(testBed, random, KILL_LIMITS);
    await testBed.revive();
  })();
  const [stories] = await Promise.all([playing, killing]);
  return stories;
}
