/** The log of all runs (`docs/campaigns.jsonl`), and the table in docs/figures.md that is generated from it. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../testing/run-command.ts';
import { ENGINES, listEngines, type Campaign, type Engine } from './campaign.ts';

/** One run, which is one line in the log. */
export type CampaignRun = {
  readonly date: string;
  readonly commit: string;
  readonly name: string;
  readonly engine: Engine;
  readonly seed: number;
  readonly done: number;
  readonly findings: readonly string[];
  readonly figures: Readonly<Record<string, string | number>>;
  readonly seconds: number;
  /** The machine's load average over the last minute, at the end of the run. */
  readonly load: number;
};

/** The totals for a campaign's runs on one engine. */
export type CampaignTotals = {
  readonly done: number;
  readonly runs: number;
  readonly findings: number;
  readonly last: CampaignRun;
};

const ENGINE_NAMES = { embedded: 'embedded', postgres: 'PostgreSQL' } as const satisfies Record<Engine, string>;
const COLUMNS = ['Campaign', 'What it proves', 'Engine', 'Target', 'Done', 'Runs', 'Findings', 'In the last run', 'Last commit', 'Date'];
const SECTION_PATTERN = /^## Reliability campaigns\n[^]*?(?=^## )/m;
const INTRODUCTION =
  '`npm run campaign -- NAME` adds a run to [campaigns.jsonl](campaigns.jsonl) and rewrites this table. The log has the seed, the figures and ' +
  'the load of each run, and what was found. Findings of earlier runs stay counted after they are fixed.';

const toLogFile = (docsFolder: string): string => join(docsFolder, 'campaigns.jsonl');
const toFiguresFile = (docsFolder: string): string => join(docsFolder, 'figures.md');

/** Returns all runs, oldest first, because merged branches add theirs in any order. */
export function readRuns(docsFolder: string): CampaignRun[] {
  const file = toLogFile(docsFolder);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  const runs = lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as CampaignRun]));
  return runs.toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Stack traces of findings have paths of the machine that ran the campaign, so they are made relative to the repository. */
export function recordRun(docsFolder: string, campaigns: readonly Campaign[], run: CampaignRun): void {
  const line = JSON.stringify(run).replaceAll(pathToFileURL(repositoryRoot).href, '').replaceAll(repositoryRoot, '');
  appendFileSync(toLogFile(docsFolder), `${line}\n`);
  writeTable(docsFolder, campaigns);
}

/** Rewrites the section in figures.md. */
export function writeTable(docsFolder: string, campaigns: readonly Campaign[]): void {
  const file = toFiguresFile(docsFolder);
  const logText = readFileSync(file, 'utf8');
  if (!SECTION_PATTERN.test(logText)) throw new Error(`${file} has no section "## Reliability campaigns" with another section after it.`);
  writeFileSync(
    file,
    logText.replace(SECTION_PATTERN, () => formatSection(campaigns, readRuns(docsFolder))),
  );
}

export function formatSection(campaigns: readonly Campaign[], runs: readonly CampaignRun[]): string {
  const rows = campaigns.flatMap((campaign) =>
    listEngines(campaign).map((engine) => toCells(campaign, engine, accumulateRows(runs, campaign, engine))),
  );
  return `## Reliability campaigns\n\n${INTRODUCTION}\n\n${formatTable([COLUMNS, ...rows])}\n\n`;
}

export function accumulateRows(runs: readonly CampaignRun[], { name }: Campaign, engine: Engine): CampaignTotals | undefined {
  const campaignRuns = runs.filter((run) => run.name === name && run.engine === engine);
  const last = campaignRuns.at(-1);
  if (!last) return undefined;
  const sum = (count: (run: CampaignRun) => number): number => campaignRuns.reduce((total, run) => total + count(run), 0);
  return { done: sum(({ done }) => done), runs: campaignRuns.length, findings: sum(({ findings }) => findings.length), last };
}

function toCells({ name, proves, unit, target }: Campaign, engine: Engine, totals: CampaignTotals | undefined): string[] {
  const start = [`\`${name}\``, proves, ENGINE_NAMES[engine], `${formatCount(target)} ${unit}`];
  if (!totals) return [...start, '0', '0', '', '', '', ''];
  const { done, runs, findings, last } = totals;
  return [...start, formatCount(done), String(runs), String(findings), String(last.findings.length), last.commit, last.date.slice(0, 10)];
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-GB');
}

/** Pads columns like this repository's formatter. */
function formatTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const formatRow = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [formatRow(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(formatRow)].join('\n');
}

/** Describes each campaign in a paragraph, for when the command is run without a name. */
export function describeCampaigns(campaigns: readonly Campaign[], runs: readonly CampaignRun[]): string {
  return campaigns
    .map((campaign) => {
      const engines = ENGINES.filter((engine) => listEngines(campaign).includes(engine)).map((engine) => {
        const foundRows = accumulateRows(runs, campaign, engine);
        const sums = foundRows ? `${formatCount(foundRows.done)} in ${foundRows.runs} runs, ${foundRows.findings} findings` : 'not run';
        return `  ${ENGINE_NAMES[engine].padEnd(11)}${sums}`;
      });
      const target = `  target: ${formatCount(campaign.target)} ${campaign.unit} on each engine; a run: ${formatCount(campaign.defaultCount)}`;
      return [campaign.name, `  ${campaign.proves}`, target, ...engines].join('\n');
    })
    .join('\n\n');
}
