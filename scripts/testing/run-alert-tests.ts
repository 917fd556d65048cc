import { findProgram, installOnDebian } from './debian.ts';
import { createSkippedPart, type PartResult } from './part.ts';
import { runCommand } from './run-command.ts';

const COMMANDS = [
  ['check', 'rules', 'deploy/prometheus/alerts.yml'],
  ['test', 'rules', 'deploy/prometheus/alerts.test.yml'],
] as const;

/** Checks the alert rules and runs their tests with Prometheus’s promtool. */
export async function runAlertTests(part: string, mustRun: boolean): Promise<PartResult> {
  const startedAt = performance.now();
  const promtool = findProgram(['promtool']) ?? ((await installOnDebian('prometheus')) ? findProgram(['promtool']) : undefined);
  if (!promtool) return createSkippedPart(part, 'no promtool found; install Prometheus to run it', mustRun);
  const notes: string[] = [];
  for (const args of COMMANDS) {
    const { exitCode, output } = await runCommand(promtool, args);
    process.stdout.write(`${exitCode === 0 ? '✓' : '✗'} promtool ${args.join(' ')}\n${exitCode === 0 ? '' : output}`);
    if (exitCode !== 0) notes.push(`failed: ${part}: promtool ${args.join(' ')}`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { part, passed: COMMANDS.length - notes.length, failed: notes.length, skipped: 0, notes, seconds };
}
