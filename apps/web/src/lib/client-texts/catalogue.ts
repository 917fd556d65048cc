/**
 * The client portal's strings by key, so that a second language only needs a second catalogue (docs/decisions/0062-clients-files.md): whole
 * sentences with named values, plural forms by the language's own rules, and dates and numbers formatted by Intl.
 */
import { toEpochMs, type Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

/** The plural forms of a string (unicode.org/reports/tr35/tr35-numbers.html#Language_Plural_Rules). `{count}` is the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
export type Catalogue = Readonly<Record<string, string | PluralForms>>;

type ParameterNames<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterNames<Rest> : never;
type EntryText<Entry> = Entry extends string ? Entry : Entry[keyof Entry];
type Values<Entry> = Readonly<Record<ParameterNames<EntryText<Entry>>, string | number>>;
type Arguments<Entry> = [ParameterNames<EntryText<Entry>>] extends [never] ? [] : [values: Values<Entry>];

export function createTexts<const Entries extends Catalogue>(locale: string, entries: Entries) {
  const pluralRules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  // A calendar date has no time zone, so format it as a UTC date.
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const instantFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/London' });
  return {
    text: <Key extends keyof Entries>(key: Key, ...[values]: Arguments<Entries[Key]>): string => {
      const entry: string | PluralForms = entries[key] ?? String(key);
      const parameters: Readonly<Record<string, string | number>> = values ?? {};
      const form = typeof entry === 'string' ? entry : (entry[pluralRules.select(Number(parameters['count']))] ?? entry.other);
      return form.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
        const value = parameters[name];
        return value === undefined ? placeholder : typeof value === 'number' ? numbers.format(value) : value;
      });
    },
    date: (date: PlainDate): string => dates.format(Date.parse(`${date}T00:00:00Z`)),
    instant: (at: Instant): string => instantFormat.format(toEpochMs(at)),
  };
}
