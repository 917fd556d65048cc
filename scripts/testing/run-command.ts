import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

export type CommandResult = { readonly exitCode: number; readonly output: string };

type CommandOptions = { readonly environment?: Readonly<Record<string, string>>; readonly show?: boolean; readonly cwd?: string };

/** Runs a program in the repository. Its output is either shown as it arrives or collected. */
export function runCommand(
  command: string,
  args: readonly string[],
  { environment, show: isShown = false, cwd = repositoryRoot }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
    });
    const killChild = (): void => void child.kill();
    process.once('exit', killChild);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('exit', killChild);
      resolve({ exitCode: code ?? 1, output });
    });
  });
}

/** The folder for Node's compile cache. Tests start many processes, and the cache saves a fifth of a start's CPU time. */
const compileCacheFolder = `${repositoryRoot}node_modules/.cache/compiled`;

/** Runs a tool from node_modules with the current version of Node. */
export function runTool(entry: string, args: readonly string[], { environment, ...options }: CommandOptions = {}): Promise<CommandResult> {
  return runCommand(process.execPath, [`${repositoryRoot}node_modules/${entry}`, ...args], {
    ...options,
    environment: { NODE_COMPILE_CACHE: compileCacheFolder, ...environment },
  });
}
