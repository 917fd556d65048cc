/**
 * Makes a name safe for a From header by removing the format characters (Unicode category Cf) that hide or reorder text. Users can choose
 * any name.
 */
export const toDisplayName = (name: string): string => name.replaceAll(/\p{Cf}/gu, '');
