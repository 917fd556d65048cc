/** Rounds of a practice under fire until so many deaths are died, a line for each import and refresh. */
import { lastWords } from '../processes.ts';
import { createChance } from '../shake.ts';
import { openPracticeWorld } from './practice-world.ts';
import { shakePractice, type Shaken } from './shake-practice.ts';

export type PracticeChaos = { readonly kills: number; readonly seed: number; readonly databaseUrl: string | undefined };

/** A file of five steps; working out its clients' days takes longer than taking them in, and is killed too. */
const CLIENTS = 2_400;
/** As often as a job is tried again after its process died: one more death in the same job would park it. */
const IMPORT_KILLS = 5;
const SYNC_KILLS = 30;
const READS = 40;

/** Whether the promise was kept in every part. */
export async function runPractices({ kills, seed, databaseUrl }: PracticeChaos, say: (line: string) => void): Promise<boolean> {
  say(`\nA practice on ${databaseUrl === undefined ? 'the embedded database' : 'PostgreSQL'}, seed ${seed}, at least ${kills} deaths\n`);
  const world = await openPracticeWorld(databaseUrl);
  const chance = createChance(seed);
  let [deaths, grantsLost, isKept] = [0, 0, true];
  const tell = (part: Shaken): void => {
    deaths += part.deaths;
    grantsLost += part.grantsLost;
    isKept &&= part.violations.length === 0;
    say(line(part));
  };
  try {
    for (let round = 1; deaths < kills; round += 1) {
      const left = kills - deaths;
      await shakePractice(
        world,
        chance,
        {
          seed: seed + round,
          clients: CLIENTS,
          importKills: Math.min(IMPORT_KILLS, left),
          syncKills: Math.min(SYNC_KILLS, left),
          reads: READS,
          taxes: ['vat', 'sa'],
          cancels: round % 2 === 0,
          readsAgain: round % 3 === 1,
        },
        tell,
      );
    }
    if (!isKept) say(`\nThe portal's last words:\n${lastWords(world.site)}`);
    say(`\n${deaths} deaths; a death cost HMRC's grant ${grantsLost} times, which was given anew.`);
    say(isKept ? 'No client lost or doubled, every figure what its readings give.' : 'The promise was not kept in every part.');
    return isKept;
  } catch (error) {
    say(`\nAfter ${deaths} deaths; the portal's last words:\n${lastWords(world.site)}`);
    throw error;
  } finally {
    await world.close();
  }
}

function line({ what, deaths, grantsLost, throttled, elapsedMs, violations }: Shaken): string {
  const lost = `${grantsLost > 0 ? `, ${grantsLost} grants lost` : ''}${throttled > 0 ? `, ${throttled} x 429` : ''}`;
  const verdict = violations.length > 0 ? `VIOLATED: ${violations.join('; ')}` : 'ok';
  return `${what.padEnd(18)} ${`${deaths} deaths${lost}`.padEnd(36)} ${`${(elapsedMs / 1000).toFixed(0)} s`.padEnd(7)} ${verdict}`;
}
