/** The portal as a real process with its own ports and data folder, started from its bundle as `npm start` does. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findFreePort, findFreeSmtpPort } from '@portal/sandbox/testing/find-free-port.ts';

const mainFile = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Node's compile cache saves a fifth of the CPU time of a start. */
const compiledFolder = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url));

export type PortalProcess = {
  readonly process: ChildProcess;
  readonly url: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Rejects if the process ends first. */
  waitUntilReady(): Promise<void>;
};

export type PortalPorts = { readonly port: number; readonly sandboxPort: number; readonly smtpPort: number };

export async function findFreePorts(): Promise<PortalPorts> {
  const [port, sandboxPort, smtpPort] = await Promise.all([findFreePort(), findFreePort(), findFreeSmtpPort()]);
  return { port, sandboxPort, smtpPort };
}

/** `environment` is added to the ports and the folder; the test's own environment is not passed on. */
export function startPortalProcess(dataDir: string, ports: PortalPorts, environment: Readonly<Record<string, string>> = {}): PortalProcess {
  const child = spawn(process.execPath, [mainFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      DATA_DIR: dataDir,
      PORT: String(ports.port),
      SANDBOX_PORT: String(ports.sandboxPort),
      SANDBOX_SMTP_PORT: String(ports.smtpPort),
      NODE_COMPILE_CACHE: compiledFolder,
      ...environment,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended: PortalProcess['ended'] = new Promise((resolve) => child.once('close', (exitCode, signal) => resolve({ exitCode, signal })));
  return {
    process: child,
    url: `http://localhost:${ports.port}`,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    waitUntilReady: async () => {
      while (!stdout.includes('\n')) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the portal process ended: ${stderr}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
