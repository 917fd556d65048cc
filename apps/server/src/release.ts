import { existsSync, readFileSync } from 'node:fs';

/** Identifies this copy of the product. */
export type Release = {
  readonly version: string;
  /** The commit that a package was built from; undefined in a checkout. */
  readonly commit: string | undefined;
  /** A package includes neither simulators nor the embedded database. */
  readonly isPackage: boolean;
};

/**
 * `npm run package` writes release.json; a checkout doesn't have it. The bundle is at the same depth in its folder as the sources are, so
 * the path works for both.
 */
export function readRelease(): Release {
  const file = new URL('../../../release.json', import.meta.url);
  if (existsSync(file)) {
    const { version, commit }: { version: string; commit: string } = JSON.parse(readFileSync(file, 'utf8'));
    return { version, commit, isPackage: true };
  }
  const { version }: { version: string } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return { version, commit: undefined, isPackage: false };
}
