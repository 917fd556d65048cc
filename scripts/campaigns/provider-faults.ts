/** Runs every operation of every provider's client with every fault, at each of its calls. */
import { createRandom } from '../chaos/random.ts';
import { useTemporaryPostgres } from '../testing/use-temporary-postgres.ts';
import type { Campaign, CampaignContext, CampaignOutcome } from './campaign.ts';
import { ALL_CLIENTS } from './provider-faults/all-cases.ts';
import { openBed, type Bed } from './provider-faults/bed.ts';
import { checkCall, countCalls, type Cell } from './provider-faults/check-call.ts';
import { FAULTS } from './provider-faults/fault-proxy.ts';
import { checkClick, CLICKS, countClickCalls, openStage, type Stage } from './provider-faults/portal-clicks.ts';

export const providerFaults: Campaign = {
  name: 'provider-faults',
  proves:
    'However a provider fails at any call, the portal knows whether the work may have been done, unknown never becomes nothing, and the same call works afterwards',
  unit: 'faults',
  target: 3_000,
  defaultCount: 1_500,
  run: runProviderFaults,
};

/** One fault at one call, made by a client's operation or by a user's click. */
type Attempt = { readonly name: string; readonly run: () => Promise<string[] | undefined> };

async function runProviderFaults({ seed, count, engine, log, signal }: CampaignContext): Promise<CampaignOutcome> {
  const server = engine === 'postgres' ? await useTemporaryPostgres() : undefined;
  const bed = await openBed();
  const stage = await openStage(bed);
  const findings: string[] = [];
  let [done, notReached] = [0, 0];
  try {
    const cells = await listCells(bed, findings);
    const clicks = await listClicks(stage, findings);
    const attempts = [
      ...cells.map((cell): Attempt => ({ name: `${cell.operation}, ${cell.fault}`, run: () => checkCall(bed, cell) })),
      ...clicks,
    ];
    for (const { name, run } of shuffleItems(attempts, seed).slice(0, count)) {
      if (signal.aborted) break;
      const found = await run().catch((error: unknown) => [`${name}: ${describe(error)}`]);
      await bed.proxy.end();
      if (!found) {
        notReached += 1;
        continue;
      }
      for (const finding of found) log(`FOUND: ${finding}`);
      findings.push(...found);
      done += 1;
      if (done % 100 === 0) log(`${done} faults, ${findings.length} findings`);
    }
    const operations = new Set(cells.map(({ operation }) => operation)).size;
    return {
      done,
      findings,
      figures: { operations, 'clicks of people': CLICKS.length, 'faults that are possible': attempts.length, 'not reached': notReached },
    };
  } finally {
    await stage.close();
    await bed.close();
    server?.stop();
  }
}

async function listClicks(stage: Stage, findings: string[]): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const click of CLICKS) {
    try {
      const calls = await countClickCalls(stage, click);
      for (let call = 1; call <= calls; call += 1)
        attempts.push(...FAULTS.map((fault) => ({ name: `${click.name}, ${fault}`, run: () => checkClick(stage, click, fault, call) })));
    } catch (error) {
      findings.push(describe(error));
    }
  }
  return attempts;
}

/** An operation whose call fails without a fault, or that doesn't make a call, is a finding: its case is wrong. */
async function listCells(bed: Bed, findings: string[]): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const [file, { cases, get }] of Object.entries(ALL_CLIENTS)) {
    const missing = Object.keys(get(bed.newClients()) ?? {}).filter((name) => !(name in cases));
    findings.push(...missing.map((name) => `${file} has no case for ${name}`));
    for (const [name, operationCase] of Object.entries(cases)) {
      if (typeof operationCase === 'string') continue;
      const operation = `${file.split('/').at(-1)?.replace('-client.ts', '')}.${name}`;
      try {
        const calls = await countCalls(bed, operationCase);
        if (calls.length === 0) findings.push(`${operation} makes no call`);
        cells.push(...calls.flatMap((_call, index) => FAULTS.map((fault) => ({ operation, operationCase, fault, call: index + 1 }))));
      } catch (error) {
        findings.push(`${operation} fails without a fault: ${describe(error)}`);
      }
    }
  }
  return cells;
}

function shuffleItems<Item>(items: readonly Item[], seed: number): Item[] {
  const random = createRandom(seed);
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
