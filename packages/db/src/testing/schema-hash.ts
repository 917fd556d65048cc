import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** The cache key of prepared test databases. It changes with every migration and with the embedded engine's version. */
export function getSchemaHash(): string {
  const hash = createHash('sha256').update(engineVersion());
  for (const name of readdirSync(migrationsFolder).toSorted()) {
    if (name.endsWith('.sql')) hash.update(name).update(readFileSync(join(migrationsFolder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

function engineVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version }: { version: string } = JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8'));
  return version;
}
