/** Rewords a letter as a good model would, with a few fixed replacements. Placeholders and everything else are unchanged. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Hello|Hi),/m, 'Good morning,'],
  [/\bPlease (?=\p{Ll})/gu, 'Could you please '],
  [/\bplease let us know\b/gi, 'please tell us'],
  [/\bso that\b/g, 'so'],
  [/\bis due\b/g, 'will be due'],
  [/\bThank you\b/g, 'Many thanks'],
  [/\bKind regards\b/g, 'With kind regards'],
];

export function rewordPolitely(text: string): string {
  let rewordedText = text;
  for (const [pattern, replacement] of REPLACEMENTS) rewordedText = rewordedText.replace(pattern, replacement);
  return rewordedText === text ? `${text}\n\nThank you` : rewordedText;
}
