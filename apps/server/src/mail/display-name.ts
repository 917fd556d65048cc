/** A name for a From header, without the format characters (Unicode category Cf) that hide or reorder text. Anyone can choose their name. */
export const toDisplayName = (name: string): string => name.replaceAll(/\p{Cf}/gu, '');
