/**
 * The sandbox's process. Started by the portal with a channel it lives as long as the portal and leaves signals to it
 * (a terminal sends Ctrl-C to both, and the doubles must still answer while the portal drains); alone it stops on SIGTERM or SIGINT.
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
  // The portal may have died while the sandbox was starting: the event is then past.
  if (isChild && !process.connected) await stop();
  console.log(`sandbox ready ${sandbox.url} (mail on smtp://localhost:${sandbox.smtpPort})`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
