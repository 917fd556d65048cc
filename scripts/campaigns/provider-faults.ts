/** Runs every operation of every provider's client with every fault, at each of its calls. */
import { createRandom } from '../chaos/random.ts';
import { useTemporaryPostgres } from '../testing/use-temporary-postgres.ts';
import type { Campaign, CampaignContext, CampaignOutcome } from './campaign.ts';
import { ALL_CLIENTS } from './provider-faults/all-cases.ts';
import { openFaultTestBed, type FaultTestBed } from './provider-faults/bed.ts';
import { checkCall, countCalls, type Cell } from './provider-faults/check-call.ts';
import { FAULTS } from './provider-faults/fault-proxy.ts';
import { checkClick, CLICKS, type ClickTestBed, countClickCalls, openClickTestBed } from './provider-faults/portal-clicks.ts';

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
type FaultAttempt = { readonly name: string; readonly run: () => Promise<string[] | undefined> };

async function runProviderFaults({ seed, count, engine, log, signal }: CampaignContext): Promise<CampaignOutcome> {
  const server = engine === 'postgres' ? await useTemporaryPostgres() : undefined;
  const testBed = await openFaultTestBed();
  const clickTestBed = await openClickTestBed(testBed);
  const findings: string[] = [];
  let [doneCount, notReachedCount] = [0, 0];
  try {
    const cells = await listCells(testBed, findings);
    const clicks = await listClicks(clickTestBed, findings);
    const attempts = [
      ...cells.map((cell): FaultAttempt => ({ name: `${cell.operation}, ${cell.fault}`, run: () => checkCall(testBed, cell) })),
      ...clicks,
    ];
    for (const { name, run } of shuffleItems(attempts, seed).slice(0, count)) {
      if (signal.aborted) break;
      const foundProblems = await run().catch((error: unknown) => [`${name}: ${describeError(error)}`]);
      await testBed.proxy.end();
      if (!foundProblems) {
        notReachedCount += 1;
        continue;
      }
      for (const finding of foundProblems) log(`FOUND: ${finding}`);
      findings.push(...foundProblems);
      doneCount += 1;
      if (doneCount % 100 === 0) log(`${doneCount} faults, ${findings.length} findings`);
    }
    const operations = new Set(cells.map(({ operation }) => operation)).size;
    return {
      done: doneCount,
      findings,
      figures: {
        operations,
        'clicks of people': CLICKS.length,
        'faults that are possible': attempts.length,
        'not reached': notReachedCount,
      },
    };
  } finally {
    await clickTestBed.close();
    await testBed.close();
    server?.stop();
  }
}

async function listClicks(clickTestBed: ClickTestBed, findings: string[]): Promise<FaultAttempt[]> {
  const attempts: FaultAttempt[] = [];
  for (const click of CLICKS) {
    try {
      const calls = await countClickCalls(clickTestBed, click);
      for (let call = 1; call <= calls; call += 1)
        attempts.push(
          ...FAULTS.map((fault) => ({ name: `${click.name}, ${fault}`, run: () => checkClick(clickTestBed, click, fault, call) })),
        );
    } catch (error) {
      findings.push(describeError(error));
    }
  }
  return attempts;
}

/** An operation whose call fails without a fault, or that doesn't make a call, is a finding: its case is wrong. */
async function listCells(testBed: FaultTestBed, findings: string[]): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const [file, { cases, get }] of Object.entries(ALL_CLIENTS)) {
    const missingCases = Object.keys(get(testBed.newClients()) ?? {}).filter((name) => !(name in cases));
    findings.push(...missingCases.map((name) => `${file} has no case for ${name}`));
    for (const [name, operationCase] of Object.entries(cases)) {
      if (typeof operationCase === 'string') continue;
      const operation = `${file.split('/').at(-1)?.replace('-client.ts', '')}.${name}`;
      try {
        const calls = await countCalls(testBed, operationCase);
        if (calls.length === 0) findings.push(`${operation} makes no call`);
        cells.push(...calls.flatMap((_call, index) => FAULTS.map((fault) => ({ operation, operationCase, fault, call: index + 1 }))));
      } catch (error) {
        findings.push(`${operation} fails without a fault: ${describeError(error)}`);
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

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
