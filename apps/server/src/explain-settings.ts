import { settingTable } from './settings-table.ts';

type Row = { readonly name: string; readonly unless: string; readonly means: string };

/** Text for `npm start -- --help`. */
export function explainSettings(): string {
  const rows = settingRows();
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, unless, means }) => `  ${name.padEnd(width)}  ${means}\n  ${' '.repeat(width)}  Default: ${unless}.`);
  return `Set these environment variables to configure the portal:\n\n${lines.join('\n')}\n`;
}

/** Text for docs/settings.md. A test keeps the file up to date. */
export function settingsPage(): string {
  const rows = settingRows().map(({ name, unless, means }) => `| \`${name}\` | ${means} | ${unless} |`);
  const head =
    '# Settings\n\nEnvironment variables, read once when the portal starts. If one is invalid, the portal names it and doesn’t start. `npm start -- --help` prints the same list.\n';
  return `${head}\n| Name | Meaning | Default |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function settingRows(): Row[] {
  return Object.entries(settingTable).map(([name, { defaultValue: unless, defaultLabel: unlessWords, meaning: means }]) => ({
    name,
    unless: unlessWords ?? unless?.(() => undefined) ?? 'nothing',
    means,
  }));
}
