/** The definition of a setting, and shapes shared by several settings. */
import { z } from 'zod';

/** Returns a setting's text, or undefined if it isn't set. */
export type GetSetting = (name: string) => string | undefined;

export type Setting<Shape extends z.ZodType> = {
  readonly shape: Shape;
  /** Completes the sentence "It must be X", for example "a port, 1 to 65535". */
  readonly expectedText: string;
  readonly meaning: string;
  readonly defaultValue?: (getSetting: GetSetting) => string | undefined;
  /** Describes a default that depends on other settings. */
  readonly defaultLabel?: string;
  readonly isSecret?: true;
};

export const webUrl = z.url({ protocol: /^https?$/ }).transform((address) => address.replace(/\/+$/, ''));
export const text = z.string().min(1);
export const urlLabel = 'an http or https URL';

export function setting<Shape extends z.ZodType>(definition: Setting<Shape>): Setting<Shape> {
  return definition;
}
