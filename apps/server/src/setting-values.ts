/** Parses the value of each setting with its own shape. */
import type { z } from 'zod';
import { settingTable, type SettingName } from './settings-table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type SettingValues = { readonly [Name in SettingName]: z.infer<(typeof settingTable)[Name]['shape']> };

type ReadValues = { readonly ok: true; readonly values: SettingValues } | { readonly ok: false; readonly problems: readonly string[] };

export function readSettingValues(environment: Environment): ReadValues {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { shape, isSecret, expectedText, defaultValue }] of Object.entries(settingTable)) {
    const settingText = getSettingText(environment, name);
    const text = settingText ?? defaultValue?.((other) => getSettingText(environment, other));
    const parsed = shape.safeParse(text);
    values[name] = parsed.data;
    if (parsed.success) continue;
    const problem = `${name} is ${isSecret ? 'invalid' : `“${text}”`}. It must be ${expectedText}.`;
    // A default can only be invalid because of the setting it is derived from, which has already been reported.
    if (settingText !== undefined || problems.length === 0) problems.push(problem);
  }
  // Each value above was parsed with its own setting's shape.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, values: values as SettingValues };
}

/** Shells and compose files pass an empty value for an unset variable. */
export function getSettingText(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}
