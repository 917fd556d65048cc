/** Checks that TOKEN_ENCRYPTION_KEYS can open everything sealed in the database, and counts the values sealed with each key. */
import type { Database } from '@portal/db/database.ts';
import { runAsSystem } from '../run-as-system.ts';
import { describeMissingKeys, listKeyUses } from '../secrets/sealed-values.ts';
import { createTokenCipher } from '../secrets/token-cipher.ts';
import type { DoctorCheck } from './check-providers.ts';

/** Returns no checks if no keys are configured: in a trial the portal creates its own. */
export function listSealedValueChecks(database: Database, keys: readonly string[] | undefined): DoctorCheck[] {
  if (keys === undefined) return [];
  const { keyIds } = createTokenCipher(keys);
  return [
    {
      name: 'TOKEN_ENCRYPTION_KEYS',
      fix: 'Compare it with the setting on the other portal instances before you start this one.',
      run: async () => {
        const uses = await runAsSystem('command', () => listKeyUses(database.db, { keyIds }));
        const problem = describeMissingKeys(uses);
        if (problem !== undefined) throw new Error(problem);
        const counts = new Map(uses.map(({ keyId, values }) => [keyId, values]));
        const keyDescriptions = keyIds.map((id, index) => `key ${index + 1} (${id}) seals ${counts.get(id) ?? 0} values`);
        return `decrypts the stored values: ${keyDescriptions.join(', ')}`;
      },
    },
  ];
}
