/**
 * Locates the providers' published API descriptions, which aren't part of this repository: ../shared/reference/hmrc/oas and
 * ../shared/reference/providers/oas. Without them, the tests that need them are skipped, and their names say so.
 */
import { fileURLToPath } from 'node:url';

export const HMRC_DESCRIPTIONS = '../shared/reference/hmrc/oas';
export const PROVIDER_DESCRIPTIONS = '../shared/reference/providers/oas';

const REPOSITORY_URL = new URL('../../../../', import.meta.url);

/** Returns the absolute path of a file in one of the folders above. */
export function getSourcePath(folder: string, file: string): string {
  return fileURLToPath(new URL(`${folder}/${file}`, REPOSITORY_URL));
}

/** Returns a note for the names of tests that need this folder's descriptions. `found` is undefined if they couldn't be loaded. */
export function buildSourceNote(folder: string, found: unknown): string {
  return found === undefined ? `(skipped: no descriptions in ${folder} beside the repository)` : `(${folder})`;
}
