/** Runs rounds of practice tests until the requested number of kills is reached, and prints a line for each import and refresh. */
import { lastWords } from '../processes.ts';
import { createChance } from '../shake.ts';
import { openPracticeWorld } from './practice-world.ts';
import { shakePractice, type Shaken } from './shake-practice.ts';

export type PracticeChaos = { readonly kills: number; readonly seed: number; readonly databaseUrl: string | undefined };

/** A file of five import steps. Rebuilding the clients' positions takes longer than applying the rows, so kills hit it too. */
const CLIENTS = 2_400;
/** As often as a job is tried again after its process died: one more death in the same job would park it. */
const IMPORT_KILLS = 5;
const SYNC_KILLS = 30;
const READS = 40;

/** Resolves to true when no part had a violation. */
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
    say(isKept ? 'No client lost or duplicated, and every figure equals a rebuild from its observations.' : 'Violations were found.');
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
