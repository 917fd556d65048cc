import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../testing/run-command.ts';
import { walkImports } from './import-graph.ts';

const sandboxMain = join(repositoryRoot, 'apps/sandbox/src/main.ts');
const isSandboxModule = (file: string): boolean => relative(repositoryRoot, file).startsWith(join('apps', 'sandbox'));

describe('the server', () => {
  const { chains, unknown } = walkImports(join(repositoryRoot, 'apps/server/src/main.ts'), [sandboxMain]);

  it('imports no module of the sandbox: it only starts the sandbox’s process', () => {
    const sandboxChains = [...chains]
      .filter(([file]) => isSandboxModule(file))
      .map(([, chain]) => chain.map((file) => relative(repositoryRoot, file)));
    expect(sandboxChains).toEqual([]);
  });

  it('has no dynamic import whose file is only known at run time', () => {
    expect(unknown).toEqual([]);
  });

  it('is followed completely: features, provider clients, the database’s worker thread', () => {
    const files = [...chains.keys()].map((file) => relative(repositoryRoot, file));
    expect(files).toContain('apps/server/src/features/advances/payments-webhook-routes.ts');
    expect(files).toContain('packages/providers/src/hmrc/hmrc-client.ts');
    expect(files.some((file) => file.startsWith('packages/db/src/embedded/'))).toBe(true);
    expect(files.length).toBeGreaterThan(300);
  });
});

describe('the import graph', () => {
  let folder: string;
  const write = (name: string, source: string): string => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source);
    return file;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'portal-imports-'));
    symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['an import', "import { BRIGHTWELL } from '@portal/sandbox/seed/seed-data.ts';\nexport const value = BRIGHTWELL;\n"],
    [
      'an import of a type',
      "import type { SandboxSettings } from '@portal/sandbox/sandbox-settings.ts';\nexport type Value = SandboxSettings;\n",
    ],
    ['an import for its effects', "import '@portal/sandbox/sandbox-settings.ts';\n"],
    ['a re-export', "export { BRIGHTWELL } from '@portal/sandbox/seed/seed-data.ts';\n"],
    ['a dynamic import', "export const value = await import('@portal/sandbox/seed/seed-data.ts');\n"],
    ['a thread', "export const value = new Worker(new URL('./node_modules/@portal/sandbox/src/main.ts', import.meta.url));\n"],
  ])('finds %s behind another file, and returns the chain of imports', (_kind, source) => {
    const step = write('step.ts', source);
    const entry = write('entry.ts', "import './step.ts';\n");
    const { chains } = walkImports(entry);
    const foundChains = [...chains.values()].filter((chain) => /sandbox/.test(chain.at(-1) ?? ''));
    expect(foundChains[0]?.slice(0, 2)).toEqual([entry, step]);
  });

  it('reports dynamic imports that are only known at run time', () => {
    const entry = write('later.ts', 'export const load = (name: string) => import(name);\n');
    expect(walkImports(entry).unknown).toEqual([entry]);
  });
});
