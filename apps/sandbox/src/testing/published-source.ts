/**
 * Providers' published API descriptions. They lie in ../shared beside the repository and are not part of it: tests that check a simulator against
 * them are skipped where they are missing, and say so in their names.
 */
import { fileURLToPath } from 'node:url';

export const HMRC_DESCRIPTIONS = '../shared/reference/hmrc/oas';
export const PROVIDER_DESCRIPTIONS = '../shared/reference/providers/oas';

const REPOSITORY = new URL('../../../../', import.meta.url);

/** The absolute path of a file in one of the folders above. */
export function sourcePath(folder: string, file: string): string {
  return fileURLToPath(new URL(`${folder}/${file}`, REPOSITORY));
}

/** For the names of tests that need descriptions of this folder; `found` is what was loaded from it. */
export function sourceNote(folder: string, found: unknown): string {
  return found === undefined ? `(skipped: no descriptions in ${folder} beside the repository)` : `(${folder})`;
}
