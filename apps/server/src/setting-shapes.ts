/** What one setting is, and the shapes that several share. */
import { z } from 'zod';

/** The text that a setting was given; undefined where it was not. */
export type Given = (name: string) => string | undefined;

export type Setting<Shape extends z.ZodType> = {
  readonly shape: Shape;
  /** Goes on after "but": "a port, 1 to 65535, is expected". */
  readonly expects: string;
  readonly means: string;
  readonly unless?: (given: Given) => string | undefined;
  /** Words for a default that depends on something. */
  readonly unlessWords?: string;
  readonly isSecret?: true;
};

export const webAddress = z.url({ protocol: /^https?$/ }).transform((address) => address.replace(/\/+$/, ''));
export const text = z.string().min(1);
export const addressWords = 'an http or https address';

export function setting<Shape extends z.ZodType>(described: Setting<Shape>): Setting<Shape> {
  return described;
}
