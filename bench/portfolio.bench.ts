/** Measures the simulators' data for a practice: clients generated from a seed, and VAT books calculated on request. */
import { pathToFileURL } from 'node:url';
import { plainDate } from '@portal/domain/plain-date.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import { formatImportFile, makeImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import { formatStatement, makeStatements } from '@portal/sandbox/portfolio/statements.ts';
import { makeVatBooks } from '@portal/sandbox/portfolio/vat-books.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CLIENTS = 10_000;
const LIMIT_MS = 2_000;
const RECIPE = { clients: CLIENTS, seed: 1, today: plainDate('2026-11-21') };

/** Each figure is the fastest of three runs. */
export async function measurePortfolio(): Promise<BenchRow[]> {
  const portfolio = generatePortfolio(RECIPE);
  return [
    row(`${CLIENTS} clients with valid references from a seed`, () => generatePortfolio(RECIPE)),
    row(`VAT books of ${portfolio.byVrn.size} of them`, () =>
      portfolio.list.map((client) => makeVatBooks(client, RECIPE.today)?.charges.size),
    ),
    row(`import file and statements of ${CLIENTS} clients`, () => {
      const { paye, ct } = makeStatements(portfolio);
      return [formatImportFile(makeImportFile(portfolio)), formatStatement(paye), formatStatement(ct)];
    }),
  ];
}

function row(what: string, work: () => unknown): BenchRow {
  const times = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  const milliseconds = Math.min(...times);
  return { what, measured: `${milliseconds.toFixed(0)} ms`, limit: `${LIMIT_MS} ms`, ok: milliseconds < LIMIT_MS };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) printBenchRows(await measurePortfolio());
