/** Two people change the facts of one client at once: what both changed is a question for the later one, everything else goes together. */

/** A form's fields as text; several choices in one field are joined before. */
export type FactTexts<Name extends string> = Readonly<Record<Name, string>>;

/**
 * `merged` is what the form goes on with: one's own changes over what the other wrote. `taken`: fields that came from the other. `clashes`: fields that
 * both changed, to different texts; `merged` keeps one's own there.
 */
export type MergedFacts<Name extends string> = {
  readonly merged: FactTexts<Name>;
  readonly taken: readonly Name[];
  readonly clashes: readonly Name[];
};

/** `base` is what the form was opened with, `mine` what was typed since, `theirs` what stands there by now. */
export function mergeFacts<Name extends string>(base: FactTexts<Name>, mine: FactTexts<Name>, theirs: FactTexts<Name>): MergedFacts<Name> {
  const names = Object.keys(base) as Name[];
  const isMine = (name: Name): boolean => mine[name] !== base[name];
  const isTheirs = (name: Name): boolean => theirs[name] !== base[name];
  return {
    merged: Object.fromEntries(names.map((name) => [name, isMine(name) ? mine[name] : theirs[name]])) as Record<Name, string>,
    taken: names.filter((name) => isTheirs(name) && !isMine(name)),
    clashes: names.filter((name) => isTheirs(name) && isMine(name) && mine[name] !== theirs[name]),
  };
}
