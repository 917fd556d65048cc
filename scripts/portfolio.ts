/**
 * `npm run portfolio`: creates a practice's clients in the simulators, writes its files, and with --load imports them into a running
 * portal. Exits with 1 on failure.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  PORTFOLIO_FILES,
  createAgentSimulatorClient,
  type AgentSimulatorClient,
  type PortfolioFile,
} from './portfolio/agent-simulator-client.ts';
import { importPortfolio } from './portfolio/import-portfolio.ts';
import { HELP, readCommand, type Command } from './portfolio/read-command.ts';
import { createStages, describeError, formatStage, type Stages } from './smoke/stages.ts';

/** Generating 100,000 clients takes minutes. */
const GENERATE_TIMEOUT_MS = 300_000;

async function writeFiles(stages: Stages, agents: AgentSimulatorClient, folder: string): Promise<Record<PortfolioFile, string>> {
  mkdirSync(folder, { recursive: true });
  const files: Partial<Record<PortfolioFile, string>> = {};
  for (const name of PORTFOLIO_FILES) {
    files[name] = await stages.run(
      name,
      async () => {
        const csvText = await agents.readFile(name);
        writeFileSync(join(folder, name), csvText);
        return { figures: `${csvText.split('\r\n').length - 2} rows, ${(csvText.length / 1024 / 1024).toFixed(1)} MB`, value: csvText };
      },
      GENERATE_TIMEOUT_MS,
    );
  }
  return files as Record<PortfolioFile, string>;
}

async function runPortfolio(print: (line: string) => void, command: Command): Promise<void> {
  const { clients, seed, url, sandbox, folder } = command;
  const stages = createStages(print);
  const agents = createAgentSimulatorClient(sandbox);
  const { hmrc_user_id } = await stages.run(
    'doubles',
    async () => {
      const loaded = await agents.loadPortfolio(clients, seed);
      return { figures: `${loaded.clients} clients (seed ${loaded.seed}, as of ${loaded.today}) at ${sandbox}`, value: loaded };
    },
    GENERATE_TIMEOUT_MS,
  );
  const files = await writeFiles(stages, agents, folder);
  if (command.shouldLoad) return importPortfolio(stages, `${url}/portal`, agents, hmrc_user_id, files);
  print(
    `\nNext: log in at ${url}/portal/login as Priya Oakes (priya@oakline.example), import ${join(folder, 'clients.csv')} under Clients,`,
  );
  print('then refresh VAT and Self Assessment. Or add --load to this command to do it all automatically.');
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const startedAt = performance.now();
try {
  // npm runs scripts in the repository's root, so the folder is resolved against the user's working directory.
  const command = readCommand(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd());
  if (command === undefined) {
    print(HELP.trimEnd());
  } else {
    try {
      await runPortfolio(print, command);
      print(`\n${formatStage('done', performance.now() - startedAt, '')}`.trimEnd());
    } catch {
      // The stage's own line has already given the reason.
      process.exitCode = 1;
    }
  }
} catch (error) {
  process.stderr.write(`${describeError(error)}\nnpm run portfolio -- --help explains the options.\n`);
  process.exitCode = 1;
}
