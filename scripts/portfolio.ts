/**
 * `npm run portfolio`: creates a practice's clients in the simulators, writes its files, and with --load imports them into a running
 * portal. Exits 1 on failure.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PORTFOLIO_FILES, reachAgentDouble, type AgentDouble, type PortfolioFile } from './portfolio/agent-double.ts';
import { load } from './portfolio/load.ts';
import { HELP, readCommand, type Command } from './portfolio/read-command.ts';
import { createStages, reasonOf, stageLine, type Stages } from './smoke/stages.ts';

/** Generating 100,000 clients takes minutes. */
const MAKE_LIMIT_MS = 300_000;

async function writeFiles(stages: Stages, double: AgentDouble, folder: string): Promise<Record<PortfolioFile, string>> {
  mkdirSync(folder, { recursive: true });
  const files: Partial<Record<PortfolioFile, string>> = {};
  for (const name of PORTFOLIO_FILES) {
    files[name] = await stages.run(
      name,
      async () => {
        const text = await double.readFile(name);
        writeFileSync(join(folder, name), text);
        return { figures: `${text.split('\r\n').length - 2} rows, ${(text.length / 1024 / 1024).toFixed(1)} MB`, value: text };
      },
      MAKE_LIMIT_MS,
    );
  }
  return files as Record<PortfolioFile, string>;
}

async function play(print: (line: string) => void, command: Command): Promise<void> {
  const { clients, seed, url, sandbox, folder } = command;
  const stages = createStages(print);
  const double = reachAgentDouble(sandbox);
  const { hmrc_user_id } = await stages.run(
    'doubles',
    async () => {
      const loaded = await double.loadPortfolio(clients, seed);
      return { figures: `${loaded.clients} clients of seed ${loaded.seed} as of ${loaded.today}, at ${sandbox}`, value: loaded };
    },
    MAKE_LIMIT_MS,
  );
  const files = await writeFiles(stages, double, folder);
  if (command.load) return load(stages, `${url}/portal`, double, hmrc_user_id, files);
  print(
    `\nNext: sign in at ${url}/portal/login as Priya Oakes (priya@oakline.example), import ${join(folder, 'clients.csv')} under Clients,`,
  );
  print('then refresh VAT and Self Assessment. Or let it be done: the same command with --load.');
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const startedAt = performance.now();
try {
  // npm runs scripts in the repository's root, so the folder is resolved against the directory where the command was typed.
  const command = readCommand(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd());
  if (command === undefined) {
    print(HELP.trimEnd());
  } else {
    try {
      await play(print, command);
      print(`\n${stageLine('done', performance.now() - startedAt, '')}`.trimEnd());
    } catch {
      // The stage's own line has already printed the reason.
      process.exitCode = 1;
    }
  }
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\nnpm run portfolio -- --help explains the options.\n`);
  process.exitCode = 1;
}
