/** The definition of a setting, and shapes shared by several settings. */
import { isIP } from 'node:net';
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

export const proxies = z.union([
  z.literal('0').transform(() => false as const),
  text
    .regex(/^((loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+[.:][0-9a-fA-F.:]*(\/\d+)?)(, *|$))+$/)
    .refine((list) => list.split(',').every((entry) => isProxyEntry(entry.trim()))),
]);

/** Returns false for a large part of the internet: every caller there could then invent their address. */
function isProxyEntry(entry: string): boolean {
  if (/^[a-z]+$/.test(entry)) return true;
  const [address = '', prefix] = entry.split('/');
  const version = isIP(address);
  if (version === 0) return false;
  const [shortest, longest] = version === 4 ? [8, 32] : [7, 128];
  return prefix === undefined || (Number(prefix) >= shortest && Number(prefix) <= longest);
}
