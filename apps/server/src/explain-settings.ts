import { settingTable } from './settings-table.ts';

type SettingRow = { readonly name: string; readonly defaultText: string; readonly meaning: string };

/** Returns the text for `npm start -- --help`. */
export function explainSettings(): string {
  const rows = listSettingRows();
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(
    ({ name, defaultText: defaultValue, meaning }) =>
      `  ${name.padEnd(width)}  ${meaning}\n  ${' '.repeat(width)}  Default: ${defaultValue}.`,
  );
  return `Set these environment variables to configure the portal:\n\n${lines.join('\n')}\n`;
}

/** Returns the text of docs/settings.md. A test keeps the file up to date. */
export function renderSettingsPage(): string {
  const rows = listSettingRows().map(({ name, defaultText: defaultValue, meaning }) => `| \`${name}\` | ${meaning} | ${defaultValue} |`);
  const head =
    '# Settings\n\nEnvironment variables, read once when the portal starts. If one is invalid, the portal reports it and doesn’t start. `npm start -- --help` prints the same list.\n';
  return `${head}\n| Name | Meaning | Default |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function listSettingRows(): SettingRow[] {
  return Object.entries(settingTable).map(([name, { defaultValue, defaultLabel, meaning }]) => ({
    name,
    defaultText: defaultLabel ?? defaultValue?.(() => undefined) ?? 'nothing',
    meaning,
  }));
}
