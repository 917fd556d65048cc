/** Merges simultaneous edits to one client: fields changed by both users are conflicts for the later one; everything else is merged. */

/** A form's fields as text; multiple choices in one field must be joined first. */
export type FactValues<Name extends string> = Readonly<Record<Name, string>>;

/**
 * `merged` is the new form content: the user's own changes on top of the other user's. `updatedByOther`: fields taken from the other user.
 * `conflicts`: fields that both users changed to different text; `merged` keeps the user's own.
 */
export type MergedFacts<Name extends string> = {
  readonly merged: FactValues<Name>;
  readonly updatedByOther: readonly Name[];
  readonly conflicts: readonly Name[];
};

/** `base` is the form as opened, `mine` the user's input, `theirs` the currently stored version. */
export function mergeFacts<Name extends string>(
  base: FactValues<Name>,
  mine: FactValues<Name>,
  theirs: FactValues<Name>,
): MergedFacts<Name> {
  const names = Object.keys(base) as Name[];
  const isChangedByMe = (name: Name): boolean => mine[name] !== base[name];
  const isChangedByOther = (name: Name): boolean => theirs[name] !== base[name];
  return {
    merged: Object.fromEntries(names.map((name) => [name, isChangedByMe(name) ? mine[name] : theirs[name]])) as Record<Name, string>,
    updatedByOther: names.filter((name) => isChangedByOther(name) && !isChangedByMe(name)),
    conflicts: names.filter((name) => isChangedByOther(name) && isChangedByMe(name) && mine[name] !== theirs[name]),
  };
}
