import { z } from 'zod';

const MAX_NAME_LENGTH = 80;
export const UNNAMED_APP = 'Unnamed app';

/** The name an app gives itself, reduced to one line without characters that hide or reorder text. */
export const appNameSchema = z
  .string()
  .optional()
  .transform(
    (name = '') =>
      name
        .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .slice(0, MAX_NAME_LENGTH)
        .toWellFormed() || UNNAMED_APP,
  );
