/**
 * Entry point of the sandbox process. If the portal starts it with an IPC channel, it runs until the channel closes and ignores signals:
 * Ctrl-C in a terminal reaches both processes, and the simulators must still respond while the portal drains. If run alone, it stops on
 * SIGTERM or SIGINT.
 */
import { buildSandbox } from './build-sandbox.ts';
import { readSandboxSettings } from './sandbox-settings.ts';

try {
  const settings = readSandboxSettings(process.env);
  const isChild = process.connected;
  if (isChild) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const sandbox = await buildSandbox(settings);
  const stop = async (): Promise<void> => {
    await sandbox.close();
    process.exit(0);
  };
  if (isChild) process.once('disconnect', () => void stop());
  else for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  // If the portal died while the sandbox was starting, the disconnect event has already been emitted.
  if (isChild && !process.connected) await stop();
  console.log(`sandbox ready ${sandbox.url} (mail on smtp://localhost:${sandbox.smtpPort})`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
