/** Checks the licences of everything shipped with the product, from npm's software bill of materials (CycloneDX). */
import { runCommand } from '../testing/run-command.ts';

/** Permissive licences: they require their text to be passed on, which the product's archive does. */
const ALLOWED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
]);
/** Packages whose package.json doesn't name a licence, with the licence according to its text file. */
const MANUALLY_CHECKED_LICENCES: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

/** A component in CycloneDX's JSON format, as written by npm. */
type SbomComponent = {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string; readonly name?: string }; readonly expression?: string }[];
};

export async function checkLicences(): Promise<string[]> {
  const { exitCode, output } = await runCommand('npm', [
    'sbom',
    '--package-lock-only',
    '--omit=dev',
    '--sbom-format=cyclonedx',
    '--loglevel=error',
  ]);
  if (exitCode !== 0) return [`npm sbom failed: ${output.trim()}`];
  const { components } = JSON.parse(output) as { readonly components: readonly SbomComponent[] };
  return components.length === 0 ? ['npm sbom lists nothing'] : components.flatMap(findProblem);
}

export function findProblem(packageComponent: SbomComponent): string[] {
  // Our own packages.
  if (packageComponent.purl.startsWith('pkg:npm/%40portal/')) return [];
  const licence =
    MANUALLY_CHECKED_LICENCES[packageComponent.name] ??
    packageComponent.licenses?.map(({ license, expression }) => expression ?? license?.id ?? license?.name).join(' OR ');
  if (licence === undefined || licence === '')
    return [`${packageComponent.name}@${packageComponent.version} names no licence: read its text, then add it to READ_BY_HAND`];
  // If several licences are joined by OR, we may choose any of them.
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => ALLOWED_LICENCES.has(choice.trim()))
    ? []
    : [`${packageComponent.name}@${packageComponent.version} has the licence ${licence}, which isn’t allowed`];
}
