/** Measures the simulators' data for a practice: clients generated from a seed, and VAT books calculated on request. */
import { pathToFileURL } from 'node:url';
import { plainDate } from '@portal/domain/plain-date.ts';
import { generatePortfolio } from '@portal/sandbox/portfolio/generate-portfolio.ts';
import { formatImportFile, createImportFile } from '@portal/sandbox/portfolio/import-file.ts';
import { formatStatement, createStatements } from '@portal/sandbox/portfolio/statements.ts';
import { generateVatRecords } from '@portal/sandbox/portfolio/vat-books.ts';
import { printBenchRows, type BenchRow } from './bench-row.ts';

const CLIENT_COUNT = 10_000;
const MAX_MS = 2_000;
const PORTFOLIO_OPTIONS = { clients: CLIENT_COUNT, seed: 1, today: plainDate('2026-11-21') };

/** Each figure is the fastest of three runs. */
export async function measurePortfolio(): Promise<BenchRow[]> {
  const portfolio = generatePortfolio(PORTFOLIO_OPTIONS);
  return [
    measureRow(`${CLIENT_COUNT} clients with valid references from a seed`, () => generatePortfolio(PORTFOLIO_OPTIONS)),
    measureRow(`VAT books of ${portfolio.byVrn.size} of them`, () =>
      portfolio.list.map((client) => generateVatRecords(client, PORTFOLIO_OPTIONS.today)?.charges.size),
    ),
    measureRow(`import file and statements of ${CLIENT_COUNT} clients`, () => {
      const { paye, ct } = createStatements(portfolio);
      return [formatImportFile(createImportFile(portfolio)), formatStatement(paye), formatStatement(ct)];
    }),
  ];
}

function measureRow(title: string, work: () => unknown): BenchRow {
  const times = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  const milliseconds = Math.min(...times);
  return { title, measured: `${milliseconds.toFixed(0)} ms`, limit: `${MAX_MS} ms`, ok: milliseconds < MAX_MS };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) printBenchRows(await measurePortfolio());
