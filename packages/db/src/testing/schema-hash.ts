import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const folders = ['../migrations', '../access'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));

/**
 * Returns the cache key of prepared test databases. The key changes with every migration, and with changes to the access rules or the
 * embedded engine's version.
 */
export function getSchemaHash(): string {
  const hash = createHash('sha256').update(getEngineVersion());
  for (const folder of folders) {
    for (const name of readdirSync(folder).toSorted()) {
      if (/\.(sql|ts)$/.test(name)) hash.update(name).update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function getEngineVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version }: { version: string } = JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8'));
  return version;
}
