import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot, runTool } from '../testing/run-command.ts';
import { layerCases } from './layer-cases.ts';

type OxlintReport = { readonly diagnostics: readonly { readonly filename: string; readonly message: string; readonly help?: string }[] };

/** Returns violations of the layer rules: an import that should be rejected but isn't, or an allowed import that is rejected. */
export async function checkLayers(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-layers-'));
  try {
    cpSync(`${repositoryRoot}.oxlintrc.json`, join(folder, '.oxlintrc.json'));
    cpSync(`${repositoryRoot}tsconfig.base.json`, join(folder, 'tsconfig.json'));
    symlinkSync(`${repositoryRoot}node_modules`, join(folder, 'node_modules'));
    for (const { file, source } of layerCases) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), source);
    }
    const { output } = await runTool('oxlint/bin/oxlint', ['--type-aware', '--format', 'json'], { cwd: folder });
    return findProblems(JSON.parse(output) as OxlintReport);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function findProblems({ diagnostics }: OxlintReport): string[] {
  return layerCases.flatMap(({ file, source, rejection }) => {
    const messages = diagnostics.filter(({ filename }) => filename.endsWith(file)).map(({ message, help = '' }) => `${message} ${help}`);
    if (rejection && !messages.some((text) => rejection.test(text)))
      return [`not rejected: ${file}: ${source.split('\n')[0]} (${messages.join(' ') || 'no message'})`];
    if (!rejection && messages.length > 0) return [`rejected although allowed: ${file}: ${messages.join(' ')}`];
    return [];
  });
}
